/** Generated households are solvable and seeded, and splits differ by layout. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { AlfworldEnv } from '../env/alfworld.js';
import { planToGoal } from '../experts/planner.js';
import { listGames } from '../games/collection.js';
import { loadGame } from '../games/game-file.js';
import { TASK_TYPES } from '../games/task.js';
import { householdFiles, writeHousehold } from './files.js';
import { generateHousehold, type HouseholdChoice, householdTexts, parseHouseholdId } from './household.js';
import { GENERATED_SPLITS } from './household-types.js';
import { layoutOf, poseKey, ROOM_TYPES } from './layout.js';
import { GeneratedSource, type GeneratedSourceOptions, publishedMix } from './source.js';

const choice = (index: number) => ({
  split: GENERATED_SPLITS[index % 3]!,
  taskType: TASK_TYPES[Math.floor(index / 3) % 6]!,
  seed: Math.floor(index / 18),
});

describe('a source of households', () => {
  const drawn = (options: GeneratedSourceOptions, count: number) => {
    const source = new GeneratedSource(options);
    source.seed(3);
    return Array.from({ length: count }, () => source.next().taskType);
  };

  it("has ALFWorld's mix of task types if it is asked for", () => {
    // 22, 9, 18, 13, 15 and 23 % of 3,553 training games: docs/specs/alfworld.md
    expect(publishedMix(TASK_TYPES).map((share) => Math.round(100 * share))).toEqual([22, 9, 18, 13, 15, 23]);
    expect(publishedMix(['look_at_obj_in_light'])).toEqual([1]);
    const types = drawn({ taskMix: 'published', taskTypes: ['look_at_obj_in_light', 'pick_two_obj_and_place'] }, 30);
    const looks = types.filter((type) => type === 'look_at_obj_in_light').length / types.length;
    expect(looks).toBeGreaterThan(0.1);
    expect(looks).toBeLessThan(0.45); // 308 of 1,121 games
  });

  it('refuses the mix for games of files, which have their own', () => {
    expect(() => new AlfworldEnv({ games: ['/absent'], taskMix: 'published' })).toThrow(/Invalid taskMix/);
  });

  it('gives the same households as before without it', () => {
    expect(drawn({ taskMix: 'uniform' }, 6)).toEqual(drawn({}, 6));
  });
});

describe('fifteen hundred households', () => {
  const households = Array.from({ length: 1500 }, (_, index) => generateHousehold(choice(index)));

  it('are all solved by the planner, and none is solved at the start', { timeout: 300_000 }, () => {
    for (const household of households) {
      const play = new Play(new Game(householdTexts(household)));
      expect(play.reset()).toContain(`Your task is to: ${household.sentence}.`);
      expect(play.won, household.id).toBe(false);
      const plan = planToGoal(play);
      expect(plan, household.id).toBeDefined();
      for (const command of plan!) play.step(command);
      expect(play.won, household.id).toBe(true);
    }
  });

  it('have unique ids, and so do the objects in each', () => {
    expect(new Set(households.map(({ id }) => id)).size).toBe(1500);
    for (const { id, layout, things } of households) {
      const ids = [...layout.receptacles, ...things].map((object) => object.id);
      expect(new Set(ids).size, id).toBe(ids.length);
      expect(parseHouseholdId(id)).toMatchObject({ split: id.split('/')[0] });
    }
  });

  it('have at most three objects per class, all inside the room', () => {
    for (const { layout, things } of households) {
      for (const {
        type,
        position: [x, y, z],
      } of things) {
        expect(things.filter((thing) => thing.type === type).length).toBeLessThanOrEqual(3);
        expect(Math.abs(x) <= layout.width / 2 && Math.abs(z) <= layout.depth / 2 && y > 0 && y < 2.5).toBe(true);
      }
    }
  });
});

it('is the same, byte for byte, from the same seed', () => {
  const bytes = () =>
    Array.from({ length: 36 }, (_, index) => JSON.stringify(householdFiles(generateHousehold(choice(index * 7)))));
  expect(bytes()).toEqual(bytes());
});

it('does not change without a new version of the generator', () => {
  const hash = createHash('sha256');
  for (let index = 0; index < 36; index += 1)
    hash.update(JSON.stringify(householdTexts(generateHousehold(choice(index))).problem));
  expect(hash.digest('hex').slice(0, 16)).toMatchInlineSnapshot(`"6300a1cf309e9833"`);
});

describe('a layout', () => {
  it('gives each receptacle a different pose to use it from, inside the room', () => {
    for (const room of ROOM_TYPES) {
      for (let number = 0; number < 125; number += 1) {
        const { receptacles, start, width, depth } = layoutOf(room, number);
        const poses = [start, ...receptacles.map(({ pose }) => pose)];
        expect(new Set(poses.map(poseKey)).size).toBe(poses.length);
        for (const { x, z, horizon } of poses) {
          expect(Math.abs(x / 4) < width / 2 && Math.abs(z / 4) < depth / 2, `${room} ${number}`).toBe(true);
          expect([-30, -15, 0, 15, 30, 45, 60]).toContain(horizon);
        }
      }
    }
  });

  it('of a kitchen has every device', () => {
    for (let number = 0; number < 125; number += 1) {
      const types = layoutOf('Kitchen', number).receptacles.map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining([
          'Fridge',
          'Microwave',
          'SinkBasin',
          'GarbageCan',
          'Toaster',
          'CoffeeMachine',
          'CounterTop',
        ]),
      );
      expect(types.filter((type) => type === 'StoveBurner')).toHaveLength(4);
    }
  });

  it('belongs to train and seen, or to unseen', () => {
    const layouts = (split: 'train' | 'seen' | 'unseen') =>
      new Set(
        Array.from({ length: 200 }, (_, seed) => {
          const { room, number } = generateHousehold({ split, taskType: 'pick_and_place_simple', seed }).layout;
          return `${room} ${number}`;
        }),
      );
    const known = new Set([...layouts('train'), ...layouts('seen')]);
    for (const layout of layouts('unseen')) expect(known.has(layout)).toBe(false);
  });
});

it('plays equally from its files and from its seed', async () => {
  const data = mkdtempSync(join(tmpdir(), 'vlgym-households-'));
  try {
    const household = generateHousehold({ split: 'unseen', taskType: 'pick_two_obj_and_place', seed: 5 });
    const file = await writeHousehold(data, household);
    const { games } = listGames({ data, split: 'valid_unseen', cache: false });
    expect(games).toMatchObject([{ file, taskType: 'pick_two_obj_and_place' }]);
    const [fromFile, fromSeed] = [loadGame(file), new Game(householdTexts(household))].map((game) => new Play(game));
    expect(fromFile!.reset()).toBe(fromSeed!.reset());
    expect(fromFile!.admissible).toEqual(fromSeed!.admissible);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

it.each([
  '',
  'train/x/1',
  'train/pick_and_place_simple',
  'test/pick_and_place_simple/1',
  'train/pick_and_place_simple/-1',
])('refuses the id %o', (id) => {
  expect(() => parseHouseholdId(id)).toThrow(expect.objectContaining({ code: 'UNKNOWN_GAME' }));
});

it.each([
  [{ split: 'valid_seen' }, /Invalid split: "valid_seen"[\s\S]*'train', 'seen', 'unseen'/],
  [{ taskType: 'foo' }, /Invalid taskType: "foo"[\s\S]*'pick_and_place_simple'/],
  [{ seed: -1 }, /Invalid seed: -1/],
  [{ seed: Number.NaN }, /Invalid seed: NaN/],
])('refuses %o', (wrong, message) => {
  const asked = { split: 'train', taskType: 'pick_and_place_simple', seed: 1, ...wrong } as HouseholdChoice;
  expect(() => generateHousehold(asked)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringMatching(message) }),
  );
});
