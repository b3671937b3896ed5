/** Chromium that does not start, and what a failed reset leaves behind. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { SiteEnv } from '../env/site-env.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-launch-'));
afterAll(() => rmSync(home, { recursive: true }));

function script(name: string, body: string): string {
  const path = join(home, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

const task = (start: string) => ({ instruction: '', start, judge: () => ({ reward: 0, done: false }) });

describe.skipIf(process.platform === 'win32')('a Chromium that does not start (needs a POSIX shell)', () => {
  it.each([
    [
      'echo "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127',
      /the library libnss3\.so is missing/,
    ],
    ['echo "No usable sandbox!" >&2; exit 1', /No usable sandbox!/],
    ['exit 3', /does not start/],
  ])('says why: %s', async (body, message) => {
    const executablePath = script('chrome', body);
    const env = new SiteEnv([task('http://127.0.0.1:9/')], { executablePath });
    const error = await env.reset().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'CHROMIUM_DOES_NOT_START', message: expect.stringMatching(message) });
    await env.close();
  });
});

describe.skipIf(!CHROMIUM || process.platform === 'win32')(`a reset that throws${NEEDS_CHROMIUM}`, () => {
  const alive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return !/^State:\s+Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
    } catch {
      return false;
    }
  };

  it('leaves no Chromium behind, though nobody closes the environment', async () => {
    const file = join(home, 'pid');
    const executablePath = script('real', `echo $$ > ${file}; exec ${CHROMIUM} "$@"`);
    const env = new SiteEnv([task('http://127.0.0.1:9/')], { executablePath, warm: true });
    await expect(env.reset()).rejects.toMatchObject({ code: 'SITE_UNREACHABLE' });
    const pid = Number(readFileSync(file, 'utf8'));
    await vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 10_000 });
  });
});
