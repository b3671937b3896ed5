/**
 * `vlgym verify minigrid`: fresh episodes of all levels, the same seeds and actions in minigrid's own Python.
 *
 * Half of the actions are the expert's, so that missions are completed. Every fourth episode also compares pictures.
 */
import { createHash } from 'node:crypto';
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside, Tally } from '@vlgym/core/verification';
import { z } from 'zod';
import { createMiniGrid } from './env/make-level.js';
import type { MiniGridEnv } from './env/minigrid-env.js';
import { Painter } from './pictures/picture.js';
import { LEVELS, type LevelId } from './suite.js';
import { View } from './view/view.js';

const MAX_ACTIONS = 80;
/** An interpreter that has minigrid. */
const VARIABLE = 'VLGYM_MINIGRID_PYTHON';

const python = new OriginalPython({
  name: 'minigrid',
  requirements: ['minigrid==3.2.0', 'gymnasium==1.4.0', 'numpy>=2,<3'],
  variable: VARIABLE,
});

const state = z.tuple([z.array(z.number()), z.string(), z.string(), z.string()]);
const played = z.tuple([
  z.tuple([z.string(), z.number(), state]),
  z.array(z.tuple([z.number(), z.boolean(), z.boolean(), state])),
]);
type Played = z.output<typeof played>;

export const minigrid: Verification = {
  missing: () => (python.interpreter === undefined ? "the original's Python" : undefined),
  setup: (options) => python.setup(options),
  compare,
};

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const tally = new Tally(['missions and limits', 'beginnings', 'rewards', 'ends', 'states after a step']);
  const original = new OriginalProcess({
    command: [python.interpreter!, scriptBeside(import.meta.url, 'original.py')],
  });
  const ids = Object.keys(LEVELS) as LevelId[];
  try {
    for (let episode = 0; episode < episodes && !signal?.aborted; episode += 1) {
      const random = new Generator(seed + episode);
      // every level in turn, in a mixed order
      const id = ids[(episode * 37) % ids.length]!;
      const pictures = episode % 4 === 0;
      const { actions, ours } = play(id, seed + episode, random, pictures);
      const theirs = played.parse(await original.ask({ id, seed: seed + episode, actions, pictures }));
      comparePlay(tally, `${id}, seed ${seed + episode}`, ours, theirs);
    }
  } finally {
    await original.close();
  }
  return { agreements: tally.agreements };
}

function play(id: LevelId, seed: number, random: Generator, pictures: boolean) {
  const env = createMiniGrid(id);
  const painter = new Painter(8);
  const view = new View(7);
  const now = ({ image }: { readonly image: Uint8Array }): Played[0][2] => {
    const { world } = env;
    view.look(world);
    const { height, width } = painter.viewSize(view);
    const picture = pictures ? digest(painter.drawView(view, new Uint8Array(height * width * 3)).data) : '';
    return [[world.agentX, world.agentY, world.direction], digest(image), digest(world.grid.encode()), picture];
  };
  const { observation } = env.reset({ seed });
  const begun: Played[0] = [env.world.mission, env.world.maxSteps, now(observation)];
  const actions: number[] = [];
  const rows: Played[1] = [];
  for (let over = false; !over && actions.length < MAX_ACTIONS; ) {
    const action = choose(env, random);
    const step = env.step(action);
    actions.push(action);
    rows.push([step.reward, step.terminated, step.truncated, now(step.observation)]);
    over = step.terminated || step.truncated;
  }
  return { actions, ours: [begun, rows] as Played };
}

function choose(env: MiniGridEnv, random: Generator): number {
  const expert = random.integers(0, 2) === 0 ? env.oracle() : undefined;
  return expert ?? random.integers(0, env.actionSpace.n);
}

function comparePlay(tally: Tally, place: string, [begun, rows]: Played, [theirBegun, theirRows]: Played): void {
  tally.equal('missions and limits', place, begun.slice(0, 2), theirBegun.slice(0, 2));
  tally.equal('beginnings', place, begun[2], theirBegun[2]);
  for (const [index, [reward, terminated, truncated, after]] of rows.entries()) {
    const [theirReward, theirEnd, theirCut, theirAfter] = theirRows[index] ?? [];
    const where = `${place}, step ${index + 1}`;
    tally.equal('rewards', where, reward, theirReward);
    tally.equal('ends', where, [terminated, truncated], [theirEnd, theirCut]);
    tally.equal('states after a step', where, after, theirAfter);
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
