/** Noise, worlds, steps, pictures and texts agree with recorded runs of crafter 1.8.3 under BALROG's wrapper. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  BALROG_ACTIONS,
  BALROG_INSTRUCTION,
  CrafterEnv,
  describeView,
  OpenSimplex,
  type TextAndImage,
  worldSeedOf,
} from './index.js';

type Step = [
  action: number,
  reward: number,
  done: boolean,
  x: number,
  y: number,
  objects: number,
  semantic: string,
  frame: string,
  inventory: number[],
  text?: string,
];
interface Episode {
  seed: number;
  size: [number, number];
  worldSeed: number;
  materials: string;
  objects: [string, number, number][];
  first: string;
  text: [long: string, short: string];
  steps: Step[];
  stats: { score: number; progression: number; achievements: Record<string, number> };
}
const golden = JSON.parse(
  gunzipSync(readFileSync(new URL('../../../../test/golden/crafter.json.gz', import.meta.url))).toString(),
) as { noise: { seed: number; values: [number, number, number, number][] }[]; episodes: Episode[] };
const hash = (data: Uint8Array, count: number) => createHash('sha256').update(data).digest('hex').slice(0, count);

it.each(golden.noise)('noise of seed $seed, bit for bit', ({ seed, values }) => {
  const noise = new OpenSimplex(seed);
  for (const [x, y, z, wanted] of values) expect(noise.at(x, y, z)).toBe(wanted);
});

describe.each(golden.episodes)('seed $seed, size $size', ({ seed, size, ...wanted }) => {
  const env = new CrafterEnv({ size: size[0] }, 'balrog/Crafter-v0');
  const picture = ({ observation }: { readonly observation: unknown }, count: number) =>
    hash((observation as TextAndImage).image.data, count);

  it('has the world, its first picture and its first texts', () => {
    expect(worldSeedOf(seed, 1)).toBe(wanted.worldSeed);
    const begun = env.reset({ seed });
    const { world } = env.game;
    expect(Buffer.from(world.materials).equals(inflateSync(Buffer.from(wanted.materials, 'base64')))).toBe(true);
    const found = world.objects.map(({ kind, x, y }) => [kind[0]!.toUpperCase() + kind.slice(1), x, y]);
    expect(found).toEqual(wanted.objects);
    expect(picture(begun, 16)).toBe(wanted.first);
    expect(begun.observation).toMatchObject({ text: wanted.text.join('\n\n') });
  });

  it('has every step: reward, end, place, things, map, picture, items, text', () => {
    env.reset({ seed });
    for (const [index, recorded] of wanted.steps.entries()) {
      const step = env.step(recorded[0]);
      const { world, player } = env.game;
      const row: unknown[] = [
        recorded[0],
        step.reward,
        step.terminated,
        player.x,
        player.y,
        world.objects.length,
        hash(world.everything(), 8),
        picture(step, 8),
        Object.values(player.inventory),
      ];
      if (recorded.length > row.length) row.push(describeView(env.game));
      expect(row, `step ${index + 1}`).toEqual(recorded);
      if (index < wanted.steps.length - 1) continue;
      expect(step.info.progression).toBe(wanted.stats.progression);
      expect(step.info.achievements).toEqual(wanted.stats.achievements);
    }
  });
});

it('says what BALROG says', () => {
  const { balrog } = JSON.parse(
    readFileSync(new URL('../../../../test/golden/transfer/prompts.json', import.meta.url), 'utf8'),
  ) as { balrog: { crafter: string; crafterActions: string[] } };
  expect(BALROG_INSTRUCTION).toBe(balrog.crafter);
  expect(BALROG_ACTIONS).toEqual(balrog.crafterActions);
});
