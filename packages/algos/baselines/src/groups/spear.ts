/**
 * SPEAR: GRPO that also imitates its own past successes, more and more, and stops rewarding mere activity.
 *
 *     L   = L_GRPO(new episodes) + γ_k·L_PPO(replayed episodes with A' > 0)
 *     γ_k = γ·(1 − cos(π·min(k / rise, 1))) / 2,     bonus_k = bonus·(1 + cos(π·min(k / decay, 1))) / 2
 *     A'  = R − median of the last means of groups, computed again in every update; the old policy is the one that played
 *
 * An episode with an advantage above the threshold is kept for a few updates. Tokens whose log-probability and advantage vary
 * together the most get no gradient, so that entropy does not collapse: of those with a covariance in a range, at most a
 * share of all tokens, the largest first, where the published code draws them at random and for each mini-batch. The
 * published bonus is for calls of tools; here it is for the share of steps with a legal action. Source: "Learn the Ropes,
 * Then Trust the Wins: Self-imitation with Progressive Exploration for Agentic Reinforcement Learning", arXiv 2509.22601;
 * `docs/specs/algorithms.md` 9.9.
 */
import { defineAlgorithm, type RolloutBuffer, type Run, type StepRecord } from '@vlgym/rl';
import {
  groupAdvantage,
  membersOf,
  moments,
  onEveryStep,
  targetsFrom,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from '@vlgym/rl/advantages';
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { type ClipBounds, clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { type Actor, LossBatch, type MiniBatch, miniBatches, optimize, reduceLoss } from '@vlgym/rl/update';
import { z } from 'zod';
import { SuccessReplay } from './spear-replay.js';

const amount = z.number().nonnegative();
const count = z.number().int().positive();

const options = z.strictObject({
  ...groupAlgorithmOptions,
  replay: optionGroup({
    coefficient: amount.default(1).describe('weight of the replayed episodes in the end, γ'),
    rise: count.default(200).describe('updates in which that weight rises from 0'),
    capacity: count.default(2048).describe('episodes kept'),
    maxAge: count.default(10).describe('updates that an episode is kept for'),
    means: count.default(10_240).describe('means of groups whose median replayed returns are held against'),
    threshold: z.number().default(0).describe('an episode with a larger advantage is kept'),
  }),
  exploration: optionGroup({
    bonus: amount.default(0.1).describe('reward of an episode of legal actions at first, in units of reward.scale'),
    decay: count.default(100).describe('updates in which that bonus falls to 0'),
  }),
  covariance: optionGroup({
    share: z.number().min(0).max(1).default(0.02).describe('share of the tokens that get no gradient at most'),
    low: z.number().default(1).describe('smallest covariance of log-probability and advantage of such a token'),
    high: z.number().default(40).describe('largest covariance of such a token'),
  }),
});

type SpearRun = Run<z.output<typeof options>, SuccessReplay>;

/** [B, L] */
const ppoActor: Actor<ClipBounds> = ({ logProbs }, { oldLogProbs, advantages: A }, bounds) => {
  const ratio = ratioOf(logProbs, oldLogProbs);
  const clipped = clipRatio(ratio, bounds);
  return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
};

export const spear = defineAlgorithm({
  name: 'spear',
  title: 'SPEAR',
  source: 'arXiv 2509.22601',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.28, aggregation: 'token_mean' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },
  open: ({ config: { replay } }) => new SuccessReplay(replay),

  async update(run) {
    const { config, collector, metrics, policy, rng, state, updateIndex } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
    await metrics.timed('score', () => rescore(run, buffer));

    const returns = returnsWithBonus(run, buffer);
    const groups = trajectoryGroups(buffer);
    const group = groupAdvantage(returns, groups, { kind: 'mean-std' });
    metrics.set('group/uniform-share', uniformShare(group));
    const targets = targetsFrom(buffer, onEveryStep(buffer, group.advantages), config, metrics);
    const isFree = freeTokens(buffer.steps, targets.advantages as Float64Array, config.covariance);

    state.prune(updateIndex);
    const { buffer: replayed, advantages } = state.better(buffer.sampler);
    const coefficient = config.replay.coefficient * risen(updateIndex / config.replay.rise);
    const batches = endless(() =>
      miniBatches(replayed, { advantages, policyMask: new Uint8Array(advantages.length).fill(1) }, config, rng),
    );
    metrics.setAll({ 'replay/episodes': state.size, 'replay/coefficient': coefficient });
    /** One batch of replayed steps for each of new ones. */
    const imitate = async () => {
      if (coefficient === 0 || advantages.length === 0) return;
      for (const batch of batches.next().value!.microBatches) {
        const { sequences } = batch;
        const loss = (outputs: Parameters<typeof ppoActor>[0]) => {
          const actor = ppoActor(outputs, new LossBatch(batch, outputs.logProbs), config.loss);
          const mean = reduceLoss(actor.loss, batch, { averaging: config.loss, corrected: true });
          metrics.part('loss/replay', mean.detach().item(), batch.share);
          return mean.mul(coefficient);
        };
        await policy.accumulate(sequences, loss, { temperature: config.loss.temperature });
      }
    };
    await optimize(
      run,
      buffer,
      targets,
      {
        actor: (outputs, batch) => {
          const actor = ppoActor(outputs, batch, config.loss);
          return { ...actor, loss: actor.loss.mul(batch.like.newTensor(isFree(batch), actor.loss.shape)) };
        },
        regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
        averaging: config.loss,
      },
      { beforeStep: imitate },
    );
    keepSuccesses(run, buffer, group.advantages);
    return buffer;
  },
});

/** From 0 to 1 along half a cosine. */
const risen = (share: number): number => (1 - Math.cos(Math.PI * Math.min(share, 1))) / 2;

function returnsWithBonus({ config, updateIndex, metrics }: SpearRun, buffer: RolloutBuffer): Float64Array {
  const bonus = config.exploration.bonus * (1 - risen(updateIndex / config.exploration.decay));
  metrics.set('exploration/bonus', bonus);
  const returns = trajectoryReturns(buffer, config.reward.scale);
  return returns.map((sum, episode) => {
    const rows = buffer.trajectories[episode]!;
    return sum + (bonus * rows.filter((row) => buffer.steps[row]!.parsed.legal).length) / rows.length;
  });
}

/** Returns, and the means that they are held against, are kept without the bonus: it rewards activity and not success. */
export function keepSuccesses(
  { config, state, updateIndex }: Pick<SpearRun, 'config' | 'state' | 'updateIndex'>,
  buffer: RolloutBuffer,
  advantages: Float64Array,
): void {
  const { steps, trajectories } = buffer;
  const own = trajectoryReturns(buffer, config.reward.scale);
  for (const members of membersOf(trajectoryGroups(buffer)).values()) {
    state.addMeans([members.reduce((sum, each) => sum + own[each]!, 0) / members.length]);
  }
  for (const [episode, rows] of trajectories.entries()) {
    if (advantages[episode]! <= config.replay.threshold) continue;
    const played = rows.map((row) => steps[row]!);
    if (played.some(({ fallback, error }) => fallback || error)) continue;
    state.addEpisode(played, own[episode]!, updateIndex);
  }
}

/**
 * Clip-cov over a buffer: (log π − mean)·(A − mean) of every token before the update.
 *
 * @returns for a micro-batch [B*L] 0 on tokens that get no gradient.
 */
export function freeTokens(
  steps: readonly Pick<StepRecord, 'oldLogProbs'>[],
  advantages: Float64Array,
  { share, low, high }: { readonly share: number; readonly low: number; readonly high: number },
): (batch: LossBatch) => Float32Array {
  const flat = steps.flatMap(({ oldLogProbs }) => [...oldLogProbs!]);
  const meanLogProb = moments(flat).mean;
  const meanAdvantage = moments(
    steps.flatMap(({ oldLogProbs }, row) => Array(oldLogProbs!.length).fill(advantages[row]!)),
  ).mean;
  const found = steps.flatMap((step, row) =>
    Array.from(step.oldLogProbs!, (logProb, token) => ({
      step,
      token,
      covariance: (logProb - meanLogProb) * (advantages[row]! - meanAdvantage),
    })),
  );
  const cut = found
    .filter(({ covariance }) => covariance >= low && covariance <= high)
    .sort((a, b) => b.covariance - a.covariance)
    .slice(0, Math.floor(share * flat.length));
  const tokensOf = new Map<object, number[]>();
  for (const { step, token } of cut) tokensOf.set(step, [...(tokensOf.get(step) ?? []), token]);
  return ({ data: { steps: rows, length } }) => {
    const mask = new Float32Array(rows.length * length).fill(1);
    for (const [row, step] of rows.entries())
      for (const token of tokensOf.get(step) ?? []) mask[row * length + token] = 0;
    return mask;
  };
}

/** Begins again and again. */
function* endless(begin: () => Iterable<MiniBatch>): Generator<MiniBatch, undefined> {
  while (true) yield* begin();
}
