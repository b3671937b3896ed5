/**
 * What a step of the engine costs, all admissible commands included, and what it costs to load and reset a game.
 *
 * Real games where VLGYM_ALFWORLD_DATA has them, else generated ones. With VLGYM_ALFWORLD_PYTHON, an interpreter that
 * has alfworld, the original plays some of the same games in the same run. Without its replanning it was measured
 * elsewhere at 17 to 25 ms a step and 0.25 to 0.6 s for load and reset.
 *
 * Run it with `npx tsx packages/envs/alfworld/bench/steps.ts` on an idle machine.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Generator } from '@vlgym/core';
import {
  Game,
  generateHousehold,
  householdTexts,
  listGames,
  loadGame,
  NoGamesError,
  Play,
  TASK_TYPES,
} from '../src/index.js';

const GOALS = { step: 0.15, load: 5, cold: 60 };

const files = gameFiles();
const loads = games();
const cold = cpuTime(() => new Play(loads[0]!()).reset());
for (let round = 0; round < 3; round += 1) for (const load of loads) load();
const plays = loads.map((load) => new Play(load()));
const rng = new Generator(0);
const steps: number[] = [];
for (let round = 0; round < 3; round += 1) {
  for (const play of plays) {
    play.reset();
    for (let step = 0; step < 50; step += 1) {
      const command = rng.choice(play.admissible);
      const time = timed(() => {
        play.step(command);
        return play.admissible;
      });
      if (round > 0) steps.push(time);
    }
  }
}

const warm = cpuTime(() => loads.map((load) => new Play(load()).reset())) / loads.length;
report('step, median', median(steps), GOALS.step);
report('load + reset, warm, CPU', warm, GOALS.load);
report('load + reset, cold, CPU', cold, GOALS.cold);

const python = process.env.VLGYM_ALFWORLD_PYTHON;
if (python && files.length > 0) {
  const script = fileURLToPath(new URL('original.py', import.meta.url));
  const output = execFileSync(python, [script, '20', ...files.slice(0, 5)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const original = JSON.parse(output) as { step: number; load: number };
  console.log(
    `original, step               ${original.step.toFixed(1).padStart(8)} ms   ${(original.step / median(steps)).toFixed(0)} x ours`,
  );
  console.log(
    `original, load + reset       ${original.load.toFixed(1).padStart(8)} ms   ${(original.load / warm).toFixed(0)} x ours`,
  );
}

/** Ways to load each game, from file to compiled. */
function games(): (() => Game)[] {
  if (files.length > 0) return files.map((file) => () => loadGame(file));
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

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Milliseconds of CPU time of the whole process, garbage collection included; a busy neighbour does not count. */
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
