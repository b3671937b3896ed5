/** Results from code: one layout, whoever wrote it; comparisons that fail a merge, and those that may not pass it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register, unregister } from '@vlgym/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { evaluate, oracleAgent, randomAgent, resultFileSchema, scriptedAgent, suite } from '../index.js';
import { compare, readEvaluation, resultOf } from './index.js';

const env = 'test/ResultCorridor-v0';
let home = '';
beforeAll(async () => {
  register({ id: env, entryPoint: (options) => new CorridorEnv(options), maxEpisodeSteps: 8 });
  home = await mkdtemp(join(tmpdir(), 'vlgym-results-'));
});
afterAll(async () => {
  unregister(env);
  await rm(home, { recursive: true, force: true });
});

const player = (rate: number) =>
  scriptedAgent<unknown, number>(({ stepIndex, rng, episodeId }) => {
    walks.set(episodeId, stepIndex === 0 ? rng.random() < rate : walks.get(episodeId)!);
    return walks.get(episodeId) ? 1 : 0;
  });
const walks = new Map<string, boolean>();
const play = (rate: number, episodes = 60) => evaluate({ env, agent: player(rate), episodes });

it('an evaluation writes its result beside its episodes, in the layout of suites, and it is read back', async () => {
  const record = join(home, 'one');
  const evaluation = await evaluate({ env, agent: oracleAgent(), episodes: 4, record });
  const written = JSON.parse(await readFile(join(record, 'result.json'), 'utf8'));
  expect(resultFileSchema.safeParse(written).success).toBe(true);
  expect(written).toEqual(JSON.parse(JSON.stringify(resultOf(evaluation))));
  expect(await readEvaluation(record)).toEqual(written);
  await rm(join(record, 'result.json'));
  expect((await readEvaluation(record)).cells).toEqual(written.cells); // out of the episodes
});

it('a suite writes its own', async () => {
  const folder = join(home, 'many');
  const result = await suite({ environments: [env], agents: [randomAgent(), oracleAgent()], seeds: 5, folder });
  expect(await readEvaluation(folder)).toEqual(JSON.parse(JSON.stringify(result)));
});

it('a loss is a regression, and throws where that is asked; a gain is none', async () => {
  const [good, bad] = [await play(0.95), await play(0.4)];
  const { regressions, improvements, undecided } = await compare(good, bad);
  expect([regressions.length, improvements.length, undecided.length]).toEqual([1, 0, 0]);
  await expect(compare(good, bad, { failOnRegression: true })).rejects.toMatchObject({
    code: 'REGRESSION',
    message: expect.stringMatching(/scripted \(second\) lost [\d.]+ points on test\/ResultCorridor-v0 \(p = /),
  });
  expect((await compare(bad, good, { failOnRegression: true })).improvements).toHaveLength(1);
  expect((await compare(good, good, { failOnRegression: true })).regressions).toEqual([]);
});

it('what cannot be compared does not pass a gate', async () => {
  const good = await play(1, 6);
  const down = scriptedAgent<unknown, number>([], { name: 'scripted' });
  const none = await evaluate({
    env,
    agent: { ...down, act: () => ({ text: '', error: { boundary: 'model', code: 'MODEL_HTTP_ERROR', message: 'x' } }) },
    episodes: 6,
  });
  const why = expect.stringMatching(/^6 of 6 episodes do not count/);
  expect((await compare(good, none)).undecided).toEqual([{ environment: env, agent: 'scripted', excluded: 6, why }]);
  await expect(compare(good, none, { failOnRegression: true })).rejects.toThrow(/cannot be compared/);
  // most episodes are gone, the others are as good as then: it passes only if it would with all of these failed
  const long = await play(1);
  const part = (from: number, stopped: boolean) => {
    const [cell] = resultOf(long).cells;
    const rows = cell!.episodes.map((row) => ({ ...row, counted: row.seed < from }));
    const episodes = stopped ? rows.filter(({ counted }) => counted) : rows;
    return { cells: [{ ...cell!, episodes, ...(stopped && { stopped: 'interrupted' }) }] };
  };
  for (const stopped of [false, true]) {
    const failing = compare(long, part(5, stopped), { failOnRegression: true });
    await expect(failing).rejects.toThrow(/cannot be compared: 55 of 60 episodes do not count in the second result/);
    expect((await compare(long, part(58, stopped), { failOnRegression: true })).undecided).toEqual([]);
  }
});

it('says what is not a result', async () => {
  await expect(readEvaluation(join(home, 'nowhere'))).rejects.toMatchObject({ code: 'NO_RESULT' });
  await writeFile(join(home, 'broken.json'), '{"schema": "vlgym.result/1", "cells": [{}]}');
  await expect(readEvaluation(join(home, 'broken.json'))).rejects.toThrow(/is not a result of agents: cells.0/);
  await writeFile(join(home, 'torn.json'), '{"schema": ');
  await expect(readEvaluation(join(home, 'torn.json'))).rejects.toThrow(/cannot be read as JSON/);
  await expect(compare('a', 'b', { failOnRegresion: true } as object)).rejects.toThrow(/failOnRegression/);
});
