import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkOutputFile, checkOutputFolder } from './output-path.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-output-'));
afterAll(() => rmSync(home, { recursive: true }));
const KEPT = ['episodes.jsonl', 'episodes-2.jsonl', 'episodes.index.jsonl', 'result.json', 'run.json', 'metrics.jsonl'];

describe('an output', () => {
  it.each(KEPT)('does not take the place of %s', async (name) => {
    const path = join(home, name);
    await expect(checkOutputFile('--out', path)).resolves.toBeUndefined(); // nothing is there yet
    writeFileSync(path, '');
    await expect(checkOutputFile('--out', path)).rejects.toThrow(`--out ${path} would replace a part of`);
  });

  it('may be another file there, also again', async () => {
    writeFileSync(join(home, 'dataset.jsonl'), '');
    await expect(checkOutputFile('--out', join(home, 'dataset.jsonl'))).resolves.toBeUndefined();
  });

  it('is not written among the files of a run or a recording', async () => {
    await expect(checkOutputFolder('--out', home)).rejects.toThrow(`--out ${home} would replace a part of`);
    await expect(checkOutputFolder('--out', join(home, 'adapter'))).resolves.toBeUndefined();
  });
});
