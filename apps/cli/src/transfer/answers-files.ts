/** Files of answers by path, and those in a folder. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { BENCHMARKS, scoreAnswers, type TransferReport } from '@vlgym/transfer';
import { UsageError } from '../command-line/command.js';

/** @throws {UsageError} Nothing is there. */
export async function answersIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    throw new UsageError(`There are no answers at ${path}.`, {
      expected: 'a file that vlgym transfer ask wrote, or a folder of such files',
    });
  }
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.jsonl')).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new UsageError(`The folder ${path} has no answers.`, {
    expected: 'files that vlgym transfer ask wrote: *.jsonl',
  });
}

/** Scores under the given rules, or under all that ask the same words, those of the file first. */
export async function scoresOf(file: string, rules?: string): Promise<TransferReport[]> {
  const asked = await scoreAnswers(file, rules);
  if (rules !== undefined) return [asked];
  const others = BENCHMARKS.filter(({ id, rules: name }) => id === asked.benchmark && name !== asked.rules);
  const reports = await Promise.all(others.map(async ({ rules: name }) => sameWords(file, name)));
  return [asked, ...reports.filter((report) => report !== undefined)];
}

const DO_NOT_APPLY = new Set(['ANSWERS_DIFFER', 'JUDGE_MISSING']);

/** `undefined` if the rules ask other words, or a judge that was not asked. */
async function sameWords(file: string, rules: string): Promise<TransferReport | undefined> {
  try {
    return await scoreAnswers(file, rules);
  } catch (error) {
    if (GymError.isInstance(error) && DO_NOT_APPLY.has(error.code)) return undefined;
    throw error;
  }
}
