/**
 * earlyTruncation: ends an episode by rule when it can no longer be worth playing on.
 *
 * The published rules of GTR and GTR-Turbo: Points24 ends at a reward of -1; ALFWorld ends after more than 40 actions or
 * five equal ones in a row, with reward -3. Results with and without do not compare. By default the end counts as
 * terminated (no value beyond it), because the rule depends on the agent's fault and not on a clock.
 */
import { z } from 'zod';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import { EpisodeOverError } from '../errors.js';
import { encodedBy, parseState } from '../snapshot.js';
import { chain } from './chain.js';
import { Wrapper } from './wrapper.js';

export interface EarlyTruncationOptions {
  /** Ends at one of these rewards; reason `reward`. */
  readonly rewards?: readonly number[];
  /** Ends when the last n actions are equal; reason `repeated-action`. */
  readonly repeatedActions?: number;
  /** Ends when more than n actions were taken; reason `too-many-actions`. */
  readonly moreThanActions?: number;
  /** Any other rule: gives the reason, or `undefined` to play on. */
  readonly rule?: (step: StepResult<unknown>, actions: readonly unknown[]) => string | undefined;
  /** Reward of the last step in place of its own. */
  readonly reward?: number;
  readonly as?: 'terminated' | 'truncated';
}

/** Longest episode that can be restored. */
const MAX_ACTIONS = 1_000_000;

const SAVED_STATE = z.strictObject({ over: z.boolean(), actions: z.array(z.unknown()).max(MAX_ACTIONS) });
type SavedState = z.output<typeof SAVED_STATE>;

export class EarlyTruncation<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #options: EarlyTruncationOptions;
  /** Actions of this episode, encoded by the action space. */
  #actions: readonly unknown[] = [];
  #over = false;

  constructor(env: Env<Observation, Action, I>, options: EarlyTruncationOptions) {
    super(env);
    this.#options = options;
  }

  override get wrapperSpec() {
    return { name: 'earlyTruncation', options: { ...this.#options } };
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return chain(this.env.reset(options), (result) => {
      this.#actions = [];
      this.#over = false;
      return result;
    });
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    if (this.#over) throw new EpisodeOverError();
    return chain(this.env.step(action), (result) => {
      this.#actions = [...this.#actions, this.actionSpace.encode(action)];
      if (result.terminated || result.truncated) return result;
      const truncationReason = this.#reasonToEnd(result);
      if (truncationReason === undefined) return result;
      this.#over = true;
      const { reward = result.reward, as = 'terminated' } = this.#options;
      return { ...result, reward, [as]: true, info: { ...result.info, truncationReason } };
    });
  }

  protected override saveState(): unknown {
    return { over: this.#over, actions: [...this.#actions] };
  }

  protected override parseState(state: unknown): SavedState {
    const saved = parseState(state, this.snapshotKind, SAVED_STATE);
    const space = encodedBy(this.actionSpace);
    saved.actions.forEach((action) => {
      parseState(action, this.snapshotKind, space);
    });
    return saved;
  }

  protected override loadState({ over, actions }: SavedState): void {
    this.#over = over;
    this.#actions = actions;
  }

  #reasonToEnd(result: StepResult<unknown>): string | undefined {
    const { rewards, repeatedActions, moreThanActions, rule } = this.#options;
    if (rewards?.includes(result.reward)) return 'reward';
    if (moreThanActions !== undefined && this.#actions.length > moreThanActions) return 'too-many-actions';
    if (repeatedActions !== undefined && this.#actions.length >= repeatedActions) {
      const [first, ...others] = this.#actions.slice(-repeatedActions).map((action) => JSON.stringify(action));
      if (others.every((action) => action === first)) return 'repeated-action';
    }
    return rule?.(result, this.#actions);
  }
}

/**
 * Ends an episode by rule; `info.truncationReason` names it.
 *
 * @example
 * env.pipe(earlyTruncation({ rewards: [-1] })); // Points24 of GTR-Turbo
 * env.pipe(earlyTruncation({ moreThanActions: 40, repeatedActions: 5, reward: -3 })); // ALFWorld
 */
export function earlyTruncation(options: EarlyTruncationOptions) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new EarlyTruncation(env, options);
}
