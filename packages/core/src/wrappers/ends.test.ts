/** Wrappers of episode ends and rewards. */
import { describe, expect, it } from 'vitest';
import { EpisodeOverError } from '../errors.js';
import { CountingEnv } from '../testing/counting-env.js';
import { type Script, ScriptedEnv } from '../testing/scripted-env.js';
import { earlyEnd } from './early-end.js';
import { illegalAction } from './illegal-action.js';
import { passiveChecker } from './passive-checker.js';
import { recordEpisodeStatistics } from './recording/record-episode-statistics.js';
import { timeLimit } from './time-limit.js';
import { clipReward } from './transform-reward.js';

const scripted = (script: Script = {}) => new ScriptedEnv(script);

describe('timeLimit', () => {
  it('truncates at the limit with a reason, counting from each reset', async () => {
    const env = scripted().pipe(timeLimit(2));
    for (let episode = 0; episode < 2; episode += 1) {
      await env.reset();
      expect(await env.step(0)).toMatchObject({ truncated: false, info: {} });
      expect(await env.step(0)).toMatchObject({ truncated: true, info: { truncationReason: 'time-limit' } });
    }
  });

  it('reports both if the task ends at the limit, without a reason', async () => {
    const env = scripted({ step: () => ({ terminated: true }) }).pipe(timeLimit(1));
    await env.reset();
    expect(await env.step(0)).toEqual({ observation: 1, reward: 1, terminated: true, truncated: true, info: {} });
  });

  it('keeps the reason of an inner limit', async () => {
    const env = scripted().pipe(timeLimit(1), earlyEnd({ rule: () => 'bored', as: 'truncated' }));
    await env.reset();
    expect((await env.step(0)).info.truncationReason).toBe('time-limit');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a limit of %s', (steps) => {
    expect(() => scripted().pipe(timeLimit(steps))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('recordEpisodeStatistics', () => {
  it('puts return and length into the last info', async () => {
    const env = scripted({ step: (_action, count) => ({ reward: count, terminated: count === 3 }) }).pipe(
      recordEpisodeStatistics({ bufferLength: 2 }),
    );
    for (let episode = 0; episode < 3; episode += 1) {
      await env.reset();
      expect((await env.step(0)).info).toEqual({});
      await env.step(0);
      expect((await env.step(0)).info).toEqual({ episode: { return: 6, length: 3, seconds: expect.any(Number) } });
    }
    expect(env.episodes).toHaveLength(2);
  });

  it('refuses to overwrite an entry of the info', async () => {
    const env = scripted({ step: () => ({ terminated: true }) }).pipe(
      recordEpisodeStatistics(),
      recordEpisodeStatistics(),
    );
    await env.reset();
    expect(() => env.step(0)).toThrow(expect.objectContaining({ code: 'INFO_KEY_TAKEN' }));
  });
});

describe('clipReward', () => {
  it.each([
    [-7, -1],
    [-0.5, -0.5],
    [0, 0],
    [12, 1],
  ])('%s → %s', async (reward, clipped) => {
    const env = scripted({ step: () => ({ reward }) }).pipe(clipReward());
    await env.reset();
    expect((await env.step(0)).reward).toBe(clipped);
  });

  it('refuses bounds out of order', () => {
    expect(() => clipReward({ min: 1, max: 0 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('illegalAction', () => {
  it.each([
    ['outside the space', 7],
    ['forbidden by the mask', 1],
  ])('ends the episode at an action %s without executing it', (_what, action) => {
    const inner = new CountingEnv();
    inner.actionMask = () => Uint8Array.of(1, 0);
    const env = inner.pipe(illegalAction({ reward: -5 }));
    env.reset({ seed: 0 });
    expect(env.step(action)).toMatchObject({
      observation: 0,
      reward: -5,
      terminated: true,
      truncated: false,
      info: { illegalAction: true, terminationReason: 'illegal-action' },
    });
    expect(() => env.step(0)).toThrow(EpisodeOverError);
    expect(env.reset()).toMatchObject({ observation: 0 });
    expect(env.step(0)).toMatchObject({ terminated: false });
  });

  it.each(['x', Number.NaN, Number.POSITIVE_INFINITY])('refuses the reward %s', (reward) => {
    const options = { reward: reward as number };
    expect(() => scripted().pipe(illegalAction(options))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('earlyEnd', () => {
  const rewards = [0, -1, 0, 0];

  it.each([
    ['a reward of -1', { rewards: [-1] }, [0, 1], 2, 'reward'],
    ['two equal actions', { repeatedActions: 2 }, [0, 1, 1], 3, 'repeated-action'],
    ['more than 3 actions', { moreThanActions: 3 }, [0, 1, 0, 1], 4, 'too-many-actions'],
    [
      'a rule',
      { rule: (_: unknown, list: readonly unknown[]) => (list.length === 1 ? 'bored' : undefined) },
      [0],
      1,
      'bored',
    ],
  ])('%s', async (_what, options, actions, length, reason) => {
    const env = scripted({ step: (_action, count) => ({ reward: rewards[count - 1]! }) }).pipe(
      earlyEnd({ ...options, reward: -3 }),
    );
    await env.reset();
    for (const [index, action] of actions.entries()) {
      const last = index === length - 1;
      expect(await env.step(action)).toMatchObject({
        reward: last ? -3 : rewards[index],
        terminated: last,
        truncated: false,
        info: last ? { terminationReason: reason } : {},
      });
    }
    expect(() => env.step(0)).toThrow(EpisodeOverError);
    await env.reset();
    expect(await env.step(0)).toMatchObject({ terminated: reason === 'bored' });
  });

  it('can count as truncated, and does not change an episode that ends anyway', async () => {
    const env = scripted().pipe(earlyEnd({ rewards: [1], as: 'truncated' }));
    await env.reset();
    expect(await env.step(0)).toMatchObject({
      terminated: false,
      truncated: true,
      reward: 1,
      info: { truncationReason: 'rule', rule: 'reward' },
    });
    const ended = scripted({ step: () => ({ terminated: true, reward: -1 }) }).pipe(
      earlyEnd({ rewards: [-1], reward: -3 }),
    );
    await ended.reset();
    expect(await ended.step(0)).toMatchObject({ reward: -1, info: {} });
  });

  it.each([
    ['as', { as: 'foo', rewards: [0] }],
    ['repeatedActions', { repeatedActions: 0 }],
    ['repeatedActions', { repeatedActions: -3 }],
    ['repeatedActions', { repeatedActions: Number.NaN }],
    ['moreThanActions', { moreThanActions: -1 }],
    ['rewards', { rewards: 5 }],
    ['rewards', { rewards: [Number.NaN] }],
    ['reward', { rewards: [0], reward: 'x' }],
    ['rule', { rule: 'bored' }],
    ['options', undefined],
  ])('refuses an invalid `%s`: %j', (option, options) => {
    expect(() => scripted().pipe(earlyEnd(options as never))).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option }),
    );
  });
});

describe('passiveChecker', () => {
  const broken: [string, Script, string][] = [
    ['a reset without info', { reset: () => ({ info: undefined as never }) }, 'INFO_NOT_RECORD'],
    ['an observation outside the space', { reset: () => ({ observation: -1 }) }, 'OBSERVATION_OUTSIDE_SPACE'],
    ['a reward that is NaN', { step: () => ({ reward: Number.NaN }) }, 'REWARD_NOT_FINITE'],
    ['a reward that is a list', { step: () => ({ reward: [1] as never }) }, 'REWARD_NOT_FINITE'],
    ['a signal that is a number', { step: () => ({ terminated: 1 as never }) }, 'SIGNAL_NOT_BOOLEAN'],
    ['a picture that is a text', { renderMode: 'rgb_array', render: () => 'no' }, 'RENDER_RESULT'],
  ];

  it.each(broken)('refuses %s', (_what, script, code) => {
    const env = scripted(script).pipe(passiveChecker());
    const play = () => {
      env.reset();
      env.step(0);
      env.render();
    };
    expect(play).toThrow(expect.objectContaining({ code: 'CHECK_FAILED', value: [code] }));
  });

  it('checks only the first results', async () => {
    const env = scripted({ step: (_action, count) => ({ reward: count === 1 ? 0 : Number.NaN }) }).pipe(
      passiveChecker(),
    );
    await env.reset();
    await env.step(0);
    expect((await env.step(0)).reward).toBeNaN();
  });

  it('refuses a value that is not a space', () => {
    const env = scripted({ actionSpace: { n: 2 } as never });
    expect(() => env.pipe(passiveChecker())).toThrow(expect.objectContaining({ value: ['SPACE_INVALID'] }));
  });
});
