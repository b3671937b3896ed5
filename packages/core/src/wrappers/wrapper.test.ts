/** Laws of every wrapper, and claims about single ones. */
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { isPromiseLike } from '../async/chain.js';
import type { AnyEnv, Env, StepResult } from '../env.js';
import type { Image, RgbImage } from '../image.js';
import { make, makeFromSpec } from '../registry/make.js';
import { register, unregister } from '../registry/register.js';
import { specToJson } from '../registry/spec/spec-json.js';
import { setWarningSink } from '../registry/warn.js';
import { DiscreteSpace } from '../spaces/discrete.js';
import { ImageSpace } from '../spaces/image.js';
import { TextSpace } from '../spaces/text.js';
import { CountingEnv, type CountingInfo } from '../testing/counting-env.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { earlyEnd } from './early-end.js';
import { illegalAction } from './illegal-action.js';
import { frameStack } from './observation/frame-stack.js';
import { history } from './observation/history.js';
import { grayscaleObservation, resizeObservation } from './observation/image-observation.js';
import { transformObservation } from './observation/transform-observation.js';
import { orderEnforcing } from './order-enforcing.js';
import { passiveChecker } from './passive-checker.js';
import type { EnvWrapper, PipeableEnv } from './pipe.js';
import { recordEpisodeStatistics } from './recording/record-episode-statistics.js';
import { TimeLimit, timeLimit } from './time-limit.js';
import { transformAction } from './transform-action.js';
import { clipReward, transformReward } from './transform-reward.js';
import { findWrapper, Wrapper } from './wrapper.js';

const doubled = (count: number) => 2 * count;

/** Every wrapper that keeps the counting environment's types, with options that are plain data. */
const serializable: readonly (readonly [name: string, wrapper: EnvWrapper])[] = [
  ['clipReward', clipReward({ max: 0.5 })],
  ['earlyEnd', earlyEnd({ repeatedActions: 4, moreThanActions: 6, reward: -3 })],
  ['frameStack', frameStack(3)],
  ['history', history(2, { inInfo: true })],
  ['illegalAction', illegalAction({ reward: -2 })],
  ['orderEnforcing', orderEnforcing()],
  ['passiveChecker', passiveChecker()],
  ['timeLimit', timeLimit(4)],
];
const all: readonly (readonly [name: string, wrapper: EnvWrapper])[] = [
  ...serializable,
  ['recordEpisodeStatistics', recordEpisodeStatistics()],
  ['transformAction', transformAction((action: number) => 1 - action, new DiscreteSpace(2)) as EnvWrapper],
  ['transformObservation', transformObservation(doubled, new DiscreteSpace(200)) as EnvWrapper],
  ['transformReward', transformReward((reward) => reward - 0.1)],
];

/** Plays `actions` in order, resetting at ends, without the duration. */
function play(env: AnyEnv, actions: readonly number[]): unknown[] {
  return actions.map((action) => {
    const result = env.step(action) as StepResult<unknown>;
    if (result.terminated || result.truncated) void env.reset();
    const { episode, ...info } = result.info;
    return { ...result, info: episode ? { ...info, episode: { ...episode, seconds: 0 } } : info };
  });
}

const actions = [0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1];

beforeEach(() => {
  register({ id: 'test/Counting-v1', entryPoint: (options) => new CountingEnv(options), options: { maxTarget: 5 } });
});

afterEach(() => {
  unregister('test/Counting-v1');
  setWarningSink(undefined);
});

describe.each(all)('%s', (_name, wrapper) => {
  it('keeps a synchronous environment synchronous and an asynchronous one correct', async () => {
    const sync = wrapper(new CountingEnv());
    expect(isPromiseLike(sync.reset({ seed: 1 }))).toBe(false);
    const expected = sync.step(1);
    expect(isPromiseLike(expected)).toBe(false);

    const counting = new CountingEnv();
    const awaited = new ScriptedEnv({
      reset: async (options) => counting.reset(options),
      step: async (action) => counting.step(action),
    });
    const env = wrapper(awaited);
    await env.reset({ seed: 1 });
    expect(await env.step(1)).toMatchObject({ ...expected, info: { target: expect.any(Number) } });
  });

  it('continues exactly from a snapshot that went through JSON, also in another instance', () => {
    const env = wrapper(new CountingEnv({ maxTarget: 5 }));
    env.reset({ seed: 7 });
    for (let at = 0; at < 9; at += 1) {
      const snapshot = JSON.parse(JSON.stringify(env.snapshot!()));
      const onwards = play(env, actions);
      const twin = wrapper(new CountingEnv({ maxTarget: 5 }));
      for (const restored of [env, twin]) {
        restored.restore!(snapshot);
        expect(play(restored, actions)).toEqual(onwards);
        restored.restore!(snapshot);
      }
      play(env, [actions[at]!]);
    }
  });

  it('closes the inner environment', async () => {
    const inner = new CountingEnv();
    const env = wrapper(inner);
    await env.close();
    expect(inner.closed).toBe(true);
    expect(env.unwrapped).toBe(inner);
  });
});

