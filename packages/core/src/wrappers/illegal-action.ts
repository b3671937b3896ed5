/**
 * illegalAction: an action outside the space, or one the mask forbids, ends the episode instead of being executed; like
 * PettingZoo's `TerminateIllegalWrapper` (`pettingzoo/utils/wrappers/terminate_illegal.py`).
 */
import { z } from 'zod';
import { chain } from '../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import { EpisodeOverError } from '../errors.js';
import { checkNames, InvalidOptionError, names } from '../options.js';
import { encodedBy, parseState } from '../snapshot.js';
import type { DiscreteSpace } from '../spaces/discrete.js';
import { copyValue } from './copy-value.js';
import { Wrapper } from './wrapper.js';

export interface IllegalActionOptions {
  /** Reward of the illegal action. */
  readonly reward?: number | undefined;
}

interface SavedResult<Observation, I extends Info> {
  readonly over: boolean;
  readonly last: ResetResult<Observation, I> | null;
}

const ILLEGAL_ACTION_OPTIONS = names<IllegalActionOptions>({ reward: 0 });

export class IllegalAction<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #reward: number;
  #last: ResetResult<Observation, I> | undefined;
  #over = false;

  /** @throws {InvalidOptionError} */
  constructor(env: Env<Observation, Action, I>, options: IllegalActionOptions = {}) {
    checkNames('options', options, ILLEGAL_ACTION_OPTIONS);
    const { reward = -1 } = options;
    if (!Number.isFinite(reward)) throw new InvalidOptionError('reward', reward, 'a finite number');
    super(env);
    this.#reward = reward;
  }

  override get wrapperSpec() {
    return { name: 'illegalAction', options: { reward: this.#reward } };
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return chain(this.env.reset(options), (result) => {
      this.#over = false;
      this.#last = result;
      return result;
    });
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    if (this.#over) throw new EpisodeOverError();
    if (this.#last && !this.#isLegal(action)) {
      this.#over = true;
      return {
        observation: copyValue(this.#last.observation),
        reward: this.#reward,
        terminated: true,
        truncated: false,
        info: { ...copyValue(this.#last.info), illegalAction: true, terminationReason: 'illegal-action' },
      };
    }
    return chain(this.env.step(action), (result) => {
      this.#last = { observation: result.observation, info: result.info };
      return result;
    });
  }

  protected override saveState(): unknown {
    const observation = this.#last && this.env.observationSpace.encode(this.#last.observation);
    return { over: this.#over, last: this.#last ? { observation, info: copyValue(this.#last.info) } : null };
  }

  protected override parseState(state: unknown): SavedResult<Observation, I> {
    const info = z.record(z.string(), z.unknown());
    const last = z.strictObject({ observation: encodedBy(this.env.observationSpace), info });
    const schema = z.strictObject({ over: z.boolean(), last: last.nullable() });
    return parseState(state, this.snapshotKind, schema) as SavedResult<Observation, I>;
  }

  protected override loadState({ over, last }: SavedResult<Observation, I>): void {
    this.#over = over;
    this.#last = last ?? undefined;
  }

  #isLegal(action: Action): boolean {
    const { actionSpace } = this.env;
    if (!actionSpace.contains(action)) return false;
    const mask = actionSpace.type === 'discrete' ? this.env.actionMask?.() : undefined;
    if (!mask) return true;
    const { start } = actionSpace as unknown as DiscreteSpace;
    return mask[(action as number) - start] !== 0;
  }
}

/**
 * Ends the episode with `reward` (default -1) at an illegal action; `info.illegalAction` is then true and the observation
 * is the one before. In a vector environment pass `validateActions: false`, because otherwise the whole batch is refused.
 */
export function illegalAction(options: IllegalActionOptions = {}) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new IllegalAction(env, options);
}
