/** The committed WebAssembly is what its source compiles to. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('kernel.generated.ts is up to date: npm run build:kernel changes nothing', async () => {
  const script = fileURLToPath(new URL('../../scripts/build-kernel.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--print'], { maxBuffer: 1 << 20 });
  const committed = await readFile(new URL('./kernel.generated.ts', import.meta.url), 'utf8');
  expect(committed === stdout).toBe(true);
});
