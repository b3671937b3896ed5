/** The task keys of each world, and splits that never share a task. */
import { Generator, splitOf } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';
import { MiniWorldEnv } from '../env/miniworld-env.js';
import { Box } from '../world/entity.js';
import { Simulation, type SimulationOptions } from './simulation.js';
import { SUITE, type TaskName } from './suite.js';
import { defineTask, reach, type Task } from './task.js';

const NAMES = Object.keys(SUITE) as TaskName[];

/** A box and an agent at given positions, with a given wall texture. */
const room = (box: readonly [x: number, z: number], agent: readonly [x: number, z: number], wallTexture = 'concrete') =>
  defineTask({
    name: 'Placed',
    maxEpisodeSteps: 10,
    phrase: 'go to the box',
    build(world) {
      world.addRoom({ minX: 0, maxX: 6, minZ: 0, maxZ: 6, wallTexture });
      const entity = world.placeEntity(new Box('red'), { position: [box[0], 0, box[1]] });
      world.placeAgent({ position: [agent[0], 0, agent[1]] });
      return reach(world, entity, 10);
    },
  });

const keyOf = (task: Task, options: SimulationOptions = {}, seed = 0) =>
  new Simulation(task, options).reset(new Generator(seed)).taskKey as string;

function keys(name: TaskName, count: number, options: SimulationOptions = {}): string[] {
  const simulation = new Simulation(SUITE[name](), options);
  const rng = new Generator(0);
  return Array.from({ length: count }, () => simulation.reset(rng).taskKey as string);
}

describe('the task of an episode', () => {
  it.each<[name: TaskName, contents: readonly string[]]>([
    ['OneRoom', ['touch:263bd8ef462b6c9f:red box@10,8', 'touch:263bd8ef462b6c9f:red box@8,7']],
    ['Hallway', ['touch:78ba5cc7423e73bc:red box@20,-1', 'touch:78ba5cc7423e73bc:red box@19,-1']],
    ['MazeS2', ['touch:60bdf260428c7a10:red box@6,9', 'touch:60bdf260428c7a10:red box@9,2']],
    [
      'PutNext',
      [
        'put next:37085bb1ffbf9c6f:red box@14,9>yellow box@1,19',
        'put next:37085bb1ffbf9c6f:red box@13,3>yellow box@15,14',
      ],
    ],
    [
      'PickupObjects',
      [
        'pick up:37085bb1ffbf9c6f:grey box@14,9;purple key@14,13;red ball@21,18;yellow ball@16,15;yellow box@2,12',
        'pick up:37085bb1ffbf9c6f:green key@18,11;green key@6,2;purple box@2,7;red ball@13,18;yellow key@13,3',
      ],
    ],
    ['CollectHealth', ['#db5d9b4813de4e2c', '#d7c6b596d0a42fe6']],
    [
      'RoomObjects',
      [
        'look:263bd8ef462b6c9f:grey key@1,13;purple ball@2,10;yellow box@12,10',
        'look:263bd8ef462b6c9f:blue key@7,4;grey box@1,5;purple ball@10,16',
      ],
    ],
    ['Sign', ['touch:4c34015b528a850d:blue box@2,2:start@8,7,1', 'touch:4c34015b528a850d:blue box@2,2:start@8,9,5']],
  ])('in %s is known for seeds 0 and 1', (name, contents) => {
    const old = [0, 1].map((seed) => keyOf(SUITE[name](), { keyVersion: 1 }, seed));
    expect(old).toEqual(contents.map((content) => `world:${content}`));
    if (name !== 'OneRoom') expect([0, 1].map((seed) => keyOf(SUITE[name](), {}, seed))).toEqual(old);
  });

  it("depends on the floor plan and the cell of the goal, not on the agent's start or textures", () => {
    const key = keyOf(room([2.1, 3.1], [5, 5]));
    expect(keyOf(room([2.1, 3.1], [1, 1], 'brick_wall'), { domainRand: true })).toBe(key);
    expect(keyOf(room([2.4, 3.4], [5, 5]))).toBe(key);
    expect(keyOf(room([2.6, 3.1], [5, 5]))).not.toBe(key);
  });

  it('does not depend on the kind or the size of the observation', () => {
    const make = (options: object) => createMiniWorld('MazeS2', options).reset({ seed: 3 }).info.taskKey;
    expect(make({ obsWidth: 16, obsHeight: 12 })).toBe(make({ observation: 'text', renderMode: 'ansi', view: 'top' }));
  });

  it('is the same in the fast rooms, which differ only by the step size', () => {
    expect(keys('OneRoomS6Fast', 5)).toEqual(keys('OneRoomS6', 5));
  });

  it('distinguishes mazes by their walls', () => {
    const plans = (name: TaskName) => new Set(keys(name, 60).map((key) => key.split(':')[2])).size;
    expect(plans('MazeS2')).toBe(2); // carved from the first cell to the right or down
    expect(plans('MazeS3')).toBeGreaterThan(10);
  });
});

/** The side of a square room, and positions in it that have exact mirror images. */
const SIDE = 6;
const position = fc.integer({ min: 32, max: 64 * SIDE - 32 }).map((sixtyFourths) => sixtyFourths / 64);
type Pose = readonly [x: number, z: number, direction: number];

