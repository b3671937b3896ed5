/**
 * `vlgym verify crafter`: fresh worlds and random actions, the same seeds and actions in crafter's own Python.
 *
 * Actions come in runs, so that the player gets somewhere, and episodes reach the night.
 */
import { createHash } from 'node:crypto';
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside, Tally } from '@vlgym/core/verification';
import { z } from 'zod';
import { CrafterEnv } from './env/crafter-env.js';
import { ACTIONS } from './world/rules.js';

const MAX_ACTIONS = 320;
/** An interpreter that has crafter. */
const VARIABLE = 'VLGYM_CRAFTER_PYTHON';

const python = new OriginalPython({
  name: 'crafter',
  requirements: ['crafter==1.8.3', 'opensimplex==0.4.5.1', 'pillow>=11', 'numpy>=2,<3'],
  variable: VARIABLE,
});

const played = z.tuple([
  z.tuple([z.string(), z.array(z.tuple([z.string(), z.number(), z.number()])), z.string()]),
  z.array(z.tuple([z.number(), z.boolean(), z.array(z.number()), z.string(), z.string()])),
]);
type Played = z.output<typeof played>;

export const crafter: Verification = {
  missing: () => (python.interpreter === undefined ? "the original's Python" : undefined),
  setup: (options) => python.setup(options),
  compare,
};

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const tally = new Tally(['worlds', 'rewards and ends', 'items', 'maps after a step', 'pictures']);
  const original = new OriginalProcess({
    command: [python.interpreter!, scriptBeside(import.meta.url, 'original.py')],
  });
  try {
    for (let episode = 0; episode < episodes && !signal?.aborted; episode += 1) {
      const random = new Generator(seed + episode);
      const setting = {
        seed: seed + episode,
        size: [64, 84, 256][episode % 3]!,
        area: episode % 4 === 3 ? [40, 52] : [64, 64],
        episodes: 1 + (episode % 2),
      };
      const actions = drawActions(random);
      const [begun, rows] = play(setting, actions);
      const [theirBegun, theirRows] = played.parse(await original.ask({ ...setting, actions }));
      const place = `seed ${setting.seed}, size ${setting.size}`;
      tally.equal('worlds', place, begun.slice(0, 2), theirBegun.slice(0, 2));
      tally.equal('pictures', place, begun[2], theirBegun[2]);
      for (const [index, [reward, done, items, map, picture]] of rows.entries()) {
        const [theirReward, theirDone, theirItems, theirMap, theirPicture] = theirRows[index] ?? [];
        const where = `${place}, step ${index + 1}`;
        tally.equal('rewards and ends', where, [reward, done], [theirReward, theirDone]);
        tally.equal('items', where, items, theirItems);
        tally.equal('maps after a step', where, map, theirMap);
        tally.equal('pictures', where, picture, theirPicture);
      }
    }
  } finally {
    await original.close();
  }
  return { agreements: tally.agreements };
}

/** Runs of one action, of up to eight steps. */
function drawActions(random: Generator): number[] {
  const actions: number[] = [];
  while (actions.length < MAX_ACTIONS) {
    const action = random.integers(0, ACTIONS.length);
    actions.push(...new Array<number>(random.integers(1, 9)).fill(action));
  }
  return actions.slice(0, MAX_ACTIONS);
}

interface Setting {
  readonly seed: number;
  readonly size: number;
  readonly area: readonly number[];
  readonly episodes: number;
}

function play({ seed, size, area, episodes }: Setting, actions: readonly number[]): Played {
  const env = new CrafterEnv({ size, area: [area[0]!, area[1]!] });
  let { observation } = env.reset({ seed });
  for (let episode = 1; episode < episodes; episode += 1) ({ observation } = env.reset());
  const picture = (seen: unknown) => digest((seen as { data: Uint8Array }).data);
  const objects = env.game.world.objects.map(({ kind, x, y }): [string, number, number] => [kind, x, y]);
  const begun: Played[0] = [digest(env.game.world.materials), objects, picture(observation)];
  const rows: Played[1] = [];
  for (const action of actions) {
    const step = env.step(action);
    const done = step.terminated || step.truncated;
    const items = Object.values(step.info.inventory);
    rows.push([step.reward, done, items, digest(env.game.world.everything()), picture(step.observation)]);
    if (done) break;
  }
  return [begun, rows];
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
