/**
 * earlyEnd: ends an episode by a rule.
 *
 * The published rules of GTR and GTR-Turbo: Points24 ends at a reward of -1; ALFWorld ends after more than 40 actions or
 * five equal ones in a row, with reward -3. Results with and without such rules are not comparable. By default the end
 * counts as terminated (the value of the next state is 0), because the rules are about errors of the agent, not about time.
 */
import { z } from 'zod';
import { chain } from '../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import { EpisodeOverError } from '../errors.js';
import { checkedInteger, checkedOneOf, checkNames, InvalidOptionError, names } from '../options.js';
import { encodedBy, parseState } from '../snapshot.js';
import type { TruncationReason } from '../truncation.js';
import { Wrapper } from './wrapper.js';

export interface EarlyEndOptions {
  /** Ends at one of these finite rewards; rule `reward`. */
  readonly rewards?: readonly number[] | undefined;
  /** Ends when the last n actions are equal, n at least 1; rule `repeated-action`. */
  readonly repeatedActions?: number | undefined;
  /** Ends when more than n actions were taken, n at least 0; rule `too-many-actions`. */
  readonly moreThanActions?: number | undefined;
  /** Any other rule: returns its name to end the episode, or `undefined` to continue. */
  readonly rule?: ((step: StepResult<unknown>, actions: readonly unknown[]) => string | undefined) | undefined;
  /** Replaces the reward of the last step; finite. */
  readonly reward?: number | undefined;
  /** How the end counts; default `terminated`. */
  readonly as?: 'terminated' | 'truncated' | undefined;
}

/** Maximum length of an episode that can be restored. */
const MAX_ACTIONS = 1_000_000;

const RULE: TruncationReason = 'rule';

const SAVED_STATE = z.strictObject({ over: z.boolean(), actions: z.array(z.unknown()).max(MAX_ACTIONS) });
type SavedState = z.output<typeof SAVED_STATE>;

const EARLY_END_OPTIONS = names<EarlyEndOptions>({
  rewards: 0,
  repeatedActions: 0,
  moreThanActions: 0,
  rule: 0,
  reward: 0,
  as: 0,
});

export class EarlyEnd<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #options: EarlyEndOptions;
  /** Actions of this episode, encoded by the action space. */
  #actions: readonly unknown[] = [];
  #over = false;

  /** @throws {InvalidOptionError} */
  constructor(env: Env<Observation, Action, I>, options: EarlyEndOptions) {
    checkNames('options', options, EARLY_END_OPTIONS);
    checkValues(options);
    super(env);
    this.#options = options;
  }

  override get wrapperSpec() {
    return { name: 'earlyEnd', options: { ...this.#options } };
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
      const rule = this.#ruleToEnd(result);
      if (rule === undefined) return result;
      this.#over = true;
      const { reward = result.reward, as = 'terminated' } = this.#options;
      const reason = as === 'terminated' ? { terminationReason: rule } : { truncationReason: RULE, rule };
      return { ...result, reward, [as]: true, info: { ...result.info, ...reason } };
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

  #ruleToEnd(result: StepResult<unknown>): string | undefined {
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

function checkValues(options: EarlyEndOptions): void {
  if (options === undefined) throw new InvalidOptionError('options', options, 'an object with a rule');
  const { rewards = [], repeatedActions = 1, moreThanActions = 0, rule, reward = 0, as = 'terminated' } = options;
  if (!(Array.isArray(rewards) && rewards.every(Number.isFinite))) {
    throw new InvalidOptionError('rewards', rewards, 'a list of finite numbers');
  }
  checkedInteger('repeatedActions', repeatedActions, 1);
  checkedInteger('moreThanActions', moreThanActions, 0);
  if (rule !== undefined && typeof rule !== 'function') throw new InvalidOptionError('rule', rule, 'a function');
  if (!Number.isFinite(reward)) throw new InvalidOptionError('reward', reward, 'a finite number');
  checkedOneOf('as', as, ['terminated', 'truncated']);
}

/**
 * Ends an episode by a rule. `info.terminationReason` names the rule; with `as: 'truncated'`, `info.truncationReason` is
 * `rule` and `info.rule` names it.
 *
 * @example
 * env.pipe(earlyEnd({ rewards: [-1] })); // Points24 of GTR-Turbo
 * env.pipe(earlyEnd({ moreThanActions: 40, repeatedActions: 5, reward: -3 })); // ALFWorld
 */
export function earlyEnd(options: EarlyEndOptions) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new EarlyEnd(env, options);
}