describe.each(serializable)('%s', (_name, wrapper) => {
  it('is rebuilt from the spec as JSON', async () => {
    const env = await make('test/Counting-v1', { wrappers: [wrapper] });
    const twin = await makeFromSpec(specToJson(env.spec!));
    expect(twin.spec).toEqual(env.spec);
    await env.reset({ seed: 3 });
    await twin.reset({ seed: 3 });
    expect(play(twin, actions)).toEqual(play(env, actions));
  });
});

describe('Wrapper', () => {
  it('has exactly the optional capabilities of the inner environment', () => {
    const rich = new TimeLimit(new CountingEnv(), 5);
    expect([rich.snapshot, rich.restore, rich.oracle, rich.actionMask, rich.dialogue].every(Boolean)).toBe(true);
    const poor = new TimeLimit(new ScriptedEnv(), 5);
    expect([poor.snapshot, poor.restore, poor.oracle, poor.actionMask, poor.dialogue].some(Boolean)).toBe(false);
    const moved = new CountingEnv().pipe(transformObservation(doubled, new DiscreteSpace(200)));
    expect([moved.dialogue, typeof moved.oracle]).toEqual([undefined, 'function']);
  });

  it('refuses a snapshot of another stack', () => {
    const env = new CountingEnv().pipe(timeLimit(5));
    env.reset({ seed: 0 });
    const bare = new CountingEnv();
    bare.reset({ seed: 0 });
    expect(() => env.restore!(bare.snapshot())).toThrow(expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }));
  });

  it('can be found in a stack by its class', () => {
    const env = new CountingEnv().pipe(timeLimit(5), frameStack(2));
    expect(findWrapper(env, TimeLimit)?.steps).toBe(5);
    class Absent extends Wrapper {}
    expect(findWrapper(env, Absent)).toBeUndefined();
  });

  it('disposes with await using', async () => {
    const inner = new CountingEnv();
    await inner.pipe(timeLimit(3))[Symbol.asyncDispose]();
    expect(inner.closed).toBe(true);
  });
});

describe('pipe', () => {
  it('propagates observation, action and info types', () => {
    const env = new CountingEnv().pipe(timeLimit(50), history(4), frameStack(2), clipReward());
    expectTypeOf(env).toExtend<Env<number[], number, CountingInfo>>();
    expectTypeOf(env.pipe(recordEpisodeStatistics())).toExtend<Env<number[], number, CountingInfo>>();
    const words = new CountingEnv().pipe(
      timeLimit(50),
      transformObservation((count) => `${count}`, new TextSpace({ maxLength: 2 })),
      transformAction((word: string) => word.length, new TextSpace({ maxLength: 1 })),
    );
    expectTypeOf(words).toExtend<Env<string, string, CountingInfo>>();
    expectTypeOf(words.step).parameter(0).toEqualTypeOf<string>();
    expect(env.observationSpace.contains([0, 0])).toBe(true);
  });

  it('applies more than eight wrappers, untyped', () => {
    const one = timeLimit(3) as EnvWrapper;
    const env: PipeableEnv = new CountingEnv().pipe(one, one, one, one, one, one, one, one, one);
    expect(env.unwrapped).toBeInstanceOf(CountingEnv);
  });
});

describe('resizeObservation and grayscaleObservation', () => {
  const picture = (): RgbImage => ({ data: new Uint8Array(8 * 6 * 3).fill(100), height: 8, width: 6, channels: 3 });
  const pictures = () =>
    new ScriptedEnv<RgbImage>({
      observationSpace: new ImageSpace({ height: 8, width: 6 }),
      reset: () => ({ observation: picture() }),
      step: () => ({ observation: picture() }),
    });

  it('change both picture and space', async () => {
    const env = pictures().pipe(resizeObservation({ height: 4, width: 3 }), grayscaleObservation());
    expectTypeOf(env).toExtend<Env<Image<1>>>();
    const { observation } = await env.reset();
    expect(observation).toEqual({ data: new Uint8Array(12).fill(100), height: 4, width: 3, channels: 1 });
    expect(env.observationSpace.contains(observation)).toBe(true);
    expect(env.observationSpace.contains((await env.step(0)).observation)).toBe(true);
  });

  it('refuse an observation that is not a picture', () => {
    const env = new CountingEnv() as AnyEnv;
    expect(() => grayscaleObservation()(env)).toThrow(expect.objectContaining({ code: 'NOT_AN_IMAGE_SPACE' }));
    expect(() => resizeObservation({ height: 1, width: 1 })(env)).toThrow('an integer from 0 to 99');
  });
});
