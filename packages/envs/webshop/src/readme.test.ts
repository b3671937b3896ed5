/** The example in the README runs. */
import { readFileSync } from 'node:fs';
import { registeredIds } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import './index.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('contains the example of examples/', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/go-shopping.ts')}\`\`\``);
});

it('has an example that buys the requested product', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/go-shopping.js');
  expect(log.mock.calls.at(-2)).toEqual(['click[buy now]', 1]);
  log.mockRestore();
});

it('names every environment of the package', () => {
  const names = registeredIds().filter((id) => /shop|WebAgent/i.test(id));
  expect(names).toHaveLength(4);
  for (const id of names) expect(read('../README.md')).toContain(`\`${id}\``);
});
