/** `run.json` keeps what was typed and what was in force apart; that of an earlier version is refused by name. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import '../environments.js';
import { readRunFile, writeRunFile } from './run-file.js';
import { checkSameRun } from './same-run.js';
import { type RunPlan, runSchema } from './spec.js';
import { COMMON_START } from './warm-start/lessons.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-run-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

const plan = (): RunPlan => ({
  ...runSchema.parse({ algorithm: 'vl-dac', env: 'vlgym/NumberLine-v1', warmStart: 'expert' }),
  given: { warmStart: 'flag' },
  folder,
  start: 'start',
});

it('has no name that means two things', async () => {
  await writeRunFile(plan());
  const file = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  expect(file.typed).toEqual({ warmStart: 'expert' });
  expect(file.effective).toMatchObject({ warmStart: 'expert', warmStartPlan: { examples: expect.any(Number) } });
  expect(await readRunFile(folder)).toEqual(file.effective);
  expect(await checkSameRun(plan())).toBeUndefined();
});

it('has no lessons where weights are given, and their run continues', async () => {
  const given = { ...plan(), warmStart: undefined, given: { start: 'flag' } } as unknown as RunPlan;
  await writeRunFile(given);
  const file = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  expect(file.effective.warmStartPlan).toBeNull();
  expect(Object.keys(file.effective.origins).filter((name) => name.startsWith('warmStart'))).toEqual([]);
  expect(await checkSameRun(given)).toBeUndefined();
});

it('has the lessons of a start that a benchmark has made for all of its runs', async () => {
  const run = { ...plan(), given: { start: COMMON_START } };
  await writeRunFile(run);
  const file = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  expect(file.effective.origins.start).toBe(COMMON_START);
  // the benchmark itself was given none
  expect(await checkSameRun(plan())).toBeUndefined();
});

it.each([
  ['an earlier version', { algorithm: 'vl-dac', warmStart: { examples: 64 } }],
  ['another program', [1, 2]],
])('of %s is refused with what to do', async (_, content) => {
  await writeFile(join(folder, 'run.json'), JSON.stringify(content));
  await expect(checkSameRun(plan())).rejects.toMatchObject({
    code: 'RUN_FORMAT',
    hint: expect.stringContaining('train into another folder'),
  });
});
