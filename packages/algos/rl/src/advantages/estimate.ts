/** The advantage estimators of actor and critic, along the trajectories of a buffer. */
import type { ActorCriticConfig } from '../config/types.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { type Advantages, stepGae, storageGae } from './step-gae.js';

/** @param rewards [B]  @returns [B] each. */
export function estimateAdvantages(
  rewards: Float64Array,
  { steps, trajectories }: RolloutBuffer,
  options: ActorCriticConfig['advantage'],
): Advantages {
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  for (const rows of trajectories) {
    const column = (pick: (row: number) => number) => rows.map(pick);
    const trajectory: Trajectory = {
      rewards: column((row) => (steps[row]!.error ? neutralReward(steps[row]!, options) : rewards[row]!)),
      values: column((row) => steps[row]!.value),
      nextValues: column((row) => steps[row]!.nextValue),
      terminated: rows.map((row) => steps[row]!.terminated),
      truncated: rows.map((row) => steps[row]!.truncated),
    };
    const estimate = options.estimator === 'storage-gae' ? storedAdvantages : generalizedAdvantages;
    const one = estimate(trajectory, options);
    rows.forEach((row, step) => {
      advantages[row] = one.advantages[step]!;
      returns[row] = one.returns[step]!;
    });
  }
  return { advantages, returns };
}

/** The reward with which a step has an advantage of 0: one of a failed environment says nothing about its action. */
function neutralReward({ value, nextValue }: StepRecord, options: ActorCriticConfig['advantage']): number {
  const isCut = options.estimator === 'storage-gae' || options.truncationIsTerminal;
  return value - (isCut ? 0 : options.gamma * nextValue);
}

interface Trajectory {
  readonly rewards: readonly number[];
  readonly values: readonly number[];
  readonly nextValues: readonly number[];
  readonly terminated: readonly boolean[];
  readonly truncated: readonly boolean[];
}

function generalizedAdvantages(trajectory: Trajectory, options: ActorCriticConfig['advantage']): Advantages {
  return stepGae({ ...trajectory, environments: 1 }, options);
}

/** As the published rollout storages compute. */
function storedAdvantages(trajectory: Trajectory, options: ActorCriticConfig['advantage']): Advantages {
  const { rewards, values, nextValues, terminated, truncated } = trajectory;
  return storageGae(
    {
      rewards,
      values,
      bootstrap: nextValues.at(-1)!,
      notDone: terminated.map((end, step) => (end || truncated[step] ? 0 : 1)),
      ...(!options.truncationIsTerminal && { notTimeLimit: truncated.map((cut) => (cut ? 0 : 1)) }),
    },
    options,
  );
}
