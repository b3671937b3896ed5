import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { type Agent, type AnyAgent, type EpisodeOutcome, evaluate, scriptedAgent } from '../index.js';

const env = () => new CorridorEnv();

describe('begin and end', () => {
  it('give every episode memory of its own, also side by side', async () => {
    const ended: EpisodeOutcome<number[]>[] = [];
    const agent: Agent<unknown, number, { position: number }, number[]> = {
      name: 'remembers',
      begin: ({ info }) => [info.position],
      act: ({ memory, info, stepIndex }) => {
        expect(memory).toHaveLength(stepIndex + 1);
        memory.push(info.position);
        return { action: 1, text: '' };
      },
      end: (outcome) => void ended.push(outcome),
    };
    const { episodes } = await evaluate({ env, agent: agent as AnyAgent, episodes: 12, parallel: 5 });
    expect(episodes.every(({ success }) => success)).toBe(true);
    expect(ended).toHaveLength(12);
    for (const { memory, length, seed, success } of ended) {
      expect(memory).toHaveLength(length + 1);
      expect({ length, success }).toEqual({ length: episodes[seed]!.length, success: episodes[seed]!.success });
    }
  });

  it('end is called for an episode that failed, and not for one that never began', async () => {
    const ended: (string | undefined)[] = [];
    const agent: AnyAgent = {
      name: 'fragile',
      begin: ({ info }: { info: { position: number } }) => {
        if (info.position === 0) throw new Error('no memory left');
      },
      act: () => {
        throw new Error('lost');
      },
      end: ({ error }: EpisodeOutcome) => void ended.push(error?.message),
    };
    const { episodes } = await evaluate({ env, agent, episodes: 20 });
    const messages = episodes.map(({ error }) => error!.message);
    expect(new Set(messages)).toEqual(new Set(['no memory left', 'lost']));
    expect(ended).toEqual(messages.filter((message) => message === 'lost'));
    expect(episodes.every(({ counted, success }) => counted && !success)).toBe(true);
  });

  it('a failing end is told and changes no score', async () => {
    const agent: AnyAgent = {
      name: 'forgetful',
      act: () => ({ action: 1, text: '' }),
      end: () => Promise.reject(new Error('cannot save')),
    };
    const { successRate, firstFailure } = await evaluate({ env, agent, episodes: 3 });
    expect(successRate).toBe(1);
    expect(firstFailure).toMatchObject({ seed: 0, error: { code: 'AGENT_END_FAILED', message: 'cannot save' } });
  });
});

describe('ids of episodes', () => {
  it('differ between two evaluations of the same seeds, while rows stay equal', async () => {
    const seen: string[] = [];
    const agent = scriptedAgent<unknown, number>(({ episodeId, stepIndex }) => {
      if (stepIndex === 0) seen.push(episodeId);
      return 1;
    });
    const first = await evaluate({ env, agent, episodes: 4 });
    const second = await evaluate({ env, agent, episodes: 4 });
    expect(new Set(seen).size).toBe(8);
    expect(second).toEqual(first);
  });
});

describe('a failed evaluation never looks like a score', () => {
  const failing: AnyAgent = {
    name: 'offline',
    act: () => ({ text: '', error: { boundary: 'model', code: 'MODEL_TIMEOUT', message: 'late' } }),
  };

  it('has no rate and no mean without a counted episode', async () => {
    const result = await evaluate({ env, agent: failing, episodes: 5 });
    expect(result).toMatchObject({ counted: 0, excluded: 5, interval95: [0, 1] });
    for (const value of [result.successRate, result.meanReturn, result.meanLength, result.fallbackRate]) {
      expect(value).toBeNaN();
    }
    expect(result.firstFailure).toMatchObject({ seed: 0, error: { code: 'MODEL_TIMEOUT', message: 'late' } });
  });

  it('keeps what was thrown, with its stack, but stores nothing of it', async () => {
    const agent = scriptedAgent<unknown, number>(() => {
      throw new TypeError('undefined is not a door');
    });
    const { firstFailure } = await evaluate({ env, agent, episodes: 2 });
    expect(firstFailure!.cause).toBeInstanceOf(TypeError);
    expect((firstFailure!.cause as Error).stack).toContain('hooks.test.ts');
    expect(JSON.stringify(firstFailure)).not.toContain('.ts');
  });

  it('failFast rejects with the first failure of the agent, and plays nothing more', async () => {
    let turns = 0;
    const agent = scriptedAgent<unknown, number>(() => {
      turns += 1;
      throw new Error('a bug');
    });
    await expect(evaluate({ env, agent, episodes: 50, failFast: true })).rejects.toMatchObject({
      code: 'AGENT_FAILED',
      message: expect.stringMatching(/CorridorEnv\.0: a bug$/),
      cause: expect.objectContaining({ message: 'a bug' }),
    });
    expect(turns).toBe(1);
  });

  it('failFast asks for no further turn, whatever the recording of the other episodes waits for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-hooks-'));
    let late = 0;
    const agent: AnyAgent = {
      name: 'fragile',
      act: async ({ episodeId, stepIndex, signal }) => {
        if (signal?.aborted) late += 1;
        await null;
        if (signal?.aborted || (episodeId.endsWith('.0') && stepIndex === 1)) throw new Error('a bug');
        return { action: 0, text: '' };
      },
    };
    const run = evaluate({ env, agent, episodes: 8, parallel: 8, failFast: true, record: folder });
    await expect(run).rejects.toMatchObject({ code: 'AGENT_FAILED' });
    expect(late).toBe(0);
    await rm(folder, { recursive: true });
  });

  it('stops at once if the environment refuses its first reset, e.g. without its data', async () => {
    let resets = 0;
    class NoData extends CorridorEnv {
      override reset(): never {
        resets += 1;
        throw new GymError('The games are not here.', { code: 'NO_GAMES', hint: 'download them' });
      }
    }
    await expect(evaluate({ env: () => new NoData(), agent: failing })).rejects.toMatchObject({ code: 'NO_GAMES' });
    expect(resets).toBe(1);
  });
});
