/** The examples in the README run. */
import { readFileSync } from 'node:fs';
import { registeredIds } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import { REWARD_PRESETS } from './index.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it.each(['play-a-household', 'look-around'])('contains examples/%s.ts', (name) => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read(`../examples/${name}.ts`)}\`\`\``);
});

it('has an example that plays a household until it is rewarded', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/play-a-household.js');
  expect(log.mock.calls.at(-1)?.[1]).toBeGreaterThan(50);
  log.mockRestore();
});

it('has an example that observes pictures', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/look-around.js');
  expect(log.mock.calls.at(-1)?.[0]).toContain('1 message with 300 x 300 pixels: ');
  log.mockRestore();
});

it('names every environment and every reward of the package', () => {
  const ids = registeredIds().filter((id) => id.includes('/Alfred') || id.includes('/ALFWorld'));
  expect(ids).toHaveLength(7);
  for (const name of [...ids, ...Object.keys(REWARD_PRESETS)]) expect(read('../README.md')).toContain(`\`${name}\``);
});
