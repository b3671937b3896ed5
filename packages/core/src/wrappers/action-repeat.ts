/** actionRepeat: each action is executed several times; rewards are summed, and an end stops the repetition. */
import { isPromiseLike } from '../async/chain.js';
import type { Awaitable, Env, Info, StepResult } from '../env.js';
import { checkedInteger } from '../options.js';
import { Wrapper } from './wrapper.js';

export class ActionRepeat<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  constructor(
    env: Env<Observation, Action, I>,
    /** Executions per action, at least 1. */
    readonly times: number,
  ) {
    super(env);
    checkedInteger('times', times, 1);
  }

  override get stepLimit(): number | undefined {
    const { stepLimit } = this.env;
    return stepLimit === undefined ? undefined : Math.ceil(stepLimit / this.times);
  }

  override get wrapperSpec() {
    return { name: 'actionRepeat', options: { times: this.times } };
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    let reward = 0;
    let left = this.times;
    const last = (result: StepResult<Observation, I>): StepResult<Observation, I> | undefined => {
      reward += result.reward;
      left -= 1;
      return left === 0 || result.terminated || result.truncated ? { ...result, reward } : undefined;
    };
    const later = async (pending: PromiseLike<StepResult<Observation, I>>) => {
      let end = last(await pending);
      while (!end) end = last(await this.env.step(action));
      return end;
    };
    // a loop, because `times` calls inside of each other overflow the stack
    for (;;) {
      const value = this.env.step(action);
      if (isPromiseLike(value)) return later(value);
      const end = last(value);
      if (end) return end;
    }
  }
}

/** Executes each action `times` times, up to the end of the episode; observation and info are those of the last one. */
export function actionRepeat(times: number) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new ActionRepeat(env, times);
}
