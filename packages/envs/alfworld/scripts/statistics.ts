/**
 * What lies in ALFWorld's games and in generated households, by room: `npx tsx scripts/statistics.ts [DATA] [households] [density]`.
 *
 * DATA is a folder with `game.tw-pddl` files (default: that of `vlgym alfworld download`). Counted are objects that lie in or on
 * a receptacle at the start: ALFWorld's problems also declare windows, taps and lamps that no text ever shows.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { publishedMix } from '../src/generator/source.js';
import { type Density, defaultDataFolder, generateHousehold, TASK_TYPES, type TaskType } from '../src/index.js';

interface Room {
  readonly room: string;
  readonly task: string;
  readonly objects: readonly string[];
  readonly receptacles: readonly string[];
}

const [data = defaultDataFolder(), households = '600', density = 'published'] = process.argv.slice(2);

const real = gameFiles(data).flatMap(readGame);
const random = new Generator(0);
const generated = Array.from({ length: Number(households) }, (_, seed): Room => {
  const taskType: TaskType = random.choice(TASK_TYPES, { p: publishedMix(TASK_TYPES) });
  const { layout, things } = generateHousehold({ split: 'train', taskType, seed, density: density as Density });
  const receptacles = layout.receptacles.map(({ type }) => type);
  return { room: layout.room, task: taskType, objects: things.map(({ type }) => type), receptacles };
});

console.log('room          games      objects      classes   receptacles   classes      (ALFWorld / generated)');
for (const room of ['Kitchen', 'Bedroom', 'LivingRoom', 'Bathroom']) {
  const sides = [real, generated].map((rooms) => rooms.filter((candidate) => candidate.room === room));
  const row = (measure: (room: Room) => number) =>
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

function readGame(file: string): Room[] {
  const { pddl_problem: problem } = JSON.parse(readFileSync(file, 'utf8')) as { pddl_problem: string };
  const placed = new Set([...problem.matchAll(/\(inReceptacle (\S+) /g)].map(([, id]) => id!));
  const ids = (kind: string) => [...problem.matchAll(new RegExp(`(\\S+) - ${kind}\\b`, 'g'))].map(([, id]) => id!);
  const classOf = (id: string) => id.split('_bar_')[0]!;
  const receptacles = ids('receptacle').map(classOf);
  const room = receptacles.includes('Fridge')
    ? 'Kitchen'
    : receptacles.includes('Toilet')
      ? 'Bathroom'
      : receptacles.includes('Bed')
        ? 'Bedroom'
        : 'LivingRoom';
  const objects = ids('object')
    .filter((id) => placed.has(id))
    .map(classOf);
  return [{ room, task: file, objects, receptacles }];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
