/** timeLimit: truncates an episode after a number of steps, like Gymnasium's `TimeLimit`. */

import { chain } from '../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import { InvalidOptionError } from '../options.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { parseState, savedCount } from '../snapshot.js';
import type { TruncationReason } from '../truncation.js';
import { Wrapper } from './wrapper.js';

export class TimeLimit<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  #elapsed = 0;

  constructor(
    env: Env<Observation, Action, I>,
    /** Steps per episode, at least 1. */
    readonly steps: number,
  ) {
    super(env);
    if (!Number.isSafeInteger(steps) || steps < 1) {
      const expected = 'an integer >= 1; make(id, { maxEpisodeSteps: -1 }) disables the limit';
      throw new InvalidOptionError('maxEpisodeSteps', steps, expected);
    }
  }

  /** Steps taken in the current episode. */
  get elapsed(): number {
    return this.#elapsed;
  }

  override get stepLimit(): number {
    return Math.min(this.steps, this.env.stepLimit ?? Number.POSITIVE_INFINITY);
  }

  override get wrapperSpec() {
    return { name: 'timeLimit', options: { steps: this.steps } };
  }

  protected override extendSpec(inner: EnvSpec): EnvSpec {
    const isFirst = !inner.wrappers?.length && (inner.maxEpisodeSteps ?? -1) < 0;
    return isFirst ? { ...inner, maxEpisodeSteps: this.steps } : super.extendSpec(inner);
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    this.#elapsed = 0;
    return this.env.reset(options);
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => {
      this.#elapsed += 1;
      if (this.#elapsed < this.steps) return result;
      const cutHere = !result.terminated && !result.truncated;
      return {
        ...result,
        truncated: true,
        info: cutHere ? { ...result.info, truncationReason: 'time-limit' satisfies TruncationReason } : result.info,
      };
    });
  }

  protected override saveState(): unknown {
    return this.#elapsed;
  }

  protected override parseState(state: unknown): number {
    return parseState(state, this.snapshotKind, savedCount);
  }

  protected override loadState(elapsed: number): void {
    this.#elapsed = elapsed;
  }
}

/**
 * Truncates after `steps` steps; `info.truncationReason` is then `'time-limit'`. A step that terminates the episode at
 * the limit is reported as both, as in Gymnasium.
 */
export function timeLimit(steps: number) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new TimeLimit(env, steps);
}
