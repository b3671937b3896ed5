/** Claims about an episode, for any caller that drives it. */
import { type AnyEnv, Generator, SnapshotMismatchError } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fallback } from '../fallback.js';
import { Episode } from './episode.js';
import type { EpisodeOptions } from './options.js';

/** Seed 3 asks for a count of 8. */
const SEED = 3;

async function begun(options: Partial<EpisodeOptions> = {}, env: AnyEnv = new CountingEnv()): Promise<Episode> {
  const episode = new Episode({ env, ...options });
  await episode.reset({ seed: SEED });
  return episode;
}

async function played(episode: Episode, responses: readonly string[]): Promise<Episode> {
  for (const text of responses) if (episode.isRunning) await episode.act(episode.read(text));
  return episode;
}

const said = fc.array(fc.constantFrom('count', 'stay', 'hm', ''), { maxLength: 12 });

describe('an unreadable answer', () => {
  it.each<[Fallback, object, object]>([
    ['illegal-noop', { fallback: true, result: { reward: 0, terminated: false } }, { stepIndex: 1, terminated: false }],
    [
      'terminate',
      { fallback: true, result: { terminated: true }, error: { boundary: 'parser', code: 'NO_ACTION' } },
      { stepIndex: 1, terminated: true },
    ],
    ['random', { fallback: true, action: expect.any(Number) }, { stepIndex: 1, terminated: false }],
  ])('under %s', async (fallback, step, state) => {
    const episode = await begun({ fallback });
    expect(await episode.act(episode.read('hm'))).toMatchObject(step);
    expect(episode.state).toMatchObject(state);
    expect(episode.state.history).toMatchObject([{ text: 'hm' }]);
  });

  it('that ends the episode fails, whatever the return is', async () => {
    const episode = await played(await begun({ fallback: 'terminate', fallbackReward: 5 }), ['hm']);
    expect(episode.summary()).toMatchObject({ return: 5, success: false, reason: 'terminated' });
  });

  it('counts for the time limit, which the environment does not see', async () => {
    const episode = await begun({ maxSteps: 2 });
    expect(await episode.act(episode.read('hm'))).not.toHaveProperty('truncationReason');
    expect(await episode.act(episode.read('hm'))).toMatchObject({ truncationReason: 'step-limit' });
    expect(episode.isRunning).toBe(false);
  });

  it('has a reward of its own where the driver says so', async () => {
    const episode = await played(await begun({ fallbackReward: -0.1 }), ['hm', 'count']);
    expect(episode.state.return).toBeCloseTo(-0.1, 12);
  });
});

describe('a failure', () => {
  const broken = (step: () => never) => Object.assign(new CountingEnv(), { step }) as AnyEnv;

  it('of the environment is data, and the episode is over', async () => {
    const cause = new Error('the disk is on fire');
    const episode = await begun(
      {},
      broken(() => {
        throw cause;
      }),
    );
    const step = await episode.act(episode.read('count'));
    expect(step).toMatchObject({
      action: 1,
      truncationReason: 'environment-error',
      error: { boundary: 'environment', code: 'ENVIRONMENT_FAILED', message: 'the disk is on fire' },
    });
    expect(step).not.toHaveProperty('result');
    expect(episode).toMatchObject({ isRunning: false, cause });
    expect(episode.summary()).toMatchObject({ success: false, reason: 'environment-error', length: 1 });
    await expect(episode.act(episode.read('count'))).rejects.toMatchObject({ code: 'RESET_NEEDED' });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2e12, '1'])('is a reward of %s', async (reward) => {
    const result = { observation: 1, reward, terminated: true, truncated: false, info: { success: true } };
    const episode = await begun({}, broken((() => result) as never));
    expect(await episode.act(episode.read('count'))).toMatchObject({ error: { code: 'INVALID_REWARD' } });
    expect(episode.summary().success).toBe(false);
  });

  it('is not an action that is refused: nothing has happened', async () => {
    const episode = await begun();
    const before = episode.state;
    await expect(episode.act(episode.decide({ action: 7 }))).rejects.toMatchObject({ code: 'INVALID_ACTION' });
    expect(episode.state).toBe(before);
    expect(episode.isRunning).toBe(true);
  });

  it('is such an action for an agent that cannot be asked again', async () => {
    const episode = await begun();
    const step = await episode.actOnce(episode.decide({ action: 7, text: 'seven' }));
    expect(step).toEqual({
      truncationReason: 'environment-error',
      error: expect.objectContaining({ code: 'INVALID_ACTION' }),
    });
    expect(episode.isRunning).toBe(false);
  });

  it('of a reset leaves nothing to play', async () => {
    const episode = await begun();
    Object.assign(episode.env, {
      reset: () => {
        throw new Error('no');
      },
    });
    await expect(episode.reset({ seed: 1 })).rejects.toThrow('no');
    await expect(episode.act({ text: '', fallback: true })).rejects.toMatchObject({ code: 'RESET_NEEDED' });
  });
});

