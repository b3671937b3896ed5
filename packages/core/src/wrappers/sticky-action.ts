/**
 * stickyAction: sometimes the action before is executed in place of the new one.
 *
 * Rules follow Gymnasium's `StickyAction` (`gymnasium/wrappers/stateful_action.py`), after Machado et al., "Revisiting the
 * Arcade Learning Environment" (2018).
 */
import { z } from 'zod';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import { checkNames, InvalidOptionError, names } from '../options.js';
import { Generator } from '../random/generator.js';
import { encodedBy, generatorState, parseState, savedCount } from '../snapshot.js';
import { Wrapper } from './wrapper.js';

export interface StickyActionOptions {
  /** In [0, 1). */
  readonly probability: number;
  /** How many steps an action sticks: a number, or the least and the most, drawn each time. Default 1. */
  readonly duration?: number | readonly [number, number] | undefined;
}

const STICKY_ACTION_OPTIONS = names<StickyActionOptions>({ probability: 0, duration: 0 });

export class StickyAction<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #options: StickyActionOptions;
  readonly #duration: readonly [number, number];
  #random = new Generator();
  #last: Action | undefined;
  /** Further steps in which the last action sticks. */
  #left = 0;

  /** @throws {InvalidOptionError} */
  constructor(env: Env<Observation, Action, I>, options: StickyActionOptions) {
    checkNames('options', options, STICKY_ACTION_OPTIONS);
    super(env);
    const { probability, duration = 1 }: Partial<StickyActionOptions> = options ?? {};
    if (!(typeof probability === 'number' && probability >= 0 && probability < 1)) {
      throw new InvalidOptionError('probability', probability, 'a number from 0 to below 1');
    }
    const [least, most] = (Array.isArray(duration) ? duration : [duration, duration]) as readonly number[];
    if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most) || least! < 1 || most! < least!) {
      throw new InvalidOptionError('duration', duration, 'steps from 1, or the least and the most of them');
    }
    this.#options = options;
    this.#duration = [least!, most!];
  }

  override get wrapperSpec() {
    return { name: 'stickyAction', options: { ...this.#options } };
  }

  /** The seed also starts the draws of this wrapper, by a generator of its own. */
  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    if (options?.seed !== undefined) this.#random = new Generator(options.seed);
    this.#last = undefined;
    this.#left = 0;
    return this.env.reset(options);
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    const executed = this.#sticks() ? (this.#last as Action) : action;
    this.#last = executed;
    return this.env.step(executed);
  }

  #sticks(): boolean {
    if (this.#left > 0) {
      this.#left -= 1;
      return true;
    }
    if (this.#last === undefined || this.#random.random() >= this.#options.probability) return false;
    const [least, most] = this.#duration;
    this.#left = (least === most ? least : this.#random.integers(least, most + 1)) - 1;
    return true;
  }

  protected override saveState(): unknown {
    const last = this.#last === undefined ? null : { action: this.env.actionSpace.encode(this.#last) };
    return { last, left: this.#left, random: this.#random.getState() };
  }

  protected override parseState(state: unknown) {
    const action = encodedBy(this.env.actionSpace);
    const saved = z.strictObject({
      last: z.strictObject({ action }).nullable(),
      left: savedCount,
      random: generatorState,
    });
    return parseState(state, this.snapshotKind, saved);
  }

  protected override loadState(state: ReturnType<StickyAction<Observation, Action, I>['parseState']>): void {
    this.#last = state.last?.action as Action | undefined;
    this.#left = state.left;
    this.#random = new Generator(0);
    this.#random.setState(state.random);
  }
}

/** With probability `probability` the action before is executed again, for `duration` steps. */
export function stickyAction(options: StickyActionOptions) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new StickyAction(env, options);
}
