/** The README's example runs, and its list is complete. */
import { readFileSync } from 'node:fs';
import { declaredEnvironments } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the file in examples/', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/first-achievement.ts')}\`\`\``);
});

it('has an example that finds a sapling', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/first-achievement.js');
  expect(log.mock.calls.at(-1)).toContain('collect_sapling');
  log.mockRestore();
});

it('names every environment of the package', () => {
  for (const id of declaredEnvironments(manifest) as string[]) expect(read('../README.md')).toContain(`\`${id}\``);
});
