import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import '@vlgym/points24';
import { evaluate, oracleAgent, randomAgent, recordedEvaluations } from '../index.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-recorded-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a recording is the evaluation that was returned', async () => {
  const seeds = [5, 3, 3, 4];
  const record = join(folder, 'one');
  const { episodes, ...played } = await evaluate({ env: 'vlgym/EZPoints-v1', agent: randomAgent(), seeds, record });
  const [found, ...others] = await recordedEvaluations(record);
  expect(others).toEqual([]);
  const { episodes: rows, ...rest } = found!;
  expect(rest).toEqual(played);
  const bySeed = episodes.toSorted((a, b) => a.seed - b.seed || a.repeat - b.repeat);
  expect(rows).toEqual(bySeed.map((row, index) => ({ ...row, index })));
});

it('a folder of several agents is one evaluation for each', async () => {
  const env = 'vlgym/NumberLine-v1';
  for (const agent of [oracleAgent(), randomAgent()]) {
    await evaluate({ env, agent, seeds: [1, 2], record: folder, resume: true }).catch(() => {});
  }
  const found = await recordedEvaluations(folder);
  expect(found.map(({ agent, planned }) => [agent, planned])).toContainEqual(['oracle', 2]);
});
