/** The examples in the README run. */
import { readFileSync } from 'node:fs';
import { checkEnv, make, registeredIds } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import { REWARD_PRESETS } from './index.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it.each(['play-a-household', 'look-around', 'build-a-household'])('contains examples/%s.ts', (name) => {
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

it('has an example that builds a household, which is won', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../examples/build-a-household.js');
  expect(log.mock.calls.at(-1)).toEqual([expect.stringContaining('You move the rubberduck 1'), 52]);
  log.mockRestore();
});

it('is a package of one’s own in docs/your-environment.md, which meets the contract', async () => {
  const example = read('../examples/register-households.ts');
  expect(read('../../../../docs/your-environment.md')).toContain(`\`\`\`ts\n${example}\`\`\``);
  await import('../examples/register-households.js');
  const report = await checkEnv(() => make('my/TidyUp-v0' as string), { steps: 12 });
  expect(report.findings).toEqual([]);
});

it('names every environment and every reward of the package', () => {
  const ids = registeredIds().filter((id) => id.includes('/Alfred') || id.includes('/ALFWorld'));
  expect(ids).toHaveLength(7);
  for (const name of [...ids, ...Object.keys(REWARD_PRESETS)]) expect(read('../README.md')).toContain(`\`${name}\``);
});
