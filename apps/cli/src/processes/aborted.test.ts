/** Commands that start programs, stopped in the moment before: nothing starts that nobody would stop. */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compare } from '../experiment/benchmark/comparison.js';
import type { RunPlan } from '../experiment/spec.js';
import { runTool } from '../launch/run-tool.js';
import { startRanks } from './start-ranks.js';

let folder: string;
let mark: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-aborted-'));
  mark = join(folder, 'mark');
});
afterEach(() => rm(folder, { recursive: true }));

const marking = () => ['-e', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`];

it('a launcher', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(runTool([process.execPath, ...marking()], { cwd: folder, signal })).rejects.toThrow('stopped');
  expect(existsSync(mark)).toBe(false);
});

it('the ranks of a run', async () => {
  const { argv } = process;
  process.argv = [argv[0]!, ...marking()];
  const controller = new AbortController();
  try {
    const ranks = startRanks(2, { signal: controller.signal, stderr: process.stderr });
    controller.abort(new Error('stopped'));
    await expect(ranks).rejects.toThrow('stopped');
  } finally {
    process.argv = argv;
  }
  expect(existsSync(mark)).toBe(false);
});

it('a run of a comparison', async () => {
  const controller = new AbortController();
  const plan = { folder: join(folder, 'run') } as RunPlan;
  const outcome = compare({ plans: [plan], jobs: 1, signal: controller.signal, listen: () => {} });
  controller.abort(new Error('stopped'));
  expect(await outcome).toMatchObject({ failures: [] });
  // a process that ran leaves its output
  expect(existsSync(join(plan.folder, 'run.log'))).toBe(false);
});

it('no further run of a comparison after an error that is not of a run', async () => {
  const asked: string[] = [];
  const file = join(folder, 'file');
  writeFileSync(file, '');
  function* plans() {
    for (const name of ['first', 'second', 'third', 'fourth']) {
      asked.push(name);
      yield { folder: join(file, name) } as RunPlan; // no folder can be made there
    }
  }
  const { signal } = new AbortController();
  await expect(compare({ plans: plans(), jobs: 2, signal, listen: () => {} })).rejects.toThrow('ENOTDIR');
  expect(asked.length).toBeLessThan(4);
});
