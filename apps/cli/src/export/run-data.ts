/** A run as trackers take it: its settings by dotted names, and the metrics of its updates. */
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { UpdateRecord } from '@vlgym/rl';
import { UsageError } from '../command-line/usage-error.js';
import { readUpdates } from '../experiment/run-progress.js';
import { readRunResult } from '../experiment/run-result.js';
import { jsonIn } from '../folders/text-file.js';

export interface RunData {
  /** Name of its folder. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly records: readonly UpdateRecord[];
  readonly isDone: boolean;
  /** Milliseconds since 1970: its settings were written, and its last metrics. */
  readonly startedAt: number;
  readonly changedAt: number;
}

/** @throws {UsageError} No training has written metrics there. */
export async function runDataOf(folder: string): Promise<RunData> {
  const records = await readUpdates(folder).catch(() => []);
  if (records.length === 0) {
    throw new UsageError(`${folder} has no metrics.`, {
      expected: 'the folder of one training run, with metrics.jsonl',
      hint: 'vlgym runs lists them; recordings are exported with `vlgym export inspect`, `parquet` or `jsonl`',
    });
  }
  const { effective } = ((await jsonIn(join(folder, 'run.json'))) ?? {}) as { readonly effective?: object };
  const changedAt = await timeOf(join(folder, 'metrics.jsonl'));
  return {
    name: basename(resolve(folder)),
    settings: Object.fromEntries(flat(effective ?? {})),
    records,
    isDone: (await readRunResult(folder)) !== undefined,
    startedAt: await timeOf(join(folder, 'run.json')).catch(() => changedAt),
    changedAt,
  };
}

const timeOf = async (path: string): Promise<number> => Math.round((await stat(path)).mtimeMs);

/** `{ loss: { clip: 0.1 } }` → `loss.clip 0.1` */
function* flat(value: object, prefix = ''): Generator<[string, string]> {
  for (const [name, each] of Object.entries(value)) {
    if (each === null || each === undefined) continue;
    if (typeof each === 'object' && !Array.isArray(each)) yield* flat(each as object, `${prefix}${name}.`);
    else yield [`${prefix}${name}`, typeof each === 'object' ? JSON.stringify(each) : String(each)];
  }
}
