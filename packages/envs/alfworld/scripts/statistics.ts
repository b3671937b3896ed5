/**
 * Statistics of objects in ALFWorld's games and in generated households, by room: `npx tsx scripts/statistics.ts [DATA]
 * [households] [density]`.
 *
 * DATA is a folder with `game.tw-pddl` files (default: that of `vlgym alfworld download`).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { defaultDataFolder } from '../src/games/index.js';
import { type Density, generateHousehold } from '../src/generator/index.js';
import { publishedMix } from '../src/generator/source.js';
import { TASK_TYPES, type TaskType } from '../src/index.js';
import { type GameContents, readGameContents } from '../test-support/game-contents.js';

const [data = defaultDataFolder(), households = '600', density = 'published'] = process.argv.slice(2);

const real = gameFiles(data).map(readGameContents);
const random = new Generator(0);
const generated = Array.from({ length: Number(households) }, (_, seed): GameContents => {
  const taskType: TaskType = random.choice(TASK_TYPES, { p: publishedMix(TASK_TYPES) });
  const { layout, things } = generateHousehold({ split: 'train', taskType, seed, density: density as Density });
  const receptacles = layout.receptacles.map(({ type }) => type);
  return { room: layout.room, objects: things.map(({ type }) => type), receptacles };
});

console.log('room          games      objects      classes   receptacles   classes      (ALFWorld / generated)');
for (const room of ['Kitchen', 'Bedroom', 'LivingRoom', 'Bathroom']) {
  const sides = [real, generated].map((rooms) => rooms.filter((candidate) => candidate.room === room));
  const row = (measure: (room: GameContents) => number) =>
    sides.map((rooms) => mean(rooms.map(measure)).toFixed(1)).join(' / ');
  const cells = [
    sides.map(({ length }) => length).join(' / '),
    row(({ objects }) => objects.length),
    row(({ objects }) => new Set(objects).size),
    row(({ receptacles }) => receptacles.length),
    row(({ receptacles }) => new Set(receptacles).size),
  ];
  console.log(`${room.padEnd(11)} ${cells.map((cell) => cell.padStart(12)).join(' ')}`);
}
console.log(
  `\ntask mix with \`taskMix: 'published'\`: ${publishedMix(TASK_TYPES).map((share) => `${(100 * share).toFixed(0)} %`)}`,
);

function gameFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('game.tw-pddl'))
      .map((name) => join(folder, name));
  } catch {
    console.log(`no games in ${folder}: vlgym alfworld download`);
    return [];
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
