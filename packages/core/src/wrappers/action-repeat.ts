/** actionRepeat: each action is executed several times; rewards are summed, and an end stops the repetition. */
import { chain } from '../async/chain.js';
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
    const again = (sum: number, left: number): Awaitable<StepResult<Observation, I>> =>
      chain(this.env.step(action), (result) => {
        const reward = sum + result.reward;
        if (left === 1 || result.terminated || result.truncated) return { ...result, reward };
        return again(reward, left - 1);
      });
    return again(0, this.times);
  }
}

/** Executes each action `times` times, up to the end of the episode; observation and info are those of the last one. */
export function actionRepeat(times: number) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new ActionRepeat(env, times);
}
