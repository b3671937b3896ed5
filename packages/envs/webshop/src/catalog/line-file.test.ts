import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LineFile } from './line-file.js';

it('reads lines until it is closed, and never reads another file after that', async () => {
  const home = await mkdtemp(join(tmpdir(), 'vlgym-lines-'));
  await writeFile(join(home, 'lines'), 'one\ntwo\n');
  const file = new LineFile(join(home, 'lines'), Float64Array.from([0, 4, 8]));
  expect(file.line(1)).toBe('two\n');
  file.close();
  file.close();
  expect(() => file.line(1)).toThrow(expect.objectContaining({ code: 'CATALOG_CLOSED' }));
  await rm(home, { recursive: true });
});
