/** How far two sets of weights are from each other on the tokens of responses, from their hidden states. */
import type { Tensor } from '@vlgym/gpu';
import type { Divergence } from '@vlgym/rl';
import type { OtherStates } from './chunked-scores.js';
import type { ResponseBatch } from './response-batch.js';

/** [B, L]: the exact KL, or log p − log q of the response tokens. */
export function divergenceBetween(
  batch: ResponseBatch,
  own: OtherStates,
  other: OtherStates,
  { kind, temperature }: Required<Pick<Divergence, 'kind' | 'temperature'>>,
): Tensor {
  if (batch.isChunked) {
    const scoresOf = ({ states }: OtherStates) => batch.chunkedScores(states, temperature);
    if (kind === 'exact-kl') return own.use(() => scoresOf(own).divergence(other));
    return own.use(() => scoresOf(own).logProbs).sub(other.use(() => scoresOf(other).logProbs));
  }
  const logP = own.use(() => batch.logSoftmax(own.states, temperature));
  const logQ = other.use(() => batch.logSoftmax(other.states, temperature));
  if (kind === 'log-ratio') return logP.sub(logQ).gather(2, batch.responseIds.unsqueeze(2)).squeeze(2);
  const probabilities = logP.exp();
  return probabilities.mul(logP).sum(-1).sub(probabilities.mul(logQ).sum(-1));
}
