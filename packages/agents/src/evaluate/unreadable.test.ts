/** The effect of unreadable answers and wrong thoughts on an evaluation. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TimeLimit } from '@vlgym/core/wrappers';
import { describe, expect, it } from 'vitest';
import { CorridorEnv, type CorridorInfo } from '../../test-support/corridor-env.js';
import { evaluate, oracleAgent, speakingAgent } from '../index.js';

const corridor = () => new CorridorEnv();
const mumbling = speakingAgent(() => 'hm');

describe('an unreadable answer', () => {
  it('earns no success by luck, unless random actions are asked for', async () => {
    const play = (fallback?: 'random') =>
      evaluate({ env: corridor, agent: mumbling, episodes: 8, maxSteps: 12, ...(fallback && { fallback }) });
    expect(await play()).toMatchObject({ fallback: 'illegal-noop', successes: 0, fallbackRate: 1, legalRate: 0 });
    const lucky = await play('random');
    expect(lucky).toMatchObject({ fallback: 'random', strictSuccesses: 0, strictRate: 0 });
    expect(lucky.successes).toBeGreaterThan(0);
  });

  it.each([
    [
      'of the environment',
      () =>
        new (class extends CorridorEnv {
          readonly stepLimit = 12;
        })(),
      12,
    ],
    ['around it', () => new TimeLimit(new CorridorEnv(), 7), 7],
  ] as const)('counts for the time limit %s, before and after a readable one', async (_, env, limit) => {
    const answer = ['{"action": "left"}', '{"action": "left"}', ...Array<string>(5).fill('hm')];
    const agent = speakingAgent([...answer, ...Array<string>(20).fill('{"action": "left"}')]);
    const { episodes } = await evaluate({ env, agent, seeds: [1], maxSteps: 500 });
    expect(episodes[0]).toMatchObject({ length: limit, success: false });
  });

  it('makes a success that is not a strict one', async () => {
    const agent = speakingAgent(['hm', ...Array<string>(8).fill('{"action": "right"}')]);
    const { successes, strictSuccesses, strictRate, episodes } = await evaluate({ env: corridor, agent, episodes: 4 });
    expect({ successes, strictSuccesses, strictRate }).toEqual({ successes: 4, strictSuccesses: 0, strictRate: 0 });
    expect(episodes[0]).toMatchObject({ unreadable: 1, fallbacks: 1 });
    // the same episodes under the rule that the rate is named after
    const ended = await evaluate({ env: corridor, agent, episodes: 4, fallback: 'terminate' });
    expect(ended.successes).toBe(strictSuccesses);
  });

  it('is none where an agent acts without words, and where a readable action is illegal', async () => {
    expect(await evaluate({ env: corridor, agent: oracleAgent(), episodes: 4 })).toMatchObject({ strictRate: 1 });
    const agent = speakingAgent([
      ...Array<string>(6).fill('{"action": "left"}'),
      ...Array<string>(6).fill('{"action": "right"}'),
    ]);
    const { legalRate, episodes } = await evaluate({ env: corridor, agent, episodes: 4 });
    expect(legalRate).toBeLessThan(1);
    expect(episodes.every(({ unreadable }) => unreadable === 0)).toBe(true);
  });
});

/** A corridor whose dialogue knows whether the thought names the place. */
class CheckedCorridor extends CorridorEnv {
  override readonly dialogue = {
    ...new CorridorEnv().dialogue,
    check: (thought: string, { position }: CorridorInfo) => {
      const named = /\d+/.exec(thought)?.[0];
      return named === undefined ? undefined : Number(named) === position;
    },
  };
}

describe('a thought that the environment can check', () => {
  const agent = speakingAgent(({ info, stepIndex }) => {
    const { position } = info as CorridorInfo;
    const thoughts = [`at ${position}`, `at ${position + 1}`, 'on we go'][stepIndex % 3];
    return stepIndex === 3 ? `at ${position}: no idea` : JSON.stringify({ thoughts, action: 'right' });
  });

  it('is counted among the readable ones, and comes back with a resumed recording', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-thoughts-'));
    try {
      const options = {
        env: () => new CheckedCorridor({ length: 9, limit: 30 }),
        agent,
        seeds: [5, 6, 7],
        record: folder,
      };
      const played = await evaluate(options);
      const checked = played.episodes.reduce((sum, { thoughtsChecked }) => sum + thoughtsChecked, 0);
      const correct = played.episodes.reduce((sum, { thoughtsCorrect }) => sum + thoughtsCorrect, 0);
      expect(played).toMatchObject({ thoughtsChecked: checked, thoughtRate: correct / checked });
      expect(played.episodes[0]!.thoughtsChecked).toBeGreaterThan(1);
      expect(correct).toBeLessThan(checked);
      expect(await evaluate({ ...options, resume: true })).toEqual(played);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('has no rate where nothing can be checked', async () => {
    expect(await evaluate({ env: corridor, agent, episodes: 3, maxSteps: 12 })).not.toHaveProperty('thoughtRate');
  });
});
