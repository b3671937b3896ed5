/**
 * The state of an episode. A turn replaces the state object instead of changing it, so earlier states can be kept and
 * shared.
 */
import { type Info, type PromptContext, type ResetResult, type StepResult, type Turn, taskKeyOf } from '@vlgym/core';

export interface EpisodeState<Observation = unknown, Action = unknown, I extends Info = Info>
  extends PromptContext<Observation, Action, I> {
  readonly id: string;
  /** Arguments of the reset; without a seed the episode cannot be played again. */
  readonly seed: number | undefined;
  readonly options: Readonly<Record<string, unknown>> | undefined;
  /** The task of the episode: `info.taskKey` of the reset. */
  readonly taskKey: string | undefined;
  /** Undiscounted sum of rewards. */
  readonly return: number;
  /** Turns so far, those that left the environment alone included. */
  readonly stepIndex: number;
  /** Reward of the last turn; `null` after a reset. */
  readonly reward: number | null;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export const afterReset = <O, A, I extends Info>(
  { observation, info }: ResetResult<O, I>,
  given: Pick<EpisodeState<O, A, I>, 'id' | 'seed' | 'options'>,
): EpisodeState<O, A, I> => ({
  ...given,
  ...{ observation, info, history: [], return: 0, stepIndex: 0, reward: null, terminated: false, truncated: false },
  taskKey: taskKeyOf(info),
});

/**
 * @param limit  Turns after which the episode is cut: an environment does not see the turns without a step, so its own
 *   limit comes too late.
 */
export function afterTurn<O, A, I extends Info>(
  state: EpisodeState<O, A, I>,
  turn: Turn<O, A>,
  { observation, info, reward, terminated, truncated }: StepResult<O, I>,
  limit: number,
): EpisodeState<O, A, I> {
  const stepIndex = state.stepIndex + 1;
  return {
    ...state,
    ...{ observation, info, reward, stepIndex, terminated },
    truncated: truncated || (!terminated && stepIndex >= limit),
    history: [...state.history, turn],
    return: state.return + reward,
  };
}

/** How an episode ended. */
export interface EpisodeSummary {
  readonly id: string;
  /** -1 for a reset without a seed. */
  readonly seed: number;
  readonly taskKey?: string;
  /** Undiscounted sum of rewards. */
  readonly return: number;
  /** Turns. */
  readonly length: number;
  readonly success: boolean;
  /** `terminated`, `environment-error`, or what the environment gave in `info.truncationReason` or `terminationReason`. */
  readonly reason: string;
}

/** The default rule: the environment's own verdict; if it does not, a positive return counts as success. */
export const succeeds = ({ info, return: sum }: { readonly info: Info; readonly return: number }): boolean =>
  typeof info.success === 'boolean' ? info.success : sum > 0;

/** @param failure  The error that ended the episode; it then counts as a failure. */
export function summarize(state: EpisodeState, failure?: { readonly boundary: string } | undefined): EpisodeSummary {
  const { id, seed = -1, taskKey, return: sum, stepIndex: length, info, terminated } = state;
  const given = [info.truncationReason, info.terminationReason].find((entry) => typeof entry === 'string');
  const reason = given ?? (terminated ? 'terminated' : 'environment');
  return {
    id,
    seed,
    ...(taskKey !== undefined && { taskKey }),
    return: sum,
    length,
    success: !failure && succeeds(state),
    reason: failure?.boundary === 'environment' ? 'environment-error' : reason,
  };
}
