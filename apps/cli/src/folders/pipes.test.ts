/** A pipe or a device in a folder of somebody else: every command that reads folders says so and ends; none waits for a writer. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrajectories } from '@vlgym/core/trajectory';
import { readExamples } from '@vlgym/datasets';
import { readLedger } from '@vlgym/queue';
import { CheckpointStore } from '@vlgym/rl';
import { afterAll, describe, expect, it } from 'vitest';
import '../environments.js';
import { judgmentOfWeights } from '../experiment/evaluation/weights-judgment.js';
import { Ledger } from '../experiment/ledger.js';
import { readUpdates } from '../experiment/run-progress.js';
import { readRunResult } from '../experiment/run-result.js';
import { findRuns } from '../experiment/run-status.js';
import { SeenTasks } from '../experiment/task-separation/seen-tasks.js';
import { readResult } from '../suite/result-file.js';
import { readProgress } from '../terminal/progress-file.js';
import { newestIn } from './place.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-pipes-'));
afterAll(() => rmSync(home, { recursive: true }));

async function all(iterable: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of iterable);
}

/** Each with the file that it reads, and the files that must stand next to it. */
const READERS: readonly (readonly [who: string, file: string, read: (folder: string) => unknown, beside?: string[]])[] =
  [
    ['episodes', 'episodes.jsonl', (folder) => all(readTrajectories(folder))],
    ['examples of a folder', 'episodes.jsonl', (folder) => all(readExamples(folder))],
    ['examples of a file', 'rows.jsonl', (folder) => all(readExamples(join(folder, 'rows.jsonl')))],
    ['examples of Parquet', 'rows.parquet', (folder) => all(readExamples(join(folder, 'rows.parquet')))],
    ['compare', 'result.json', readResult],
    ['compare, by the episodes', 'episodes.jsonl', readResult],
    ['status', 'run.json', (folder) => findRuns(folder, false)],
    ['status, metrics', 'metrics.jsonl', (folder) => findRuns(folder, false), ['run.json']],
    ['status, result', 'result.json', (folder) => findRuns(folder, false), ['run.json']],
    ['status, progress', 'progress.json', readProgress],
    ['bench, metrics', 'metrics.jsonl', readUpdates],
    ['bench, result', 'result.json', readRunResult],
    ['train --resume, tasks', 'training-tasks.jsonl', Ledger.open],
    ['train --resume, seconds', 'cpu.jsonl', Ledger.open],
    ['train --resume, checkpoints', 'latest', (folder) => new CheckpointStore(folder).latest()],
    ['tasks of a warm start', 'tasks.jsonl', (folder) => SeenTasks.read(join(folder, 'tasks.jsonl'))],
    ['weights', 'latest', newestIn],
    ['eval --weights', 'run.json', (folder) => judgmentOfWeights(folder, 'vlgym/EZPoints-v1', {})],
    ['the ledger of a queue', 'ledger.jsonl', (folder) => readLedger(join(folder, 'ledger.jsonl'))],
  ];

const REFUSED = ['FILE_NOT_READABLE', 'DATASET_FILE'];

const readers = READERS.map(([who, file, read, beside = []]) => ({ who, file, read, beside }));

describe.each(readers)('$who', ({ who, file, read, beside }) => {
  const at = (kind: string) => {
    const folder = join(home, `${who.replaceAll(' ', '-')}-${kind}`);
    mkdirSync(folder);
    for (const name of beside) writeFileSync(join(folder, name), '{"effective":{}}');
    return folder;
  };
  const code = (folder: string) =>
    (async () => read(folder))().then(
      () => 'was read',
      (error: { readonly code?: unknown }) => error.code ?? error,
    );

  it('refuses a pipe', async () => {
    const folder = at('pipe');
    execFileSync('mkfifo', [join(folder, file)]);
    expect(REFUSED).toContain(await code(folder));
  }, 5000);

  it('refuses a device', async () => {
    const folder = at('device');
    symlinkSync('/dev/zero', join(folder, file));
    expect(REFUSED).toContain(await code(folder));
  }, 5000);
});