/** A quarter turn about the middle of the room, and a mirror image. */
const quarterTurn = ([x, z, direction]: Pose): Pose => [SIDE - z, x, direction - Math.PI / 2];
const mirror = ([x, z, direction]: Pose): Pose => [SIDE - x, z, Math.PI - direction];
/** All eight symmetries of the square. */
const SYMMETRIES = [0, 1, 2, 3].flatMap((turns) =>
  [false, true].map((mirrored) => (pose: Pose) => {
    const turned = Array.from({ length: turns }).reduce<Pose>(quarterTurn, pose);
    return mirrored ? mirror(turned) : turned;
  }),
);

const squareRoom = ([boxX, boxZ]: Pose, [x, z, direction]: Pose, isSymmetric?: true) =>
  defineTask({
    name: 'Square',
    maxEpisodeSteps: 10,
    phrase: 'go to the box',
    isSymmetric,
    build(world) {
      world.addRoom({ minX: 0, maxX: SIDE, minZ: 0, maxZ: SIDE });
      const entity = world.placeEntity(new Box('red'), { position: [boxX, 0, boxZ] });
      world.placeAgent({ position: [x, 0, z], direction });
      return reach(world, entity, 10);
    },
  });

describe('a mirrored or rotated room', () => {
  it('is on the same side of the split as the room itself', () => {
    const pose = fc.tuple(position, position, fc.double({ min: 0, max: 6.28, noNaN: true }));
    fc.assert(
      fc.property(pose, pose, fc.constantFrom(...SYMMETRIES), (box, agent, move) => {
        const key = keyOf(squareRoom(box, agent, true));
        expect(keyOf(squareRoom(move(box), move(agent), true))).toBe(key);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['OneRoom', 'OneRoomS6', 'OneRoomS6Fast'] as const)('of a test task of %s is in no training', (name) => {
    const [train, test] = (['train', 'test'] as const).map((split) => new Set(keys(name, 300, { split })));
    const images = [...test!].flatMap((key) => {
      const [, near, far] = /@(\d+),(\d+)$/.exec(key)!;
      const [mostCells, ends] = [name === 'OneRoom' ? 20 : 12, key.slice(0, key.lastIndexOf('@'))];
      expect(Number(near)).toBeLessThanOrEqual(Number(far));
      expect(Number(far)).toBeLessThan(mostCells / 2);
      return [key, `${ends}@${far},${near}`];
    });
    expect(images.filter((key) => train!.has(key))).toEqual([]);
    expect(test!.size).toBeGreaterThanOrEqual(3);
  });

  it('was a task of its own before, and is with `keyVersion: 1`', () => {
    const [box, agent] = [[1, 2, 0] as const, [3, 3, 0] as const];
    const options = { keyVersion: 1 } as const;
    const key = keyOf(squareRoom(box, agent, true), options);
    expect(keyOf(squareRoom(mirror(box), mirror(agent), true), options)).not.toBe(key);
    expect(key).toMatch(/^world:/);
    expect(() => keyOf(SUITE.OneRoom(), { keyVersion: 3 as 1 })).toThrow('Invalid keyVersion: 3.');
  });
});

describe.each(NAMES)('the splits of %s', (name) => {
  const count = name === 'Maze' ? 12 : 60;

  it('never share a task', () => {
    const [train, test] = [keys(name, count, { split: 'train' }), keys(name, count, { split: 'test' })];
    expect(new Set(train.map(splitOf))).toEqual(new Set(['train']));
    expect(new Set(test.map(splitOf))).toEqual(new Set(['test']));
  });

  it('together play every episode of the world without a split, in the same order', () => {
    const all = keys(name, count);
    for (const split of ['train', 'test'] as const) {
      const some = all.filter((key) => splitOf(key) === split);
      expect(keys(name, some.length, { split })).toEqual(some);
    }
  });
});

describe('a split', () => {
  it('has a fifth of the tasks in worlds with many tasks', () => {
    const distinct = [...new Set(keys('PutNext', 600))];
    const share = distinct.filter((key) => splitOf(key) === 'test').length / distinct.length;
    expect(Math.abs(share - 0.2)).toBeLessThan(4 * Math.sqrt((0.2 * 0.8) / distinct.length));
  });

  it('continues from a snapshot in the same world', () => {
    const make = () => createMiniWorld('OneRoom', { obsWidth: 16, obsHeight: 12, split: 'test' });
    const [env, twin] = [make(), make()];
    env.reset({ seed: 5 });
    twin.restore(structuredClone(env.snapshot()));
    expect(twin.step(2)).toEqual(env.step(2));
    expect(twin.reset()).toEqual(env.reset());
  });

  it('without tasks throws EMPTY_SPLIT', () => {
    const places: [number, number] = [2.1, 3.1];
    const split = splitOf(keyOf(room(places, [5, 5]))) === 'test' ? 'train' : 'test';
    const env = new MiniWorldEnv(room(places, [5, 5]), { observation: 'text', split });
    expect(() => env.reset({ seed: 0 })).toThrow(expect.objectContaining({ code: 'EMPTY_SPLIT' }));
  });

  it('is `train` or `test`', () => {
    expect(() => createMiniWorld('OneRoom', { split: 'valid' as 'train' })).toThrow('Invalid split: "valid".');
  });
});
