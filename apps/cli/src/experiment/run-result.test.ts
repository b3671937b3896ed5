import { mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunResult } from '../report/data.js';
import { readRunResult, writeRunResult } from './run-result.js';

it("is of the folder that it is read from: runs of a design's folder may be moved together", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vlgym-result-'));
  await writeRunResult({ folder, algorithm: 'vl-dac' } as RunResult);
  renameSync(folder, `${folder}-moved`);
  expect(await readRunResult(`${folder}-moved`)).toEqual({ folder: `${folder}-moved`, algorithm: 'vl-dac' });
  expect(await readRunResult(folder)).toBeUndefined();
});
