/** Training whose environment changes on the way, and evaluations that do not. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setNumThreads } from '@vlgym/gpu';
import { afterAll, describe, expect, it, vi } from 'vitest';
import '@vlgym/miniworld';
import '@vlgym/points24';
import { parseOptions } from '../command-line/command.js';
import { train } from '../commands/train.js';
import { checkRun } from './benchmark/check-run.js';
import type { RunMessage } from './messages.js';
import { phasedTraining } from './phases.js';
import { runTraining } from './run.js';
import { checkSameRun } from './same-run.js';
import { completeTask } from './settings/settings.js';
import { type RunPlan, runSchema } from './spec.js';
import { ensureWarmStart } from './warm-start/warm-start.js';

setNumThreads(1);
vi.setConfig({ testTimeout: 120_000 });
const home = mkdtempSync(join(tmpdir(), 'vlgym-phases-'));
afterAll(() => rmSync(home, { recursive: true }));
const signal = new AbortController().signal;
const start = join(home, 'start');

const PHASES = { '0': { colors: ['red'] }, '1': { colors: ['blue'] } };

function planOf(folder: string, changes: object = {}): RunPlan {
  const spec = runSchema.parse({
    algorithm: 'rl4vlm',
    env: 'MiniWorld-OneRoomS6Fast-v0',
    envOptions: { dialogue: 'compact-v1', colors: ['red', 'blue'], maxEpisodeSteps: 4 },
    phases: PHASES,
    ...{ updates: 2, numEnvs: 8, stepsPerUpdate: 64, evaluationEpisodes: 16, warmStartExamples: 64, threads: 1 },
    ...changes,
  });
  return { ...spec, folder: join(home, folder), start };
}

const colorsIn = (keys: readonly (string | undefined)[]) =>
  [...new Set(keys.map((key) => /:(\w+) box@/.exec(key!)![1]))].sort();

it('a run trains in one phase after the other, and is judged on all tasks', async () => {
  const plan = planOf('run');
  const heard: RunMessage[] = [];
  await ensureWarmStart(completeTask(plan), start, { signal });
  const result = await runTraining(plan, (message) => heard.push(message), signal);
  const trained = readFileSync(join(plan.folder, 'training-tasks.jsonl'), 'utf8').trim().split('\n');
  const keys = trained.map((line) => (JSON.parse(line) as { key: string }).key);
  expect(colorsIn(keys)).toEqual(['blue', 'red']);
  const firstBlue = keys.findIndex((key) => key.includes('blue'));
  expect(keys.slice(firstBlue).every((key) => key.includes('blue'))).toBe(true);
  expect(colorsIn(result!.after.map(({ taskKey }) => taskKey))).toEqual(['blue', 'red']);
  expect(heard).toContainEqual({
    type: 'note',
    text: 'from update 2 on, the environment of training has {"colors":["blue"]}',
  });
  await expect(checkSameRun(planOf('run', { phases: {} }))).rejects.toMatchObject({ code: 'RUN_DIFFERS' });
});

describe('phases', () => {
  const many = (phases: object) => planOf('none', { phases, updates: 9 });

  it('are in the order of their updates, and the first begins with the run', async () => {
    const task = completeTask(many({ '7': { size: 4 }, '2': { size: 5 } }));
    const { phases, makeEnv, noteAfter } = phasedTraining(task, (make) => make);
    expect(phases).toEqual([2, 7]);
    const optionsOf = async (phase: number) => (await makeEnv(0, phase)).spec?.options;
    expect(await Promise.all([0, 1, 2].map(async (phase) => (await optionsOf(phase))?.size))).toEqual([
      undefined,
      5,
      4,
    ]);
    // and keep the options that they do not name
    expect(await optionsOf(1)).toMatchObject({ dialogue: 'compact-v1', maxEpisodeSteps: 4 });
    const nested = {
      ...task,
      envOptions: { size: { height: 84, width: 112 } },
      phases: { '1': { size: { height: 60 } } },
    };
    expect(await phasedTraining({ ...nested, env: 'vlgym/EZPoints-v1' }, (make) => make).makeEnv(0, 1)).toMatchObject({
      spec: { options: { size: { height: 60, width: 112 } } },
    });
    expect(noteAfter(1)).toBeUndefined();
    expect(noteAfter(2)).toContain('from update 3 on');
  });

  it.each<[string, RunPlan, object]>([
    ['an option that the environment refuses', many({ '8': { size: 'large' } }), { value: 'large' }],
    ['a side of the split', many({ '8': { split: 'test' } }), { code: 'SPLIT_CHOSEN' }],
    ['a beginning after the end', many({ '9': {} }), { expected: expect.stringContaining('the last of 9 updates') }],
    ['imitation', planOf('x', { control: 'imitation' }), { expected: 'no phases with a control by imitation' }],
    ['a queue', planOf('x', { maxStaleness: 1 }), { expected: 'no phases with a queue' }],
    ['several processes', planOf('x', { procs: 2 }), { expected: 'no phases with several processes' }],
  ])('with %s are refused before anything is trained', async (_, plan, error) => {
    await expect(checkRun(plan)).rejects.toMatchObject({ code: 'INVALID_OPTION', ...error });
  });

  it('begin after a number of updates', () => {
    expect(() => many({ later: { size: 5 } })).toThrow(/a number of updates/);
    expect(() => many({ '05': { size: 5 } })).toThrow(/a number of updates/);
  });
});

it('are typed by their update', () => {
  const args = ['rl4vlm', '--env', 'OneRoomS6Fast', '--phases', '0.colors=["red"]', '--phases', '5.colors=["blue"]'];
  expect(parseOptions(train, args)).toMatchObject({
    phases: { '0': { colors: ['red'] }, '5': { colors: ['blue'] } },
  });
});
