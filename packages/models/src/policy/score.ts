/** Log-probabilities, entropies, values and divergences of given sequences, without gradients. */
import { type Tensor, tidy } from '@vlgym/gpu';
import type { ScoreOptions, Scores, Sequence } from '@vlgym/rl';
import { assertResponses, forwardOutputs, type PolicyParts } from './forward.js';
import { microBatches } from './micro-batches.js';
import { DENSE_VOCABULARY } from './response-batch.js';

/** Scores of one forward, 256 MB in float32. */
const SCORES_PER_BATCH = 2 ** 26;

/**
 * @param batchTokens           Tokens of one forward, padding included.
 * @throws {EmptyResponseError} A sequence has no response.
 */
export async function scoreSequences(
  parts: PolicyParts,
  sequences: readonly Sequence[],
  options: ScoreOptions,
  batchTokens: number,
): Promise<Scores> {
  assertResponses(sequences);
  const { divergence, states } = options;
  const scores = {
    logProbs: new Array<Float32Array>(sequences.length),
    entropies: new Array<Float32Array>(sequences.length),
    values: new Float32Array(sequences.length),
    ...(divergence && { divergences: new Array<Float32Array>(sequences.length) }),
    ...(states && { states: new Array<Float32Array>(sequences.length) }),
  };
  const sizes = sequences.map(({ input, responseIds }) => ({
    prompt: input.promptIds.length,
    response: responseIds.length,
  }));
  const vocabulary = parts.network.language.config.vocabSize;
  // with a large vocabulary scores are computed in chunks, unless whole distributions are compared
  const isChunked = vocabulary > (parts.denseVocabulary ?? DENSE_VOCABULARY) && divergence?.kind !== 'exact-kl';
  const limit = isChunked ? Number.POSITIVE_INFINITY : SCORES_PER_BATCH;
  for (const positions of microBatches(sizes, { tokens: batchTokens, scores: limit, vocabulary })) {
    const rows = positions.map((position) => sequences[position]!);
    await parts.turns.run(async () => tidy(() => scoreBatch(parts, rows, positions, options, scores)));
  }
  return scores;
}

/** Writes the scores of `rows` into `scores` at their positions. */
function scoreBatch(
  parts: PolicyParts,
  rows: readonly Sequence[],
  positions: readonly number[],
  options: ScoreOptions,
  scores: Scores,
): void {
  parts.sets.use(options.weights ?? 'current', () => {
    const outputs = forwardOutputs(parts, rows, options);
    const values = outputs.values.toNumbers();
    // entropies first: in chunks they bring the log-probabilities with them
    const entropies = perRow(outputs.entropies, rows);
    const logProbs = perRow(outputs.logProbs, rows);
    const divergences = options.divergence && perRow(outputs.divergence(options.divergence), rows);
    const width = outputs.promptStates.size(1);
    const states = options.states && Float32Array.from(outputs.promptStates.toNumbers());
    for (const [i, position] of positions.entries()) {
      scores.logProbs[position] = logProbs[i]!;
      scores.entropies[position] = entropies[i]!;
      scores.values[position] = values[i]!;
      if (divergences) scores.divergences![position] = divergences[i]!;
      if (states) scores.states![position] = states.slice(i * width, (i + 1) * width);
    }
  });
}

/** The response tokens of every row of a [B, L] tensor. */
function perRow(tensor: Tensor, rows: readonly Sequence[]): Float32Array[] {
  const length = tensor.size(1);
  const entries = Float32Array.from(tensor.toArray() as Float32Array | Float64Array);
  return rows.map(({ responseIds }, i) => entries.slice(i * length, i * length + responseIds.length));
}
