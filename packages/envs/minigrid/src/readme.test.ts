/** The README's example runs. */
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the file in examples/', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/find-the-door.ts')}\`\`\``);
});

it('has an example that reaches its goal', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/find-the-door.js');
  expect(log.mock.calls.at(-1)?.[1]).toBeGreaterThan(0.5);
  log.mockRestore();
});
