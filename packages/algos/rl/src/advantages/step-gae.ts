/**
 * Generalized advantage estimation over environment steps: one value and one advantage per response.
 *
 * Rules: `docs/specs/algorithms.md` 3.2 and 15.9; arXiv 1506.02438, equation 16. Pinned by `test/golden/algos/gae.json`.
 */

export interface StepRewards {
  /** [T*N] step-major: entry `t * environments + n` is step t of environment n. */
  readonly rewards: ArrayLike<number>;
  /** [T*N] V(o_t). */
  readonly values: ArrayLike<number>;
  /** [T*N] value of the real successor: at a truncation that of the last observation before the reset. */
  readonly nextValues: ArrayLike<number>;
  /** [T*N] the task itself ended here: nothing lies beyond. */
  readonly terminated: ArrayLike<boolean | number>;
  /** [T*N] the episode was cut here: the successor's value counts, later rewards do not. */
  readonly truncated: ArrayLike<boolean | number>;
  /** N; default 1. */
  readonly environments?: number;
}

export interface GaeOptions {
  /** Discount per environment step, in [0, 1]. */
  readonly gamma: number;
  /** 0 gives the one-step error, 1 the Monte-Carlo return minus the value. */
  readonly lambda: number;
  /** Replication of RL4VLM: a time limit ends the task, so nothing is bootstrapped. */
  readonly truncationIsTerminal?: boolean | undefined;
}

export interface Advantages {
  /** Same layout as the rewards. */
  readonly advantages: Float64Array;
  /** Advantage plus value: the target of the critic. */
  readonly returns: Float64Array;
}

/**
 * δ_t = r_t + γ(1 − terminated)·V(o_{t+1}) − V(o_t);  A_t = δ_t + γλ·continues·A_{t+1};  R_t = A_t + V(o_t).
 *
 * @throws {RangeError} Lengths differ, or are no multiple of `environments`.
 */
export function stepGae(steps: StepRewards, { gamma, lambda, truncationIsTerminal = false }: GaeOptions): Advantages {
  const { rewards, values, nextValues, terminated, truncated, environments = 1 } = steps;
  const size = rewards.length;
  for (const other of [values, nextValues, terminated, truncated]) {
    if (other.length !== size) throw new RangeError(`stepGae: ${size} rewards but ${other.length} of another field`);
  }
  if (size % environments !== 0)
    throw new RangeError(`stepGae: ${size} steps do not fill ${environments} environments`);

  const advantages = new Float64Array(size);
  const returns = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    const ended = Boolean(terminated[i]) || (truncationIsTerminal && Boolean(truncated[i]));
    const continues = !ended && !truncated[i] && i + environments < size;
    const delta = rewards[i]! + (ended ? 0 : gamma * nextValues[i]!) - values[i]!;
    advantages[i] = delta + (continues ? gamma * lambda * advantages[i + environments]! : 0);
    returns[i] = advantages[i]! + values[i]!;
  }
  return { advantages, returns };
}

export interface StorageRewards {
  /** [T] one environment. */
  readonly rewards: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** Value after the last step. */
  readonly bootstrap: number;
  /** [T] 0 where an episode ended at this step, for any reason. */
  readonly notDone: ArrayLike<number>;
  /** [T] 0 where it ended by the time limit; given, such a step gets advantage 0 ("proper time limits"). */
  readonly notTimeLimit?: ArrayLike<number>;
}

/**
 * GAE as the rollout storage of RL4VLM and VL-DAC computes it, for replication: the successor's value is that of the
 * next row, so a time limit loses its bootstrap, or with `notTimeLimit` its whole advantage.
 */
export function storageGae(steps: StorageRewards, { gamma, lambda }: GaeOptions): Advantages {
  const { rewards, values, bootstrap, notDone, notTimeLimit } = steps;
  const size = rewards.length;
  const advantages = new Float64Array(size);
  const returns = new Float64Array(size);
  let next = 0;
  for (let i = size - 1; i >= 0; i--) {
    const nextValue = i + 1 < size ? values[i + 1]! : bootstrap;
    next = rewards[i]! + gamma * nextValue * notDone[i]! - values[i]! + gamma * lambda * notDone[i]! * next;
    if (notTimeLimit) next *= notTimeLimit[i]!;
    advantages[i] = next;
    returns[i] = next + values[i]!;
  }
  return { advantages, returns };
}
