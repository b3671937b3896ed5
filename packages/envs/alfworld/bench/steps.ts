/**
 * Measures a step of the engine, including all admissible commands, and loading and resetting a game.
 *
 * CPU time of the whole process, so that other load does not count; medians over games, after three warm-up rounds. Plays
 * original games from VLGYM_ALFWORLD_DATA, or else generated ones. With VLGYM_ALFWORLD_PYTHON, an interpreter with
 * alfworld, the original plays six of the same games in the same run, and ratios are over these games.
 *
 * Run it with `npx tsx packages/envs/alfworld/bench/steps.ts`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Generator } from '@vlgym/core';
import { Game, listGames, loadGame, NoGamesError, Play } from '../src/games/index.js';
import { generateHousehold, householdTexts } from '../src/generator/index.js';
import { TASK_TYPES } from '../src/index.js';

const GOALS = { step: 0.15, load: 5, cold: 60 };
const ROUNDS = 5;
const STEPS = 50;

type Load = () => Game;

const files = gameFiles();
const loads = files.length > 0 ? files.map((file) => () => loadGame(file)) : generated();
const cold = cpuTime(() => new Play(loads[0]!()).reset());
for (let round = 0; round < 3; round += 1) for (const load of loads) walk(new Play(load()), new Generator(round));

const { step, load } = measure(loads);
report('step, median', step, GOALS.step);
report('load + reset, median, warm', load, GOALS.load);
report('load + reset, first', cold, GOALS.cold);

const python = process.env.VLGYM_ALFWORLD_PYTHON;
if (python && files.length > 0) {
  const chosen = files.filter((_, index) => index % Math.ceil(files.length / 6) === 0);
  const script = fileURLToPath(new URL('original.py', import.meta.url));
  const output = execFileSync(python, [script, '20', ...chosen], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const original = JSON.parse(output) as { step: number; load: number };
  const ours = measure(chosen.map((file) => () => loadGame(file)));
  compare('step', original.step, ours.step);
  compare('load + reset', original.load, ours.load);
}

/** Medians in milliseconds of a step, averaged over a walk, and of load and reset. */
function measure(all: readonly Load[]): { readonly step: number; readonly load: number } {
  const [steps, starts]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const load of all) {
      let play: Play | undefined;
      starts.push(
        cpuTime(() => {
          play = new Play(load());
          play.reset();
        }),
      );
      const rng = new Generator(round);
      steps.push(cpuTime(() => walk(play!, rng)) / STEPS);
    }
  }
  return { step: median(steps), load: median(starts) };
}

/** Walks at random, computing all admissible commands after each step. */
function walk(play: Play, rng: Generator): void {
  play.reset();
  for (let step = 0; step < STEPS; step += 1) play.step(rng.choice(play.admissible));
}

function generated(): Load[] {
  console.log('no data: generated households, generation included');
  return Array.from({ length: 60 }, (_, seed) => () => {
    const taskType = TASK_TYPES[seed % TASK_TYPES.length]!;
    return new Game(householdTexts(generateHousehold({ split: 'train', taskType, seed })));
  });
}

function gameFiles(): string[] {
  try {
    return listGames()
      .games.slice(0, 60)
      .map(({ file }) => file);
  } catch (error) {
    if (error instanceof NoGamesError) return [];
    throw error;
  }
}

/** Milliseconds of CPU time, including garbage collection. */
function cpuTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function report(name: string, milliseconds: number, goal: number): void {
  console.log(
    `${name.padEnd(28)} ${milliseconds.toFixed(3).padStart(8)} ms   goal ${goal} ms   ${milliseconds <= goal ? 'met' : 'missed'}`,
  );
}

function compare(name: string, original: number, ours: number): void {
  const times = (original / ours).toFixed(0);
  console.log(`${`original, ${name}`.padEnd(28)} ${original.toFixed(1).padStart(8)} ms   ${times} x ours`);
}
