/**
 * passiveChecker: checks only the first `reset`, `step` and `render`, so that a broken environment fails at once and a
 * valid one has no further cost. Rules: `gymnasium/utils/passive_env_checker.py`, in `checks/contract.ts`.
 */

import { chain } from '../async/chain.js';
import { renderFindings, resetFindings, spaceFindings, stepFindings } from '../checks/contract.js';
import { CheckFailedError, type Finding } from '../checks/finding.js';
import type { AnyEnv, Awaitable, Env, Info, RenderFrame, ResetOptions, ResetResult, StepResult } from '../env.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { warnWithoutRenderMode } from '../registry/warn.js';
import { Wrapper } from './wrapper.js';

export class PassiveChecker<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  #checkedReset = false;
  #checkedStep = false;
  #checkedRender = false;

  constructor(env: Env<Observation, Action, I>) {
    super(env);
    this.#refuse(spaceFindings(env as AnyEnv));
  }

  override get wrapperSpec() {
    return { name: 'passiveChecker' };
  }

  protected override extendSpec(inner: EnvSpec): EnvSpec {
    const isFirst = !inner.wrappers?.length && inner.disableChecker === true;
    return isFirst ? { ...inner, disableChecker: false } : super.extendSpec(inner);
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    if (this.#checkedReset) return this.env.reset(options);
    return chain(this.env.reset(options), (result) => {
      this.#checkedReset = true;
      this.#refuse(resetFindings(result, this.env as AnyEnv));
      return result;
    });
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    if (this.#checkedStep) return this.env.step(action);
    return chain(this.env.step(action), (result) => {
      this.#checkedStep = true;
      this.#refuse(stepFindings(result, this.env as AnyEnv));
      return result;
    });
  }

  override render(): Awaitable<RenderFrame> {
    if (this.#checkedRender) return this.env.render();
    warnWithoutRenderMode(this.env as AnyEnv);
    return chain(this.env.render(), (frame) => {
      this.#checkedRender = true;
      this.#refuse(renderFindings(frame, this.env.renderMode, this.env as AnyEnv));
      return frame;
    });
  }

  #refuse(findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    const name = this.env.spec?.id ?? this.env.unwrapped.constructor.name;
    throw new CheckFailedError(name, findings, 'fix the environment, or pass `disableChecker: true` to `make`');
  }
}

/** Checks the first results of an environment against the contract. `make` adds it by default. */
export function passiveChecker() {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new PassiveChecker(env);
}
