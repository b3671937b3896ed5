import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';

const here = (path: string) => new URL(`../${path}`, import.meta.url);

afterEach(() => vi.restoreAllMocks());

describe('the example of the README', () => {
  it('runs, and the expert wins', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import('../examples/compare-agents.js');
    const lines = log.mock.calls.map(([line]) => String(line));
    expect(lines).toEqual([
      expect.stringMatching(/^oracle: 100 % solved \(\d+-100 %, \d+ tasks\), mean return /),
      expect.stringMatching(/^random: \d+ % solved/),
      expect.stringMatching(/^difference [1-9]\d* points, p = /),
    ]);
  });

  it('equals the example in the README', async () => {
    const example = await readFile(here('examples/compare-agents.ts'), 'utf8');
    expect(await readFile(here('README.md'), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  });
});
