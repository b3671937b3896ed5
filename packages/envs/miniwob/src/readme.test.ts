/** The README's example is the file, and its lists are complete. */
import { readFileSync } from 'node:fs';
import { declaredEnvironments, registeredIds } from '@vlgym/core';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { TASKS } from './index.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the file in examples/', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/first-task.ts')}\`\`\``);
});

it('names every environment and task of the package', () => {
  expect(registeredIds()).toEqual(expect.arrayContaining([...declaredEnvironments(manifest)]));
  for (const name of [...(declaredEnvironments(manifest) as string[]), ...TASKS.keys()]) {
    expect(read('../README.md')).toContain(`\`${name}\``);
  }
});
