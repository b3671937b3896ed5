/**
 * orderEnforcing: `reset` before `step` and `render`, no `step` after the end, nothing after `close`; and `reset` accepts
 * only `{ seed, options }`.
 */
import { z } from 'zod';
import { chain } from '../async/chain.js';
import type { Awaitable, Env, Info, RenderFrame, ResetOptions, ResetResult, StepResult } from '../env.js';
import { ClosedError, EpisodeOverError, ResetNeededError } from '../errors.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { checkResetOptions } from '../reset-options.js';
import { parseState } from '../snapshot.js';
import { Wrapper } from './wrapper.js';

type Phase = 'new' | 'running' | 'over' | 'closed';

const SAVED_PHASE = z.enum(['new', 'running', 'over']);

export class OrderEnforcing<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  #phase: Phase = 'new';

  override get wrapperSpec() {
    return { name: 'orderEnforcing' };
  }

  protected override extendSpec(inner: EnvSpec): EnvSpec {
    const isFirst = !inner.wrappers?.length && inner.orderEnforce === false;
    return isFirst ? { ...inner, orderEnforce: true } : super.extendSpec(inner);
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    if (this.#phase === 'closed') throw new ClosedError('reset');
    checkResetOptions(options);
    return chain(this.env.reset(options), (result) => {
      this.#phase = 'running';
      return result;
    });
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    if (this.#phase === 'closed') throw new ClosedError('step');
    if (this.#phase === 'new') throw new ResetNeededError('step');
    if (this.#phase === 'over') throw new EpisodeOverError();
    return chain(this.env.step(action), (result) => {
      if (result.terminated || result.truncated) this.#phase = 'over';
      return result;
    });
  }

  override render(): Awaitable<RenderFrame> {
    if (this.#phase === 'closed') throw new ClosedError('render');
    if (this.#phase === 'new') throw new ResetNeededError('render');
    return this.env.render();
  }

  override close(): Awaitable<void> {
    this.#phase = 'closed';
    return this.env.close();
  }

  protected override saveState(): unknown {
    return this.#phase;
  }

  protected override parseState(state: unknown): Phase {
    if (this.#phase === 'closed') throw new ClosedError('restore');
    return parseState(state, this.snapshotKind, SAVED_PHASE);
  }

  protected override loadState(phase: Phase): void {
    this.#phase = phase;
  }
}

/** Turns a call out of order into an error with a hint. `make` adds it by default. */
export function orderEnforcing() {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new OrderEnforcing(env);
}
