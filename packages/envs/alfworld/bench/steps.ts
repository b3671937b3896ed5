/**
 * What a step of the engine costs, all admissible commands included, and what it costs to load and reset a game.
 *
 * Real games where VLGYM_ALFWORLD_DATA has them, else generated ones. The original, measured elsewhere with its replanning already
 * patched away, takes 17 to 25 ms a step and 0.25 to 0.6 s for load and reset; cited, not run here.
 *
 * Run it with `npx tsx packages/envs/alfworld/bench/steps.ts` on an idle machine.
 */
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

const loads = games();
const loadTimes = loads.map((load) => timed(() => new Play(load()).reset()));
const [cold = 0] = loadTimes;
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

const warm = loads.map((load) => timed(() => new Play(load()).reset()));
report('step, median', median(steps), GOALS.step);
report('load + reset, warm, median', median(warm), GOALS.load);
report('load + reset, cold', cold, GOALS.cold);

/** Ways to load each game, from file to compiled. */
function games(): (() => Game)[] {
  try {
    return listGames()
      .games.slice(0, 60)
      .map(
        ({ file }) =>
          () =>
            loadGame(file),
      );
  } catch (error) {
    if (!(error instanceof NoGamesError)) throw error;
    console.log('no data: generated households, generation included');
    return Array.from({ length: 60 }, (_, seed) => () => {
      const taskType = TASK_TYPES[seed % TASK_TYPES.length]!;
      return new Game(householdTexts(generateHousehold({ split: 'train', taskType, seed })));
    });
  }
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function report(name: string, milliseconds: number, goal: number): void {
  console.log(
    `${name.padEnd(28)} ${milliseconds.toFixed(3).padStart(8)} ms   goal ${goal} ms   ${milliseconds <= goal ? 'met' : 'missed'}`,
  );
}
