import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { baseDigest } from './digest.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vlgym-digest-'));
  vi.stubEnv('VLGYM_CACHE', join(home, 'cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const entries = () => {
  try {
    return readdirSync(join(home, 'cache', 'digests'));
  } catch {
    return [];
  }
};

/** As if it had been there for long. */
function write(content: string): void {
  const path = join(home, 'model.safetensors');
  writeFileSync(path, content);
  utimesSync(path, 1e9, 1e9);
}

it('the hash of a file is remembered, and found until the file changes', async () => {
  write('first');
  const digest = await baseDigest(home);
  const [entry] = entries();
  expect(entries()).toHaveLength(1);
  expect(await baseDigest(home)).toBe(digest);
  // what stands in the cache is what is used: the file is not read again
  const path = join(home, 'cache', 'digests', entry!);
  const known = readFileSync(path, 'utf8');
  writeFileSync(path, '0'.repeat(64));
  expect(await baseDigest(home)).not.toBe(digest);
  writeFileSync(path, known);
  rmSync(join(home, 'model.safetensors'));
  write('other');
  expect(await baseDigest(home)).not.toBe(digest);
  expect(entries()).toHaveLength(2);
});

it('a file of just now, or a cache that cannot be written, is read every time', async () => {
  writeFileSync(join(home, 'model.safetensors'), 'first');
  const digest = await baseDigest(home);
  expect(entries()).toEqual([]);
  write('first');
  vi.stubEnv('VLGYM_CACHE', join(home, 'model.safetensors'));
  expect(await baseDigest(home)).toBe(digest);
});
