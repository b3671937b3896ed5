/**
 * EPO: GRPO with an entropy bonus, and a penalty where a token's entropy leaves a band around what is usual at its step.
 *
 *     L = L_GRPO − c_H·(mean over tokens of H_l − c_s·P_l)
 *     P_l = 0 while κ_low·h_t ≤ H_l ≤ κ_high·h_t, and its squared distance to that band outside of it
 *
 * h_t is the mean token entropy at step index t over all updates so far. The published penalty is a constant outside of the band,
 * so it carries no gradient and only changes the logged loss; `penalty: 'constant'` is that. The published code has it in the
 * second half of the steps alone, with a weight that grows with the update; both are left out. Source: "EPO: Entropy-regularized Policy Optimization for LLM Agents Reinforcement Learning",
 * arXiv 2509.22576; `docs/specs/algorithms.md` 9.9. Pinned by `test/golden/algos/entropy_smoothing.json`.
 */
import { type AlgorithmState, defineAlgorithm, type RolloutBuffer, type Tensor } from '@vlgym/rl';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { clipRatio, type LossTerm, type LossTerms, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

const bandShape = {
  coefficient: z.number().nonnegative().default(0.001).describe('weight of the entropy and of its penalty, c_H'),
  smoothing: z.number().nonnegative().default(1).describe('weight of the penalty next to the entropy, c_s'),
  low: z.number().nonnegative().default(0.8).describe('lower end of the band, in usual entropies, κ_low'),
  high: z.number().positive().default(1.2).describe('upper end of the band, in usual entropies, κ_high'),
  penalty: z
    .enum(['squared', 'constant'])
    .default('squared')
    .describe('outside of the band: the squared distance to it, or 0.1 as published, which has no gradient'),
};

const bandOptions = z.strictObject(bandShape).refine(({ low, high }) => low <= high, {
  path: ['low'],
  error: 'at most entropy.high',
});

const options = z.strictObject({ ...groupAlgorithmOptions, entropy: bandOptions.prefault({}) });

/** The published constant. */
const CONSTANT_PENALTY = 0.1;

/** The two addends of the loss, [B, L]. @param usual [B, 1] h of the step of each row. */
export function entropyBand(
  entropies: Tensor,
  usual: Tensor,
  { coefficient, smoothing, low, high, penalty }: z.output<typeof bandOptions>,
): { readonly entropy: LossTerm; readonly 'entropy-band': LossTerm } {
  // both distances are 0 inside the band
  const below = usual.mul(low).sub(entropies).clamp(0);
  const above = entropies.sub(usual.mul(high)).clamp(0);
  const distance = below.add(above);
  const isOutside = distance
    .detach()
    .gt(0)
    .to(entropies.dtype as 'float32');
  const perToken = penalty === 'squared' ? distance.mul(distance) : isOutside.mul(CONSTANT_PENALTY);
  return {
    entropy: { perToken: entropies, coefficient: -coefficient },
    'entropy-band': { perToken, coefficient: coefficient * smoothing },
  };
}

/** Both weights of the entropy add up: that of the regularizer, and c_H. */
export function withBand(terms: LossTerms, band: ReturnType<typeof entropyBand>): LossTerms {
  const coefficient = band.entropy.coefficient + (terms.entropy?.coefficient ?? 0);
  return { ...terms, ...band, entropy: { ...band.entropy, coefficient } };
}

export const epo = defineAlgorithm({
  name: 'epo',
  title: 'EPO',
  source: 'arXiv 2509.22576',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'token_mean' },
    regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.01 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },
  open: () => new UsualEntropy(),

  async update(run) {
    const { config, state } = run;
    const { buffer, targets } = await playGroups(run, 'mean-std');
    state.add(buffer);

    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: (outputs, batch) => {
        const usual = batch.data.steps.map(({ stepIndex }) => state.at(stepIndex));
        const band = entropyBand(outputs.entropies, batch.like.newTensor(usual, [usual.length, 1]), config.entropy);
        return withBand(regularize(outputs, batch, config.regularizer), band);
      },
      averaging: config.loss,
    });
    return buffer;
  },
});

const saved = z.array(z.strictObject({ sum: z.number(), count: z.number().int().positive() }).nullable());

/** Mean token entropy by the index of the step, over all updates so far. */
class UsualEntropy implements AlgorithmState {
  #steps: z.output<typeof saved> = [];

  add({ steps }: RolloutBuffer): void {
    for (const { stepIndex, entropies } of steps) {
      const { sum, count } = this.#steps[stepIndex] ?? { sum: 0, count: 0 };
      this.#steps[stepIndex] = { sum: entropies.reduce((a, b) => a + b, sum), count: count + entropies.length };
    }
  }

  /** Nats. */
  at(stepIndex: number): number {
    const { sum, count } = this.#steps[stepIndex]!;
    return sum / count;
  }

  async save(): Promise<z.output<typeof saved>> {
    return Array.from(this.#steps, (step) => step ?? null);
  }

  async load(_folder: string, state: unknown): Promise<void> {
    this.#steps = saved.parse(state);
  }

  dispose(): void {}
}
