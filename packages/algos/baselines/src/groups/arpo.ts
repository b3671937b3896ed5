/**
 * ARPO: episodes branch where the agent is less certain than it was at the start, and what branches share is judged by all.
 *
 *     a turn of an episode gets one more branch if u ≤ p + w·(H_t − H_0) / log V,   u uniform, until the group's budget is used up
 *     A_k = (R_k − mean of the group) / (standard deviation of the group + 1e-6), branches included
 *     L   = GRPO's, where a step that several episodes share has the mean of their advantages
 *
 * H_t is the uncertainty about the first tokens of the answer at turn t, H_0 that of the first turns of the group. It is
 * estimated by −log π of the sampled tokens, which needs no other pass over the model; the published code takes the entropy
 * of the likeliest tokens. Where processes share a group, each has the whole budget. Source: "Agentic Reinforced Policy
 * Optimization", arXiv 2507.19849; `docs/specs/algorithms.md` 9.9.
 */
import { createHash } from 'node:crypto';
import { Generator } from '@vlgym/core';
import { defineAlgorithm, type RolloutBuffer, type Run } from '@vlgym/rl';
import { groupAdvantage, targetsFrom, trajectoryGroups, trajectoryReturns, uniformShare } from '@vlgym/rl/advantages';
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { type RunningTurn, rescore, type TurnOrders } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...groupAlgorithmOptions,
  branching: optionGroup({
    budget: z
      .number()
      .int()
      .nonnegative()
      .default(8)
      .describe('branches of one group, besides its group.size episodes'),
    probability: z.number().min(0).max(1).default(0.5).describe('probability of a branch where nothing has changed, p'),
    weight: z.number().nonnegative().default(0.2).describe('weight of the rise of uncertainty, w'),
    tokens: z.number().int().positive().default(20).describe('tokens at the beginning of an answer that measure it'),
  }),
});

type ArpoRun = Run<z.output<typeof options>>;

export const arpo = defineAlgorithm({
  name: 'arpo',
  title: 'ARPO',
  source: 'arXiv 2507.19849',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, collector, metrics } = run;
    const hooks = { onTurn: branchRule(run), joinForks: true };
    const collected = await collector.collectEpisodes({ ...run, groupSize: config.group.size, hooks });
    const buffer = withBranches(collected);
    await metrics.timed('score', () => rescore(run, buffer));

    const returns = trajectoryReturns(buffer, config.reward.scale);
    const group = groupAdvantage(returns, trajectoryGroups(buffer), { kind: 'mean-std' });
    metrics.setAll({
      'group/uniform-share': uniformShare(group),
      'branching/branches': collected.forks?.length ?? 0,
    });
    const targets = targetsFrom(buffer, sharedAdvantages(buffer, group.advantages), config, metrics);

    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
      averaging: config.loss,
    });
    return buffer;
  },
});

/** Says for each turn whether it branches. */
function branchRule({ config: { branching }, policy, rng }: ArpoRun): (turns: readonly RunningTurn[]) => TurnOrders[] {
  const { budget, probability, weight, tokens } = branching;
  // drawn once: processes that share a run play different turns and must stay with equal generators
  const base = rng.integers(0, 2 ** 31);
  const first = new Map<number, { sum: number; count: number }>();
  const branches = new Map<number, number>();
  return (turns) =>
    turns.map(({ episode: { state }, response, group = 0 }) => {
      const uncertainty = surprise(response.behaviorLogProbs, tokens) / Math.log(policy.vocabularySize);
      if (state.stepIndex === 0) {
        const { sum, count } = first.get(group) ?? { sum: 0, count: 0 };
        first.set(group, { sum: sum + uncertainty, count: count + 1 });
        return {};
      }
      const used = branches.get(group) ?? 0;
      const { sum, count } = first.get(group)!;
      const rise = uncertainty - sum / count;
      const branch = used < budget && uniform(`${base} ${state.id} ${state.stepIndex}`) <= probability + weight * rise;
      if (branch) branches.set(group, used + 1);
      return { forks: branch ? 1 : 0 };
    });
}

/** Mean −log π of the first tokens, nats. */
function surprise(logProbs: Float32Array, tokens: number): number {
  const beginning = logProbs.subarray(0, tokens);
  return -beginning.reduce((sum, each) => sum + each, 0) / Math.max(1, beginning.length);
}

const uniform = (key: string): number =>
  new Generator(createHash('sha256').update(key).digest().readUInt32LE()).random();

/** Forks as episodes of the buffer: their rows are those that they share with their origin, then their own. */
export function withBranches({ steps, trajectories, episodes, forks = [], ...rest }: RolloutBuffer): RolloutBuffer {
  const all = [...steps];
  const rowsOf = new Map(trajectories.map((rows) => [steps[rows[0]!]!.episodeId, rows]));
  const waiting = [...forks];
  const branches: (readonly number[])[] = [];
  while (waiting.length > 0) {
    const fork = waiting.shift()!;
    const origin = rowsOf.get(fork.parent);
    if (!origin) {
      // a fork of a fork that comes later
      waiting.push(fork);
      continue;
    }
    const shared = origin.filter((row) => all[row]!.stepIndex < fork.at);
    const rows = [...shared, ...fork.steps.map((_, index) => all.length + index)];
    all.push(...fork.steps);
    rowsOf.set(fork.steps[0]!.episodeId, rows);
    branches.push(rows);
  }
  return {
    ...rest,
    steps: all,
    trajectories: [...trajectories, ...branches],
    episodes: [...episodes, ...forks.map(({ summary }) => summary)],
  };
}

/** [B] the mean of the advantages of all episodes that a step is part of. @param advantages [M] */
export function sharedAdvantages(
  { steps, trajectories }: Pick<RolloutBuffer, 'steps' | 'trajectories'>,
  advantages: ArrayLike<number>,
): Float64Array {
  const sums = new Float64Array(steps.length);
  const counts = new Float64Array(steps.length);
  trajectories.forEach((rows, episode) => {
    for (const row of rows) {
      sums[row]! += advantages[episode]!;
      counts[row]! += 1;
    }
  });
  return sums.map((sum, row) => sum / counts[row]!);
}
