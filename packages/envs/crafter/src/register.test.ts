/** Every id is registered and keeps the contract of an environment. */
import { checkEnv, declaredEnvironments, make, spec } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import './index.js';

const IDS = declaredEnvironments(manifest) as string[];
/** Small, because these tests are about the contract. */
const SMALL = { size: 27, area: [24, 24] };

it.each(IDS)('%s meets the contract of every environment', async (id) => {
  const report = await checkEnv(() => make(id, { options: SMALL as never }), { steps: 20 });
  expect(report.findings.map(({ code }) => code)).toEqual([]);
  expect(spec(id).module).toBe('@vlgym/crafter');
});

describe.each([
  { observation: 'image' },
  { observation: 'text', dialogue: 'compact-v1' },
  { observation: 'text', dialogue: 'balrog-cot-v1', nightNoise: 'own' },
  { observation: 'both', dialogue: 'balrog-naive-v1', split: 'test' },
  { observation: 'both', dialogue: 'plain-v1', maxSteps: 9, size: 31, area: [9, 13] },
])('with %j', (options) => {
  it('Crafter meets it', async () => {
    const report = await checkEnv(() => make('CrafterReward-v1', { options: { ...SMALL, ...options } as never }), {
      steps: 12,
    });
    expect(report.findings).toEqual([]);
  });
});
