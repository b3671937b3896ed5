/**
 * LOOP: leave-one-out advantages of whole episodes, PPO on their tokens, no critic.
 *
 *     A_k = R_k − mean of R_j over the other episodes j of the group
 *     L   = mean over steps of mean over tokens of max(−ρ_l·A_k, −clip(ρ_l, 1 − ε, 1 + ε)·A_k)
 *
 * Source: "Reinforcement Learning for Long-Horizon Interactive LLM Agents", arXiv 2502.01600; `docs/specs/algorithms.md`
 * 9.1. Advantages are pinned by `test/golden/algos/group_advantages.json`.
 */
import { defineAlgorithm, type RolloutBuffer } from '@vlgym/rl';
import { clipRatio, type LossTerms, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { type LossBatch, optimize } from '@vlgym/rl/update';
import { loopOptions } from './loop-options.js';
import { PUBLISHED, RECOMMENDED } from './loop-presets.js';
import { playGroups } from './play-groups.js';

export const loop = defineAlgorithm({
  name: 'loop',
  title: 'LOOP',
  source: 'arXiv 2502.01600',
  options: loopOptions,
  recommended: RECOMMENDED,
  published: PUBLISHED,

  async update(run) {
    const { config } = run;
    const { buffer, targets } = await playGroups(run, 'leave-one-out');
    const weights = config.weighting.per === 'episode' ? episodeWeights(buffer, targets.policyMask) : undefined;
    const weightedTargets = weights
      ? { ...targets, advantages: (targets.advantages as Float64Array).map((A, row) => A * weights[row]!) }
      : targets;

    await optimize(run, buffer, weightedTargets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: (outputs, batch) => {
        const terms = regularize(outputs, batch, config.regularizer);
        return weights ? weighted(terms, buffer, batch, weights) : terms;
      },
      averaging: config.loss,
    });
    return buffer;
  },
});

/** The addends of the loss with the weights [B] of their steps, as the advantages have them. */
export function weighted(
  terms: LossTerms,
  { steps }: Pick<RolloutBuffer, 'steps'>,
  { data, like }: Pick<LossBatch, 'data' | 'like'>,
  weights: Float64Array,
): LossTerms {
  const weightOf = new Map(steps.map((step, row) => [step, weights[row]!]));
  const ofRows = like.newTensor(
    data.steps.map((step) => weightOf.get(step)!),
    [data.steps.length, 1],
  );
  return Object.fromEntries(
    Object.entries(terms).map(([name, term]) => [name, { ...term, perToken: term.perToken.mul(ofRows) }]),
  );
}

/**
 * [B] with which a mean over steps of sums over tokens is the mean over episodes of means over all of their tokens.
 *
 * @param policyMask  [B] 1 on steps that are trained; all by default. Others count neither as steps nor in their episode, and
 *   an episode of none is not counted; their weight is 0.
 */
export function episodeWeights(
  { steps, trajectories }: Pick<RolloutBuffer, 'steps' | 'trajectories'>,
  policyMask: ArrayLike<number> = new Uint8Array(steps.length).fill(1),
): Float64Array {
  const weights = new Float64Array(steps.length);
  const trained = trajectories.map((rows) => rows.filter((row) => policyMask[row])).filter((rows) => rows.length > 0);
  const count = trained.reduce((sum, rows) => sum + rows.length, 0);
  for (const rows of trained) {
    const tokens = rows.reduce((sum, row) => sum + steps[row]!.responseIds.length, 0);
    for (const row of rows) weights[row] = count / (trained.length * tokens);
  }
  return weights;
}
