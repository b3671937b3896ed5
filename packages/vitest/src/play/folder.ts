/** Where a matcher records: one folder for each call, named after the test, so that a later run replaces it. */
import { relative, resolve } from 'node:path';
import type { TestContext } from 'vitest';
import type { PlayOptions } from './options.js';

const ROOT = '.vlgym/vitest';
const counts = new WeakMap<object, number>();

export function recordFolder(
  record: PlayOptions['record'],
  task: Readonly<TestContext['task']> | undefined,
  names: { readonly testPath?: string | undefined; readonly currentTestName?: string | undefined },
): string | undefined {
  if (record === false) return undefined;
  if (record !== undefined) return record;
  const { testPath, currentTestName = 'test' } = names;
  const count = (task && counts.get(task)) ?? 0;
  if (task) counts.set(task, count + 1);
  const file = testPath === undefined ? 'test' : relative(process.cwd(), testPath);
  const folder = [plain(file), `${plain(currentTestName)}${count === 0 ? '' : `-${count + 1}`}`].join('/');
  return resolve(ROOT, folder);
}

/** Letters, digits and dashes, from the end of the name, where names differ. */
const plain = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(-120) || 'test';
