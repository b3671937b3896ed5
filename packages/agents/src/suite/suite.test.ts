import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register, unregister } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import {
  type AnyAgent,
  oracleAgent,
  randomAgent,
  resultFileSchema,
  scriptedAgent,
  speakingAgent,
  suite,
} from '../index.js';
import { estimate } from '../statistics/index.js';

const CORRIDOR = 'test/SuiteCorridor-v0';
const environments = [CORRIDOR, { name: 'long corridor', env: () => new CorridorEnv({ length: 9, limit: 20 }) }];
let folder: string;

beforeAll(async () => {
  const baselines = [{ agent: 'random', successRate: 0.5, episodes: 100, source: 'a paper' }];
  register({ id: CORRIDOR, entryPoint: (options) => new CorridorEnv(options), maxEpisodeSteps: 12, baselines });
  folder = await mkdtemp(join(tmpdir(), 'vlgym-suite-'));
});
afterAll(async () => {
  unregister(CORRIDOR);
  await rm(folder, { recursive: true, force: true });
});

describe('suite', () => {
  it('plays the same seeds and attempts with every agent, and tests all pairs on each environment', async () => {
    const agents = [randomAgent(), oracleAgent(), scriptedAgent(() => 0, { name: 'left' })];
    const result = await suite({ environments, agents, seeds: 12, attempts: 3, parallel: 4 });
    expect(result.cells.map(({ environment, agent }) => `${environment} ${agent}`)).toEqual(
      [CORRIDOR, 'long corridor'].flatMap((name) => ['random', 'oracle', 'left'].map((agent) => `${name} ${agent}`)),
    );
    const [random, oracle] = result.cells;
    expect(oracle).toMatchObject({ planned: 36, scores: { counted: 36, successRate: 1 }, costPerSuccess: 0 });
    expect(oracle!.passes).toMatchObject([{ k: 1 }, { k: 2 }, { k: 3, atLeastOne: 1, all: 1, seeds: 12 }]);
    const [one, , three] = random!.passes;
    expect(one!.atLeastOne).toBeCloseTo(random!.scores!.successRate, 12);
    expect(three!.atLeastOne).toBeGreaterThan(one!.atLeastOne);
    expect(three!.all).toBeLessThan(one!.all);
    expect(result.comparisons).toHaveLength(6);
    for (const { pValue, pAdjusted } of result.comparisons) expect(pAdjusted).toBeGreaterThanOrEqual(pValue);
    expect(result.baselines).toEqual({ [CORRIDOR]: [expect.objectContaining({ successRate: 0.5 })] });
    expect(resultFileSchema.safeParse(JSON.parse(JSON.stringify(result))).success).toBe(true);
  });

  it('continues where it was stopped, to the same result', async () => {
    const path = join(folder, 'stopped');
    const controller = new AbortController();
    const options = { environments, agents: [randomAgent(), oracleAgent()], seeds: 10, attempts: 2, folder: path };
    const first = await suite({
      ...options,
      signal: controller.signal,
      onEpisode: (_, { done }) => {
        if (done === 25) controller.abort();
      },
    });
    expect(first.interrupted).toBe(true);
    const played: number[] = [];
    const second = await suite({ ...options, onEpisode: (_, { done }) => void played.push(done) });
    expect(played.length).toBeLessThan(80 - 20);
    const plain = ({ cells, ...rest }: typeof second) => ({
      ...rest,
      cells: cells.map(({ episodes, ...cell }) => ({ ...cell, episodes: episodes.map(({ id: _, ...row }) => row) })),
    });
    expect(plain(second)).toEqual(plain(await suite({ ...options, folder: join(folder, 'whole') })));
  });

  it('a cell that cannot be played has no score, says why, and stops no other', async () => {
    const mute = () => Object.assign(new CorridorEnv(), { dialogue: undefined });
    const agents = [speakingAgent(['hm']), randomAgent()];
    const { cells, comparisons } = await suite({ environments: [{ name: 'mute', env: mute }], agents, seeds: 4 });
    expect(cells).toMatchObject([{ failed: { code: 'NO_DIALOGUE' }, planned: 4 }, { scores: { counted: 4 } }]);
    expect(cells[0]).not.toHaveProperty('scores');
    expect(comparisons).toEqual([]);
  });

  it('a cell without a counted episode has no score; the causes are counted', async () => {
    const agent: AnyAgent = {
      name: 'offline',
      act: () => ({ text: '', error: { boundary: 'model', code: 'MODEL_TIMEOUT', message: 'late' } }),
    };
    const { cells } = await suite({ environments: [CORRIDOR], agents: [agent], seeds: 4 });
    expect(cells[0]).not.toHaveProperty('scores');
    expect(cells[0]).toMatchObject({
      excluded: 4,
      failures: [{ code: 'MODEL_TIMEOUT', count: 4, counted: 0, seed: 0 }],
    });
  });

  it.each([
    [{ agents: [] }, 'agents'],
    [{ agents: [randomAgent(), randomAgent()] }, 'agents'],
    [{ environments: [] }, 'environments'],
    [{ attempts: 0 }, 'attempts'],
    [{ seeds: 0 }, 'seeds'],
  ])('refuses %j', async (options, option) => {
    await expect(suite({ environments, agents: [randomAgent()], ...options })).rejects.toMatchObject({ option });
  });
});

it('estimate measures prompts without a model, and multiplies', async () => {
  const prices = { inputPerMillion: 1, outputPerMillion: 10 };
  const options = { env: CORRIDOR, sample: 4, outputTokensPerTurn: 50, prices, limits: { requestsPerMinute: 60 } };
  const some = await estimate({ ...options, episodes: 4 });
  const many = await estimate({ ...options, episodes: 400 });
  expect(some.requests).toBeGreaterThanOrEqual(4);
  expect(many.requests).toBe(100 * some.requests);
  expect(many.outputTokens).toBe(50 * many.requests);
  expect(many.inputTokens / many.requests).toBeGreaterThan(20);
  expect(many.cost).toBeCloseTo((many.inputTokens + 10 * many.outputTokens) / 1e6, 12);
  expect(many.minutes).toBeCloseTo(many.requests / 60, 12);
});
