/**
 * `vlgym verify puzzles`: rooms and episodes of Sokoban, maps and episodes of FrozenLake, in the originals' own Python.
 */
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside, Tally } from '@vlgym/core/verification';
import { FrozenLakeEnv } from './lake/frozen-lake-env.js';
import { randomMap } from './lake/maps.js';
import { SokobanGame } from './sokoban/game.js';
import { generateRoom } from './sokoban/generate.js';
import { generatorsOf } from './sokoban/levels.js';
import { digits } from './sokoban/room.js';

const ACTIONS = 30;
/** An interpreter that has the packages. */
const VARIABLE = 'VLGYM_PUZZLES_PYTHON';

const python = new OriginalPython({
  name: 'puzzles',
  requirements: [
    'gymnasium==1.4.0',
    'gym==0.26.2',
    'gym-sokoban==0.0.6',
    'imageio>=2',
    'requests>=2',
    'tqdm>=4',
    'setuptools<80',
    'numpy>=2,<3',
  ],
  variable: VARIABLE,
});

export const puzzles: Verification = {
  missing: () => (python.interpreter === undefined ? "the originals' Python" : undefined),
  setup: (options) => python.setup(options),
  compare,
};

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const tally = new Tally(['rooms and maps', 'draws after a room', 'steps']);
  const original = new OriginalProcess({
    command: [python.interpreter!, scriptBeside(import.meta.url, 'original.py')],
  });
  try {
    for (let episode = 0; episode < episodes && !signal?.aborted; episode += 1) {
      const random = new Generator(seed + episode);
      const side = random.integers(5, 8);
      const { request, answer } =
        episode % 2 === 0
          ? playSokoban(side, random.integers(1, 3), seed + episode, random)
          : playLake(side, seed + episode, random);
      const theirs = (await original.ask(request)) as unknown[];
      const place = JSON.stringify({ ...request, actions: undefined });
      if (request.game === 'sokoban') {
        tally.equal('rooms and maps', place, answer[0], theirs[0]);
        tally.equal('draws after a room', place, answer[1], theirs[1]);
      } else tally.equal('rooms and maps', place, answer.slice(0, 2), theirs.slice(0, 2));
      for (const [index, row] of (answer[2] as unknown[]).entries()) {
        tally.equal('steps', `${place}, step ${index + 1}`, row, (theirs[2] as unknown[] | undefined)?.[index]);
      }
    }
  } finally {
    await original.close();
  }
  return { agreements: tally.agreements };
}

interface Play {
  readonly request: Readonly<Record<string, unknown>> & { readonly game: string };
  readonly answer: readonly unknown[];
}

const draw = (random: Generator, count: number): number[] => random.integersArray(0, count, ACTIONS);

function playSokoban(side: number, boxes: number, seed: number, random: Generator): Play {
  const actions = draw(random, 9);
  const size = { rows: side, columns: side, boxes };
  const generators = generatorsOf(seed);
  const generated = generateRoom(size, generators);
  const draws = [generators.python.random(), generators.numpy.random()];
  const request = { game: 'sokoban', ...size, seed, actions };
  if (!('room' in generated)) return { request, answer: [[generated.reason], draws, []] };
  const { room } = generated;
  const game = new SokobanGame(room, boxes);
  const rows = actions.map((action) => {
    const { reward } = game.play(action);
    return [reward, game.isSolved, digits(game.state)];
  });
  return { request, answer: [[digits(room.fixed), digits(room.state)], draws, rows] };
}

function playLake(size: number, seed: number, random: Generator): Play {
  const actions = draw(random, 4);
  const [frozen, slippery] = [0.8, random.integers(0, 2) === 0];
  const desc = randomMap(size, frozen, seed);
  const env = new FrozenLakeEnv({ desc, isSlippery: slippery });
  const { observation: start } = env.reset({ seed });
  const rows = actions.map((action) => {
    const { observation, reward, terminated, info } = env.step(action);
    return [observation, reward, terminated, info.prob];
  });
  return { request: { game: 'lake', size, frozen, seed, slippery, actions }, answer: [desc, start, rows] };
}