describe('a snapshot', () => {
  it('is JSON, and continues with the same future', () =>
    fc.assert(
      fc.asyncProperty(said, said, async (before, after) => {
        const episode = await played(await begun(), before);
        const json = JSON.parse(JSON.stringify(await episode.snapshot()));
        const other = new Episode({ env: new CountingEnv() as AnyEnv });
        await other.restore(json);
        expect(other.state).toEqual(episode.state);
        expect((await played(other, after)).state).toEqual((await played(episode, after)).state);
      }),
    ));

  it('of something else is refused, and the episode continues', async () => {
    const episode = await begun();
    await expect(episode.restore({ kind: 'vlgym.episode/1' })).rejects.toThrow(SnapshotMismatchError);
    expect(episode.isRunning).toBe(true);
  });
});

describe('a fork', () => {
  const makeEnv = () => new CountingEnv() as AnyEnv;
  /** Without snapshots, so the actions are played again. */
  const plain = () => Object.assign(new CountingEnv(), { snapshot: undefined }) as unknown as AnyEnv;

  it('of a snapshot and of a replayed prefix have the same future, and the episode stays as it is', () =>
    fc.assert(
      fc.asyncProperty(said, said, async (before, after) => {
        const rule = { fallback: 'random', rng: new Generator(4) } as const;
        const episode = await played(await begun(rule), before);
        const { state } = episode;
        const restored = await episode.fork({ makeEnv, id: 'x' });
        const replayed = await (await played(await begun({ ...rule, rng: new Generator(4) }, plain()), before)).fork({
          makeEnv: plain,
          id: 'x',
        });
        expect(replayed.state).toEqual(restored.state);
        expect((await played(replayed, after)).state).toEqual((await played(restored, after)).state);
        expect(episode.state).toBe(state);
        expect({ ...(await played(episode, after)).state, id: 'x' }).toEqual(restored.state);
      }),
    ));

  it('begins at any earlier turn', async () => {
    const episode = await played(await begun(), ['count', 'hm', 'count', 'stay']);
    const fork = await episode.fork({ at: 2, makeEnv });
    expect(fork.state).toMatchObject({ id: `${episode.state.id}+`, stepIndex: 2, observation: 1 });
  });

  it.each([
    ['a turn that it does not have', { at: 3, makeEnv }, 'it has 1 turns, not 3'],
    ['an environment that was not made with `make`', {}, 'was not made with `make`'],
  ])('is refused for %s', async (_, options, words) => {
    const episode = await played(await begun(), ['count']);
    await expect(episode.fork(options)).rejects.toMatchObject({
      code: 'NOT_FORKABLE',
      message: expect.stringContaining(words),
    });
  });

  it('is refused where the same actions lead to something else', async () => {
    const episode = await played(await begun({}, plain()), ['count', 'count']);
    const drifting = () =>
      Object.assign(plain(), { step: () => ({ ...new CountingEnv().step(0), observation: 7, info: { target: 8 } }) });
    await expect(episode.fork({ makeEnv: drifting as never })).rejects.toMatchObject({ code: 'FORK_DIFFERS', turn: 0 });
  });

  it('is refused after a reset without a seed, where there are no snapshots', async () => {
    const episode = new Episode({ env: plain() });
    await episode.reset();
    await expect(episode.fork({ makeEnv: plain })).rejects.toMatchObject({ code: 'NOT_FORKABLE' });
  });
});
