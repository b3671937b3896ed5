/** Every id is registered and plays; one of each kind is checked against the whole contract, with each kind of observation. */
import { checkEnv, declaredEnvironments, make, spec } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import './index.js';
import { ONE_WORLD } from './register.js';

const IDS = declaredEnvironments(manifest) as string[];
const withoutNumbers = (id: string) => id.replace(/\d+/g, '');
/** The first of those that differ in numbers only. */
const KINDS = IDS.filter((id, at) => IDS.findIndex((other) => withoutNumbers(other) === withoutNumbers(id)) === at);

it('has the 172 ids of minigrid 3.2.0 that need no further package, and the one of BabyAI-Text', () => {
  expect(IDS).toHaveLength(173);
  for (const id of IDS) expect(spec(id).module).toBe('@vlgym/minigrid');
});

it.each(IDS)('%s begins with a member of its space, and is restored', async (id) => {
  const env = await make(id);
  const { observation, info } = await env.reset({ seed: 5 });
  expect(env.observationSpace.contains(observation)).toBe(true);
  expect(info.taskKey).toEqual(expect.stringContaining('minigrid:'));
  const saved = await env.snapshot!();
  const next = await env.step(2);
  await env.restore!(saved);
  expect(await env.step(2)).toEqual(next);
});

it.each(KINDS.filter((_, at) => at % 3 === 0))('%s meets the contract of every environment', async (id) => {
  const report = await checkEnv(() => make(id), { steps: 8 });
  const allowed = ONE_WORLD.includes(id as never) ? ['SEED_WITHOUT_EFFECT'] : [];
  expect(report.findings.map(({ code }) => code)).toEqual(allowed);
});

describe.each([
  'MiniGrid-DoorKey-8x8-v0',
  'MiniGrid-Dynamic-Obstacles-Random-6x6-v0',
  'BabyAI-PutNextS5N2Carrying-v0',
  'BabyAI-MixedTrainLocal-v0',
])('%s', (id) => {
  it.each<[string, object]>([
    ['pictures of the view', { observation: 'image', tileSize: 4 }],
    ['pictures of the whole world', { observation: 'image', view: 'whole', tileSize: 3, highlight: false }],
    ['text', { observation: 'text', dialogue: 'compact-v1' }],
    ['both', { observation: 'both', viewSize: 5 }],
    ['text, and the words of BALROG', { observation: 'text', dialogue: 'balrog-cot-v1' }],
    ['training tasks', { split: 'train', maxSteps: 30 }],
  ])('meets it with %s', async (_, options) => {
    const report = await checkEnv(() => make(id, { options: options as never }), { steps: 15 });
    expect(report.findings).toEqual([]);
  });
});
