/**
 * PPO on tokens: every token is an action, with its own value and advantage.
 *
 *     δ_l = r_l + γ·V_{l+1} − V_l,   A_l = δ_l + γλ·A_{l+1},   R_l = A_l + V_l
 *     L   = mean over tokens of max(−ρ_l·A_l, −clip(ρ_l, 1 − ε, 1 + ε)·A_l) + c · ½·mean (V_l − R_l)²
 *
 * The reward of a step is assigned to the last token of its response; environment tokens are skipped. With a dual clip
 * c, a token with A_l < 0 loses at most −c·A_l. Sources: "Proximal Policy Optimization Algorithms", arXiv 1707.06347,
 * equation 7; generalized advantage estimation, arXiv 1506.02438, equation 16; the dual clip, arXiv 1912.09729;
 * `docs/specs/algorithms.md` 9.5. Pinned by `test/golden/algos/token_ppo.json` and `gae_multilevel.json`.
 */
import { defineAlgorithm, type RolloutBuffer, type Run } from '@vlgym/rl';
import {
  type Advantages,
  alongEpisodes,
  normalizeTokens,
  type Targets,
  targetsFrom,
  tokenRewards,
} from '@vlgym/rl/advantages';
import {
  type CommonConfig,
  commonOptions,
  criticOptions,
  optionGroup,
  regularizerOptions,
  taskOption,
  tokenLossShape,
} from '@vlgym/rl/config';
import { type ClipBounds, clipRatio, max, ratioOf, regularize, valueLoss } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { type Actor, optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const share = z.number().min(0).max(1);

const options = z.strictObject({
  ...commonOptions,
  advantage: optionGroup({
    gamma: taskOption(share.default(1).describe('discount per token, γ')),
    lambda: share.default(1).describe('decay of generalized advantage estimation per token, λ'),
  }),
  value: criticOptions,
  regularizer: regularizerOptions,
  loss: optionGroup({
    ...tokenLossShape,
    dualClip: z
      .number()
      .gt(1)
      .nullable()
      .default(null)
      .describe('bounds the loss of a token with a negative advantage A by −dualClip·A'),
  }),
});

/** [B, L] */
export const ppoTokenActor: Actor<ClipBounds & { readonly dualClip: number | null }> = (
  { logProbs },
  { oldLogProbs, advantages: A },
  { dualClip, ...bounds },
) => {
  const ratio = ratioOf(logProbs, oldLogProbs);
  const clipped = clipRatio(ratio, bounds);
  const loss = max(ratio.mul(A).neg(), clipped.mul(A).neg());
  // where A ≥ 0 the loss is at most 0, so the bound has no effect
  return { loss: dualClip === null ? loss : loss.minimum(A.abs().mul(dualClip)), ratio, clipped };
};

export const ppoToken = defineAlgorithm({
  name: 'ppo-token',
  title: 'PPO on tokens',
  source: 'arXiv 1707.06347',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'token_mean' },
    // a critic of tokens reads hidden states that are not kept, so it is trained in the epochs of the policy
    value: { epochs: null },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { loss, regularizer, value } = run.config;
    const { buffer, targets } = await playTokens(run, (tokens) => tokenGae(tokens, run.config.advantage));
    await optimize(run, buffer, targets, {
      actor: (outputs, batch) => ppoTokenActor(outputs, batch, loss),
      critic: ({ tokenValues }, batch) => valueLoss(tokenValues, batch, value.clip),
      regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
      averaging: loss,
    });
    return buffer;
  },
});

/** Plays and scores steps. @param estimate  Gives the advantages and returns of the tokens of an episode. */
export async function playTokens(
  run: Run<CommonConfig>,
  estimate: Parameters<typeof alongEpisodes>[2],
): Promise<{ readonly buffer: RolloutBuffer; readonly targets: Targets }> {
  const { config, collector, metrics } = run;
  const buffer = await collector.collectSteps(run);
  await metrics.timed('score', () => rescore(run, buffer, { tokenValues: true }));
  const { advantages, returns } = alongEpisodes(buffer, tokenRewards(buffer), estimate);
  const normalized = normalizeTokens(buffer, advantages, config);
  return { buffer, targets: targetsFrom(buffer, normalized, config, metrics, returns) };
}

export interface TokenRewards {
  /** [L] */
  readonly rewards: ArrayLike<number>;
  /** [L] */
  readonly values: ArrayLike<number>;
  /** [L] 1 on tokens that the model wrote; all of them by default. */
  readonly mask?: ArrayLike<number>;
  /** Value after the last token; default 0. */
  readonly nextValue?: number;
}

/** GAE over the tokens that the model wrote; advantage and return are 0 elsewhere. */
export function tokenGae(
  { rewards, values, mask, nextValue = 0 }: TokenRewards,
  { gamma, lambda }: { readonly gamma: number; readonly lambda: number },
): Advantages {
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  let [value, advantage] = [nextValue, 0];
  for (let l = rewards.length - 1; l >= 0; l--) {
    if (mask && !mask[l]) continue;
    advantage = rewards[l]! + gamma * value - values[l]! + gamma * lambda * advantage;
    value = values[l]!;
    advantages[l] = advantage;
    returns[l] = advantage + value;
  }
  return { advantages, returns };
}
