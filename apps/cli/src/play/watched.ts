/** Keeps what the page shows after the end, when no agent acts: the last result, the turns, and the parts of the score. */
import {
  type AnyEnv,
  type Info,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  type Turn,
  Wrapper,
} from '@vlgym/core';

export class Watched extends Wrapper {
  last: { readonly observation: unknown; readonly info: Info } | undefined;
  /** The result of the last step; absent before the first. */
  result: StepResult<unknown> | undefined;
  history: Turn[] = [];
  /** Sums of `info.rewardParts` over the episode, by name. */
  readonly totals = new Map<string, number>();

  override async reset(options?: ResetOptions): Promise<ResetResult<unknown>> {
    this.last = undefined;
    this.result = undefined;
    this.history = [];
    this.totals.clear();
    this.last = await this.env.reset(options);
    return this.last;
  }

  override async step(action: unknown): Promise<StepResult<unknown>> {
    const result = await this.env.step(action);
    this.history.push({ observation: this.last?.observation, text: '', action, reward: result.reward });
    this.last = result;
    this.result = result;
    for (const [name, part] of Object.entries((result.info.rewardParts as object | undefined) ?? {})) {
      if (typeof part === 'number') this.totals.set(name, (this.totals.get(name) ?? 0) + part);
    }
    return result;
  }

  /** Recordings describe the environment without this wrapper. */
  protected override extendSpec(inner: NonNullable<AnyEnv['spec']>) {
    return inner;
  }
}
