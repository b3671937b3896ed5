import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originalPython } from '@vlgym/alfworld';
import { afterEach, expect, it, vi } from 'vitest';
import type { CommandContext } from '../command.js';
import { verify } from './verify.js';

afterEach(() => vi.unstubAllEnvs());

async function run(options: { episodes: number; seed: number }): Promise<{ code: number | undefined; text: string }> {
  let text = '';
  const stdout = {
    write(part: string) {
      text += part;
      return true;
    },
  };
  const context = { stdout, signal: new AbortController().signal } as unknown as CommandContext;
  return { code: await verify.run({ environment: 'alfworld', ...options }, context), text };
}

it('is skipped, and says how to install the original, where it is absent', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'vlgym-verify-'));
  vi.stubEnv('XDG_CACHE_HOME', empty);
  vi.stubEnv('VLGYM_CACHE', empty);
  vi.stubEnv('VLGYM_ALFWORLD_PYTHON', '');
  const { code, text } = await run({ episodes: 1, seed: 0 });
  expect([code, text]).toEqual([0, expect.stringContaining('vlgym alfworld setup-python')]);
  rmSync(empty, { recursive: true });
});

const NEEDS_PYTHON = originalPython() ? '' : ' (skipped: no Python with alfworld; run vlgym alfworld setup-python)';

it.skipIf(!originalPython())(
  `finds every step equal to the original's${NEEDS_PYTHON}`,
  async () => {
    const { code, text } = await run({ episodes: 2, seed: 40 });
    expect([code, text]).toEqual([0, expect.stringMatching(/texts\s+(\d+)\s+\1\n/)]);
  },
  300_000,
);
