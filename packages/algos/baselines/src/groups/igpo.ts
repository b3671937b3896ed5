/**
 * IGPO: every turn is rewarded with what it adds to the probability of the right answer.
 *
 *     r_t = p(answer | o_{t+1}) − p(answer | o_t),   p = exp(mean over the answer's tokens of log π_θ),   r_T = return of the episode
 *     A_t = Σ_{k ≥ t} γ^(k − t)·(r_k − mean of the group) / (standard deviation of the group + 1e-6)
 *     L   = mean over steps of mean over tokens of max(−ρ_l·A_t, −clip(ρ_l, 1 − ε, 1 + ε)·A_t) + β · KL(π_θ ‖ π_reference)
 *
 * Mean and deviation are over the rewards of all turns of all episodes of a group. The environment says what the right answer
 * is: `info.goldAnswer`, a whole response in the format that is asked for. It has to be known from the start and to stay the
 * same, so this is for questions and not for free control. Source: "Information Gain-based Policy Optimization: A Simple and
 * Effective Approach for Multi-Turn LLM Agents", arXiv 2510.14967; `docs/specs/algorithms.md` 9.9.
 */
import { GymError } from '@vlgym/core';
import { defineAlgorithm, type RolloutBuffer, type Run } from '@vlgym/rl';
import { membersOf, moments, targetsFrom, trajectoryGroups, trajectoryReturns } from '@vlgym/rl/advantages';
import { groupAlgorithmOptions, optionGroup, taskOption } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { type RunningTurn, rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...groupAlgorithmOptions,
  advantage: optionGroup({
    gamma: taskOption(z.number().min(0).max(1).default(1).describe('discount per turn, γ')),
    scale: z.enum(['std', 'none']).default('std').describe('divide by the standard deviation of the group, or not'),
  }),
});

/** The environment does not say what the right answer is. */
class NoGoldAnswerError extends GymError {
  constructor(environment: string, value: unknown) {
    super(`The environment ${environment} names no right answer.`, {
      code: 'NO_GOLD_ANSWER',
      value,
      expected: 'a text in `info.goldAnswer`',
      hint: 'let the environment name it, or train with grpo',
    });
  }
}

const goldAnswerOf = ({ episode: { env, state } }: RunningTurn) => {
  const { goldAnswer } = state.info;
  if (typeof goldAnswer === 'string' && goldAnswer !== '') return { note: goldAnswer };
  throw new NoGoldAnswerError(env.spec?.id ?? env.unwrapped.constructor.name, goldAnswer);
};

export const igpo = defineAlgorithm({
  name: 'igpo',
  title: 'IGPO',
  source: 'arXiv 2510.14967',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'seq_mean_token_mean' },
    regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.001 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, collector, metrics } = run;
    const onTurn = (turns: readonly RunningTurn[]) => turns.map(goldAnswerOf);
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size, hooks: { onTurn } });
    await metrics.timed('score', () => rescore(run, buffer));

    const certainty = await metrics.timed('score', () => certaintyOfAnswer(run, buffer));
    const returns = trajectoryReturns(buffer, config.reward.scale);
    const rewards = informationGains(buffer.trajectories, certainty, returns);
    metrics.set('gain/answer-probability', moments(certainty).mean);
    const advantages = turnAdvantages(rewards, buffer.trajectories, trajectoryGroups(buffer), config.advantage);
    const targets = targetsFrom(buffer, advantages, config, metrics);

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

/** [B] p(answer | o_t): of the tokens of the answer, without the one that ends the response. */
async function certaintyOfAnswer({ policy, config }: Run<z.output<typeof options>>, { steps }: RolloutBuffer) {
  const sequences = steps.map(({ input, note }) => {
    const { ids } = policy.encodeResponse(note as string);
    return { input, responseIds: ids.length > 1 ? ids.slice(0, -1) : ids };
  });
  const { logProbs } = await policy.score(sequences, { temperature: config.loss.temperature, entropies: false });
  return Float64Array.from(logProbs, (each) => Math.exp(moments(each).mean));
}

type Trajectories = RolloutBuffer['trajectories'];

/** [B] r_t. @param certainty [B] p(answer | o_t)  @param returns [M] */
export function informationGains(
  trajectories: Trajectories,
  certainty: ArrayLike<number>,
  returns: ArrayLike<number>,
): Float64Array {
  const rewards = new Float64Array(certainty.length);
  trajectories.forEach((rows, episode) => {
    rows.forEach((row, t) => {
      const next = rows[t + 1];
      rewards[row] = next === undefined ? returns[episode]! : certainty[next]! - certainty[row]!;
    });
  });
  return rewards;
}

/** [B] A_t. @param rewards [B]  @param groups [M] */
export function turnAdvantages(
  rewards: ArrayLike<number>,
  trajectories: Trajectories,
  groups: ArrayLike<number>,
  { gamma, scale }: { readonly gamma: number; readonly scale: 'std' | 'none' },
): Float64Array {
  const advantages = new Float64Array(rewards.length);
  for (const episodes of membersOf(groups).values()) {
    const { mean, sampleStd } = moments(episodes.flatMap((each) => trajectories[each]!.map((row) => rewards[row]!)));
    for (const episode of episodes) {
      let later = 0;
      for (const row of trajectories[episode]!.toReversed()) {
        later = (rewards[row]! - mean) / (scale === 'std' ? sampleStd + 1e-6 : 1) + gamma * later;
        advantages[row] = later;
      }
    }
  }
  return advantages;
}
