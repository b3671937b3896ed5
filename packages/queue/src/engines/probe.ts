/**
 * Does a server compute the policy that the learner trains? Asked after every publication, because nothing else can tell:
 * another base, an adapter that is not all of the policy, or one that was not applied, give plausible responses and log-probs.
 *
 * The server samples, the learner scores the same tokens. Their distance is k3 (`docs/specs/algorithms.md` 6.1), an estimate of
 * the KL divergence between them: two programs of one model differ by rounding alone.
 */
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { ModelInput, Sequence } from '@vlgym/rl';
import type { Engine } from './engine.js';
import type { TokenCodec } from './remote-sampler.js';

export interface ProbeOptions {
  readonly codec: Pick<TokenCodec, 'endTokens' | 'imageToken' | 'resize'>;
  /** Prompts of the environment. */
  readonly inputs: readonly ModelInput[];
  /** Name of the published weights. */
  readonly model: string;
  /** Log-probs of the learner at temperature 1, per sequence and token. */
  readonly score: (sequences: readonly Sequence[]) => Promise<readonly ArrayLike<number>[]>;
  /** Largest mean of k3 per token. */
  readonly tolerance: number;
  /** Tokens per response at most; default 16. */
  readonly maxNewTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ProbeReport {
  readonly tokens: number;
  /** Mean per token, nats. */
  readonly k3: number;
  /** Mean of the absolute difference per token, nats. */
  readonly meanDifference: number;
  readonly largestDifference: number;
}

/** The server and the learner have different policies. */
export class SamplerDiffersError extends GymError {
  constructor(
    engine: string,
    model: string,
    readonly report: ProbeReport,
    tolerance: number,
  ) {
    const { k3, tokens, meanDifference } = report;
    const [distance, mean] = [k3, meanDifference].map((value) => value.toPrecision(2));
    super(`${engine} does not compute "${model}" as the learner does: k3 ${distance} over ${tokens} tokens.`, {
      code: 'SAMPLER_DIFFERS',
      value: k3,
      expected: `at most ${tolerance}; the log-probs of a token differ by ${mean} on average`,
      hint: 'serve the folder that the learner trains, unchanged and in its dtype; --probe-tolerance states another bound',
    });
  }
}

const PROBE_OPTIONS = names<ProbeOptions>({
  codec: 0,
  inputs: 0,
  model: 0,
  score: 0,
  tolerance: 0,
  maxNewTokens: 0,
  signal: 0,
});

/** @throws {SamplerDiffersError} @throws {EngineError} */
export async function probe(engine: Engine, options: ProbeOptions): Promise<ProbeReport> {
  checkNames('options', options, PROBE_OPTIONS);
  const { codec, inputs, model, score, tolerance, maxNewTokens = 16 } = options;
  const { signal = AbortSignal.timeout(300_000) } = options;
  const responses = await Promise.all(
    inputs.map(({ promptIds, images }, index) =>
      engine.generate(
        {
          requestId: `probe-${model}-${index}`,
          model,
          promptIds,
          images: images.map((image) => codec.resize?.(image) ?? image),
          imageToken: codec.imageToken,
          maxNewTokens,
          temperature: 1,
          topP: 1,
          topK: 0,
          seed: index,
          stopTokenIds: codec.endTokens,
        },
        signal,
      ),
    ),
  );
  const scores = await score(inputs.map((input, index) => ({ input, responseIds: responses[index]!.tokenIds })));
  const differences = responses.flatMap(({ behaviorLogProbs }, index) =>
    Array.from(behaviorLogProbs, (logProb, token) => scores[index]![token]! - logProb),
  );
  const report = reportOf(differences);
  // not `>`: NaN is refused too
  if (!(report.k3 <= tolerance)) throw new SamplerDiffersError(engine.name, model, report, tolerance);
  return report;
}

function reportOf(differences: readonly number[]): ProbeReport {
  const mean = (of: (difference: number) => number) =>
    differences.reduce((sum, difference) => sum + of(difference), 0) / differences.length;
  return {
    tokens: differences.length,
    k3: mean((difference) => Math.expm1(difference) - difference),
    meanDifference: mean(Math.abs),
    largestDifference: differences.reduce((largest, difference) => Math.max(largest, Math.abs(difference)), 0),
  };
}
