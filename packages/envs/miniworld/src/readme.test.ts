/** The README's example runs, and its lists are complete. */
import { readFileSync } from 'node:fs';
import { registeredIds } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import './index.js';
import { RECIPES } from './textures/recipes.js';
import { textureNames, textureVariants } from './world/texture-names.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the file in examples/', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/walk-to-the-box.ts')}\`\`\``);
});

it('packs the examples that the README refers to', () => {
  expect(JSON.parse(read('../package.json')).files).toContain('examples');
});

it.each([
  ['walk-to-the-box', /^reward 0\.9/],
  ['own-world', /^reached the lamp after \d+ steps, reward 1$/],
])('examples/%s plays an episode to its reward', async (name, last) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(`../examples/${name}.ts`);
  expect(log.mock.calls.at(-1)?.[0]).toMatch(last);
  log.mockRestore();
});

it('names every environment of the package', () => {
  const names = registeredIds().filter((id) => id.startsWith('MiniWorld-'));
  expect(names).toHaveLength(23);
  for (const id of names) expect(read('../README.md')).toContain(`\`${id.replace(/^MiniWorld-|-v0$/g, '')}\``);
});

it('has a recipe for every variant of every texture', () => {
  const counts = Object.fromEntries(Object.entries(RECIPES).map(([name, variants]) => [name, variants.length]));
  expect(counts).toEqual(Object.fromEntries(textureNames().map((name) => [name, textureVariants(name)])));
});
