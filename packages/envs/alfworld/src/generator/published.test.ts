/** Households of published density have what ALFWorld's rooms have, in its mix of rooms and tasks, and are solvable. */
import { Generator, make } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { DATA, NEEDS_DATA } from '../../test-support/data.js';
import { readGameContents } from '../../test-support/game-contents.js';
import { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { AlfworldEnv } from '../env/alfworld.js';
import { planToGoal } from '../experts/planner.js';
import { listGames } from '../games/collection.js';
import { TASK_TYPES } from '../games/task.js';
import { generateHousehold, householdTexts, parseHouseholdId } from './household.js';
import { GENERATED_SPLITS, type Household } from './household-types.js';
import { floorPlanOf, layoutOf, poseKey, ROOM_TYPES, type RoomType } from './layout.js';
import { GeneratedSource, publishedMix } from './source.js';
import { PLACED, ROOMS, TASKS } from './tables.generated.js';
import '../register.js';

const random = new Generator(5);
const mix = publishedMix(TASK_TYPES);
/** Tasks drawn as `vlgym/ALFWorld-v2` draws them. */
const households = Array.from({ length: 800 }, (_, seed) =>
  generateHousehold({ split: 'train', taskType: random.choice(TASK_TYPES, { p: mix }), seed, density: 'published' }),
);
const inRoom = (room: RoomType) => households.filter(({ layout }) => layout.room === room);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const classes = (names: readonly string[]) => new Set(names).size;

interface Contents {
  readonly objects: number;
  readonly classes: number;
  readonly receptacles: number;
}

function contentsOf(rooms: readonly Household[]): Contents {
  return {
    objects: mean(rooms.map(({ things }) => things.length)),
    classes: mean(rooms.map(({ things }) => classes(things.map(({ type }) => type)))),
    receptacles: mean(rooms.map(({ layout }) => layout.receptacles.length)),
  };
}

describe("ALFWorld's training games, as the tables count them", () => {
  // objects on receptacles, and receptacles, per room of 3,553 training games
  it.each([
    ['Kitchen', 45.2, 33.4],
    ['Bedroom', 22.7, 14.5],
    ['LivingRoom', 20.4, 14.6],
    ['Bathroom', 15.1, 14.4],
  ] as const)(
    '%s: %d objects and %d receptacles, in generated households within 10 %%',
    (room, objects, receptacles) => {
      const { objects: placed, games } = PLACED[room]!;
      const counts = Object.values(placed).flatMap((places) => Object.values(places));
      expect(counts.reduce((sum, count) => sum + count, 0) / games).toBeCloseTo(objects, 1);
      const present = Object.values(ROOMS[room]!.receptacles);
      expect(present.reduce((sum, [presence, , number]) => sum + presence * number, 0)).toBeCloseTo(receptacles, 1);
      const generated = contentsOf(inRoom(room));
      expect(Math.abs(generated.objects / objects - 1)).toBeLessThan(0.1);
      expect(Math.abs(generated.receptacles / receptacles - 1)).toBeLessThan(0.1);
    },
  );

  it('have kitchens in 48 of 100 games, and so do generated households, within 4 points per room', () => {
    const games = TASK_TYPES.flatMap((type) => Object.entries(TASKS[type]!.rooms));
    const all = games.reduce((sum, [, count]) => sum + count, 0);
    for (const [room, percent] of [
      ['Kitchen', 48],
      ['Bedroom', 21],
      ['Bathroom', 18],
      ['LivingRoom', 13],
    ] as const) {
      const published = games.reduce((sum, [name, count]) => sum + (name === room ? count : 0), 0) / all;
      expect(Math.round(100 * published)).toBe(percent);
      expect(Math.abs(inRoom(room).length / households.length - published), room).toBeLessThan(0.04);
    }
  });

  it('have twice as many objects in kitchens as in other rooms', () => {
    const [kitchens, others] = [
      inRoom('Kitchen'),
      ROOM_TYPES.filter((room) => room !== 'Kitchen').flatMap((room) => inRoom(room)),
    ];
    expect(contentsOf(kitchens).objects / contentsOf(others).objects).toBeGreaterThan(2);
  });

  it('fill each class of receptacle in a kitchen as much, within a quarter or half an object', () => {
    const { objects, games } = PLACED.Kitchen!;
    const kitchens = inRoom('Kitchen');
    for (const place of Object.keys(ROOMS.Kitchen!.receptacles)) {
      const published = Object.values(objects).reduce((sum, places) => sum + (places[place] ?? 0), 0) / games;
      const generated = mean(
        kitchens.map(({ things }) => things.filter(({ receptacle }) => receptacle.type === place).length),
      );
      expect(Math.abs(generated - published), place).toBeLessThan(Math.max(0.5, published / 4));
    }
  });
});

describe.skipIf(NEEDS_DATA)(`games of ALFWorld${NEEDS_DATA}`, () => {
  it('have as many objects, classes and receptacles as households of the same rooms, within 10 %', () => {
    const splits = ['train', 'valid_seen', 'valid_unseen'];
    const games = splits
      .flatMap((split) => listGames({ data: DATA!, split }).games)
      .map(({ file }) => readGameContents(file));
    expect(games.length).toBeGreaterThanOrEqual(60);
    const generated = new Map(ROOM_TYPES.map((room) => [room, contentsOf(inRoom(room))]));
    const counts = {
      objects: games.map(({ objects }) => objects.length),
      classes: games.map(({ objects }) => classes(objects)),
      receptacles: games.map(({ receptacles }) => receptacles.length),
    };
    for (const measure of ['objects', 'classes', 'receptacles'] as const) {
      const theirs = mean(counts[measure]);
      const ours = mean(games.map(({ room }) => generated.get(room)![measure]));
      expect(Math.abs(ours / theirs - 1), `${measure}: ${theirs} in ALFWorld, ${ours} here`).toBeLessThan(0.1);
    }
  });
});

describe('households of published density', () => {
  it('are all solved by the planner, and none is solved at the start', { timeout: 120_000 }, () => {
    for (let index = 0; index < 90; index += 1) {
      const household = generateHousehold({
        split: GENERATED_SPLITS[index % 3]!,
        taskType: TASK_TYPES[Math.floor(index / 3) % 6]!,
        seed: index,
        density: 'published',
      });
      const play = new Play(new Game(householdTexts(household)));
      play.reset();
      expect(play.won, household.id).toBe(false);
      const plan = planToGoal(play);
      expect(plan, household.id).toBeDefined();
      for (const command of plan!) play.step(command);
      expect(play.won, household.id).toBe(true);
    }
  });

  it('have distinct ids of objects, also up to four of a class, and enough targets outside of the goal', () => {
    let most = 0;
    for (const { id, layout, things, target } of households) {
      const ids = [...layout.receptacles, ...things].map((object) => object.id);
      expect(new Set(ids).size, id).toBe(ids.length);
      const targets = things.filter(({ type }) => type === target.object);
      expect(targets.length, id).toBeGreaterThanOrEqual(target.type === 'pick_two_obj_and_place' ? 2 : 1);
      for (const { receptacle } of targets) expect(receptacle.type, id).not.toBe(target.receptacle);
      most = Math.max(most, things.filter(({ type }) => type === 'Cup').length);
    }
    expect(most).toBeGreaterThan(2);
  });

  it('have their own layouts, each receptacle used from another pose', () => {
    for (const room of ROOM_TYPES) {
      for (let number = 0; number < 125; number += 1) {
        const { receptacles, start } = layoutOf(room, number, 'published');
        const poses = [start, ...receptacles.map(({ pose }) => pose)].map(poseKey);
        expect(new Set(poses).size).toBe(poses.length);
      }
    }
    expect(floorPlanOf(layoutOf('Kitchen', 12))).toBe('FloorPlan1012');
    expect(floorPlanOf(layoutOf('Kitchen', 12, 'published'))).toBe('FloorPlan11012');
  });

  it('are found again by their id', () => {
    const source = new GeneratedSource({ density: 'published' });
    source.seed(3);
    const { id, taskKey } = source.next();
    expect(id).toMatch(/^train\/[a-z_]+\/\d+\/published$/);
    expect(parseHouseholdId(id)).toMatchObject({ density: 'published' });
    expect(new GeneratedSource({}).load(id)).toMatchObject({ id, taskKey });
    expect(() => parseHouseholdId(`${id}/more`)).toThrow(expect.objectContaining({ code: 'UNKNOWN_GAME' }));
    expect(() => parseHouseholdId(id.replace('published', 'light'))).toThrow(/Unknown household/);
  });
});

describe('vlgym/ALFWorld-v2', () => {
  it('has the published mix and density, and v1 neither', async () => {
    const idsOf = async (id: 'vlgym/ALFWorld-v1' | 'vlgym/ALFWorld-v2') => {
      const env = await make(id);
      const games = await Promise.all(Array.from({ length: 12 }, (_, seed) => env.reset({ seed })));
      await env.close();
      return games.map(({ info }) => info.game);
    };
    for (const id of await idsOf('vlgym/ALFWorld-v2')) expect(id).toMatch(/\/published$/);
    for (const id of await idsOf('vlgym/ALFWorld-v1')) expect(id).toMatch(/\/\d+$/);
  });

  it('takes options that say otherwise, and games of files', async () => {
    const env = await make('vlgym/ALFWorld-v2', { options: { density: 'light' } });
    expect((await env.reset({ seed: 1 })).info.game).toMatch(/\/\d+$/);
    await env.close();
    const ofFiles = await make('vlgym/ALFWorld-v2', { options: { games: ['/absent'] } });
    await ofFiles.close();
    expect(() => new AlfworldEnv({ games: ['/absent'], density: 'published' })).toThrow(/Invalid density/);
  });
});
