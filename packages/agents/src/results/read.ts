/**
 * Results of agents from disk: `result.json`, as `evaluate`, `suite` and the command line write it, or else the recorded
 * episodes. All of them have one layout, `vlgym.result/1`.
 */
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '@vlgym/core/internal';
import { recordedEvaluations } from '../evaluate/recorded.js';
import { cellOf, resultFileSchema, type SuiteCell } from '../suite/result.js';
import { NoResultError } from './errors.js';
import { RESULT_FILE, resultOfCells, type SuiteResult } from './file.js';

const EPISODES_FILE = 'episodes.jsonl';
/** Cells of a suite lie at FOLDER/ENVIRONMENT/AGENT. */
const DEPTH = 2;
/** More than a suite of a million episodes writes. Bytes. */
const MAX_RESULT_BYTES = 512 << 20;

/**
 * The result in a folder, whoever wrote it.
 *
 * @param path  A folder of `evaluate({ record })`, `suite({ folder })` or the command line, or a result.json.
 * @throws {NoResultError}  It is not there, holds neither a result nor episodes, or a result of another kind.
 *
 * @example
 * const { cells: [{ scores }] } = await readEvaluation('runs/today');
 */
export async function readEvaluation(path: string): Promise<SuiteResult> {
  const file = path.endsWith('.json') ? path : join(path, RESULT_FILE);
  const data = await jsonIn(file);
  if (isResult(data)) {
    const parsed = resultFileSchema.safeParse(data);
    if (!parsed.success) {
      const { path: keys = [], message } = parsed.error.issues[0] ?? {};
      throw new NoResultError(path, `is not a result of agents: ${keys.map(String).join('.')} ${message}`);
    }
    return parsed.data as unknown as SuiteResult;
  }
  if (file === path) throw new NoResultError(path, data === undefined ? 'is not there' : 'is not a result of agents');
  const folders = await recordingsBelow(path, DEPTH);
  if (folders.length === 0) throw new NoResultError(path, 'holds no result and no recorded episodes');
  const cells: SuiteCell[] = [];
  for (const folder of folders) {
    for (const each of await recordedEvaluations(folder)) cells.push(cellOf(each.env ?? 'environment', each));
  }
  return resultOfCells(cells);
}

/** A training run has another file of this name. */
const isResult = (data: unknown) =>
  String((data as { readonly schema?: unknown } | undefined)?.schema).startsWith('vlgym.result/');

async function jsonIn(file: string): Promise<unknown> {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(await readRegularFile(file, MAX_RESULT_BYTES));
  } catch (cause) {
    throw new NoResultError(file, 'cannot be read as JSON', cause);
  }
}

async function recordingsBelow(folder: string, depth: number): Promise<string[]> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  if (existsSync(join(folder, EPISODES_FILE))) return [folder];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const found: string[] = [];
  for (const each of below.sort()) found.push(...(await recordingsBelow(each, depth - 1)));
  return found;
}
