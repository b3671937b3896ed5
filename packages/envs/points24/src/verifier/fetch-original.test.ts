/** A set-up that cannot reach the original's repository says so in a line, not in a traceback. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = (path: string) => fileURLToPath(new URL(`../../../${path}/python/fetch_original.py`, import.meta.url));
const isThere = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!isThere)(`without a network${isThere ? '' : ' (skipped: no python3)'}`, () => {
  it.each([
    ['points24', ['/absent']],
    ['webshop', ['/absent', '/absent']],
  ])('%s names the address and the reason', (name, args) => {
    const nowhere = 'http://127.0.0.1:9';
    const env = { ...process.env, https_proxy: nowhere, HTTPS_PROXY: nowhere };
    const { status, stderr } = spawnSync('python3', [script(name), ...args], { env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/^cannot fetch https:\/\/codeload\.github\.com\/\S+: .*refused/);
    expect(stderr).not.toContain('Traceback');
  });
});
