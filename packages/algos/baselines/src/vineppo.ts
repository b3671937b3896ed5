/**
 * VinePPO: the value of every state is the mean return of episodes that are continued from it, in place of a critic's guess.
 *
 *     V(s_t) = mean over K forks of s_t of their discounted return from there
 *     A_t    = r_t + γ·V(s_{t+1}) − V(s_t), and V = 0 where the episode is over
 *     L      = mean over steps of mean over tokens of max(−ρ_l·A_t, −clip(ρ_l, 1 − ε, 1 + ε)·A_t) + β · KL(π_θ ‖ π_reference)
 *
 * A fork is another episode in the same state, sampled from the same policy; it estimates and is not learned from. Published
 * for steps of a proof in one response; here a step is a turn. A time limit is the end of an episode and of its forks alike,
 * so nothing is bootstrapped. Source: "VinePPO: Refining Credit Assignment in RL Training of LLMs", arXiv 2410.01679,
 * equations 7 and 8. The default values were not compared with the paper's.
 */
import { defineAlgorithm, type RolloutBuffer, type StepRecord } from '@vlgym/rl';
import { normalize, targetsFrom } from '@vlgym/rl/advantages';
import { commonOptions, optionGroup, regularizerOptions, taskOption, tokenLossOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { type RunningTurn, rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...commonOptions,
  advantage: optionGroup({
    forks: z.number().int().positive().default(9).describe('episodes that are continued from every state, K'),
    gamma: taskOption(z.number().min(0).max(1).default(1).describe('discount per environment step, γ')),
    normalize: z
      .enum(['buffer', 'none'])
      .default('buffer')
      .describe('normalize advantages over the whole buffer, or not at all'),
  }),
  loss: tokenLossOptions,
  regularizer: regularizerOptions,
});

export const vinePpo = defineAlgorithm({
  name: 'vineppo',
  title: 'VinePPO',
  source: 'arXiv 2410.01679',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2 },
    regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 1e-4 },
    optimizer: { epochs: 2, batch: 64, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, collector, metrics } = run;
    const { forks, gamma, normalize: scope } = config.advantage;
    const onTurn = (turns: readonly RunningTurn[]) => turns.map(() => ({ forks }));
    const buffer = await collector.collectEpisodes({ ...run, groupSize: 1, hooks: { onTurn } });
    await metrics.timed('score', () => rescore(run, buffer));

    const raw = vineAdvantages(buffer, { gamma, scale: config.reward.scale });
    metrics.set(
      'vine/fork-steps',
      buffer.forks!.reduce((sum, { steps }) => sum + steps.length, 0),
    );
    // the outcome of a random action is not evidence about the actions that the agent chose
    const isKept = config.rollout.fallbackLoss === 'keep';
    const mask = buffer.steps.map(({ fallback }) => isKept || !fallback);
    const targets = targetsFrom(buffer, scope === 'buffer' ? normalize(raw, { mask }) : raw, config, metrics);

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

/** [B] A_t of every step, in units of `scale`, from the forks that begin in its state. */
export function vineAdvantages(
  { steps, trajectories, forks = [] }: Pick<RolloutBuffer, 'steps' | 'trajectories' | 'forks'>,
  { gamma, scale }: { readonly gamma: number; readonly scale: number },
): Float64Array {
  const rewardOf = ({ reward }: StepRecord) => (reward.environment + reward.format) / scale;
  const keyOf = (episode: string, stepIndex: number) => `${episode} ${stepIndex}`;
  const returns = new Map<string, number[]>();
  for (const { parent, at, steps: played } of forks) {
    const key = keyOf(parent, at);
    const sum = played.reduceRight((later, step) => rewardOf(step) + gamma * later, 0);
    returns.set(key, [...(returns.get(key) ?? []), sum]);
  }
  const valueAt = ({ episodeId, stepIndex }: StepRecord) => {
    const own = returns.get(keyOf(episodeId, stepIndex))!;
    return own.reduce((sum, each) => sum + each, 0) / own.length;
  };
  const advantages = new Float64Array(steps.length);
  for (const rows of trajectories) {
    const values = [...rows.map((row) => valueAt(steps[row]!)), 0];
    rows.forEach((row, t) => {
      advantages[row] = rewardOf(steps[row]!) + gamma * values[t + 1]! - values[t]!;
    });
  }
  return advantages;
}
