/** The README's example runs, and its list is complete. */
import { readFileSync } from 'node:fs';
import { registeredIds } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import './index.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the file in examples/', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/play-with-words.ts')}\`\`\``);
});

it('has an example that plays an episode to its reward', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/play-with-words.js');
  expect(log.mock.calls.at(-1)?.[1]).toBe(10);
  log.mockRestore();
});

it('names every environment of the package', () => {
  const names = registeredIds().filter((id) => id.startsWith('gym_cards/'));
  expect(names).toHaveLength(4);
  for (const id of names) expect(read('../README.md')).toContain(`\`${id}\``);
});
