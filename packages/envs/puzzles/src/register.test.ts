/** Every id is registered and keeps the contract of an environment. */
import { checkEnv, declaredEnvironments, make, spec } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import './index.js';

const IDS = declaredEnvironments(manifest) as string[];
/** Small, because larger rooms take a second to draw. */
const SMALL = { rows: 6, columns: 6, boxes: 1 };
const optionsOf = (id: string) => (id.startsWith('Sokoban') ? SMALL : {});

it.each(IDS)('%s meets the contract of every environment', async (id) => {
  const report = await checkEnv(() => make(id, { options: optionsOf(id) as never }), { steps: 20 });
  expect(report.findings.map(({ code }) => code)).toEqual([]);
  expect(spec(id).module).toBe('@vlgym/puzzles');
});

describe.each<[string, readonly object[]]>([
  ['Sokoban-v0', [{ observation: 'text', dialogue: 'compact-v1' }, { look: 'tiny', tileSize: 1 }, { split: 'test' }]],
  [
    'FrozenLake-v1',
    [
      { observation: 'image', tileSize: 5 },
      { observation: 'text', dialogue: 'compact-v1', successRate: 0.8 },
      { desc: ['SFH', 'FFG'] },
    ],
  ],
  [
    'vagen/Sokoban-v0',
    [
      { observation: 'image' },
      { dialogue: 'vagen-free-think-v1', minSolutionSteps: [3, 8] },
      { dialogue: 'vagen-free-wm-v1', split: 'train' },
      { dialogue: 'compact-v1' },
    ],
  ],
  [
    'vagen/FrozenLake-v0',
    [
      { observation: 'image', size: 6 },
      { dialogue: 'vagen-wm-v1', isSlippery: true },
      { dialogue: 'compact-v1', split: 'test' },
    ],
  ],
])('%s', (id, many) => {
  it.each(many)('meets it with %j', async (options) => {
    const report = await checkEnv(() => make(id, { options: { ...optionsOf(id), ...options } as never }), {
      steps: 12,
    });
    expect(report.findings).toEqual([]);
  });
});
