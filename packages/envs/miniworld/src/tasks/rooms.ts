/**
 * OneRoom, Hallway, FourRooms, ThreeRooms, WallGap and Sidewalk.
 *
 * Layouts and the order of draws follow `Farama-Foundation/Miniworld`, `miniworld/envs/` (oneroom, hallway, fourrooms,
 * threerooms, wallgap, sidewalk).
 */
import { checkedInteger, checkedNumber, InvalidOptionError } from '@vlgym/core';
import { COLOR_NAMES, type ColorName } from '../world/colors.js';
import { Ball, Box, Key, MeshEntity } from '../world/entity.js';
import { ImageFrame } from '../world/frames.js';
import { FAST_PARAMETERS } from '../world/parameters.js';
import type { World } from '../world/world.js';
import { NOTHING, reach, successReward, type Task } from './task.js';

export interface OneRoomOptions {
  /** Side in meters; default 10. */
  readonly size?: number | undefined;
  /** Default 180. */
  readonly maxEpisodeSteps?: number | undefined;
  /** The box has one of these colors, each as often as it is named; default `['red']`, as in the original. */
  readonly colors?: readonly ColorName[] | undefined;
}

export function oneRoom({ size = 10, maxEpisodeSteps = 180, colors = ['red'] }: OneRoomOptions = {}): Task {
  checkedNumber('size', size, 2, 1000);
  checkedInteger('maxEpisodeSteps', maxEpisodeSteps, 1, 1e9);
  checkColors(colors);
  const [first] = colors;
  const isOriginal = colors.length === 1 && first === 'red';
  return {
    name: 'OneRoom',
    maxEpisodeSteps,
    options: { size, ...(!isOriginal && { colors }) },
    phrase: `go to the ${colors.length === 1 ? `${first} ` : ''}box in as few steps as possible`,
    isSymmetric: true,
    build(world) {
      world.addRoom({ minX: 0, maxX: size, minZ: 0, maxZ: size });
      const box = world.placeEntity(new Box(colors.length === 1 ? first! : world.rng.choice(colors)));
      world.placeAgent();
      return reach(world, box, maxEpisodeSteps);
    },
  };
}

/** @throws {InvalidOptionError} */
function checkColors(colors: unknown): void {
  const isList = Array.isArray(colors) && colors.length > 0 && colors.every((color) => COLOR_NAMES.includes(color));
  if (!isList) throw new InvalidOptionError('colors', colors, `a list of one or more of ${COLOR_NAMES.join(', ')}`);
}

export const oneRoomS6 = ({ size = 6, maxEpisodeSteps = 100, colors }: OneRoomOptions = {}): Task => ({
  ...oneRoom({ size, maxEpisodeSteps, colors }),
  name: 'OneRoomS6',
});

export const oneRoomS6Fast = ({ size = 6, maxEpisodeSteps = 50, colors }: OneRoomOptions = {}): Task => ({
  ...oneRoom({ size, maxEpisodeSteps, colors }),
  name: 'OneRoomS6Fast',
  parameters: FAST_PARAMETERS,
});

/** A random direction around +x, the start of most corridors. */
export const aheadIsh = (world: World): number => world.uniform(-Math.PI / 4, Math.PI / 4);

export function hallway({ length = 12 }: { readonly length?: number | undefined } = {}): Task {
  checkedNumber('length', length, 2, 1000);
  const maxEpisodeSteps = 250;
  return {
    name: 'Hallway',
    maxEpisodeSteps,
    options: { length },
    phrase: 'go to the red box at the end of the hallway',
    build(world) {
      const room = world.addRoom({ minX: -1, maxX: -1 + length, minZ: -2, maxZ: 2 });
      const box = world.placeEntity(new Box('red'), { minX: room.maxX - 2 });
      const direction = aheadIsh(world);
      world.placeAgent({ direction, maxX: room.maxX - 2 });
      return reach(world, box, maxEpisodeSteps);
    },
  };
}

export function fourRooms(): Task {
  const maxEpisodeSteps = 250;
  return {
    name: 'FourRooms',
    maxEpisodeSteps,
    phrase: 'find the red box, which may be in another room, and go to it',
    build(world) {
      const first = world.addRoom({ minX: -7, maxX: -1, minZ: 1, maxZ: 7 });
      const second = world.addRoom({ minX: 1, maxX: 7, minZ: 1, maxZ: 7 });
      const third = world.addRoom({ minX: 1, maxX: 7, minZ: -7, maxZ: -1 });
      const fourth = world.addRoom({ minX: -7, maxX: -1, minZ: -7, maxZ: -1 });
      world.connectRooms(first, second, { minZ: 3, maxZ: 5, maxY: 2.2 });
      world.connectRooms(second, third, { minX: 3, maxX: 5, maxY: 2.2 });
      world.connectRooms(third, fourth, { minZ: -5, maxZ: -3, maxY: 2.2 });
      world.connectRooms(fourth, first, { minX: -5, maxX: -3, maxY: 2.2 });
      const box = world.placeEntity(new Box('red'));
      world.placeAgent();
      return reach(world, box, maxEpisodeSteps);
    },
  };
}

export function threeRooms(): Task {
  return {
    name: 'ThreeRooms',
    maxEpisodeSteps: 400,
    phrase: 'walk through all rooms and look at what is there',
    build(world) {
      const hall = world.addRoom({ minX: -7, maxX: 7, minZ: 0.5, maxZ: 7 });
      const left = world.addRoom({ minX: -7, maxX: -1, minZ: -7, maxZ: -0.5 });
      const right = world.addRoom({ minX: 1, maxX: 7, minZ: -7, maxZ: -0.5 });
      world.connectRooms(hall, left, { minX: -5.25, maxX: -2.75 });
      world.connectRooms(hall, right, { minX: 2.75, maxX: 5.25 });
      world.placeEntity(new Box('red'));
      world.placeEntity(new Box('green', 0.6));
      world.addEntity(
        new ImageFrame({
          position: [0, 1.35, 7],
          direction: Math.PI / 2,
          width: 1.8,
          aspect: 510 / 1024,
          texture: 'logo_mila',
        }),
      );
      world.placeEntity(new MeshEntity({ mesh: 'duckie', height: 0.25, isStatic: false }));
      world.placeEntity(new Key('blue'));
      world.placeEntity(new Ball('green'));
      world.placeAgent();
      return {};
    },
  };
}

const BUILDING = { position: [30, 0, 30], direction: -Math.PI } as const;

export function wallGap(): Task {
  const maxEpisodeSteps = 300;
  return {
    name: 'WallGap',
    maxEpisodeSteps,
    phrase: 'go through the gap in the wall to the red box behind it',
    build(world) {
      const surface = { wallTexture: 'brick_wall', floorTexture: 'asphalt', noCeiling: true };
      const front = world.addRoom({ minX: -7, maxX: 7, minZ: 0.5, maxZ: 8, ...surface });
      const back = world.addRoom({ minX: -7, maxX: 7, minZ: -8, maxZ: -0.5, ...surface });
      world.connectRooms(front, back, { minX: -1.5, maxX: 1.5 });
      const box = world.placeEntity(new Box('red'), { room: back });
      world.placeEntity(new MeshEntity({ mesh: 'building', height: 30 }), BUILDING);
      world.placeAgent({ room: front });
      return reach(world, box, maxEpisodeSteps);
    },
  };
}

export function sidewalk(): Task {
  const maxEpisodeSteps = 150;
  return {
    name: 'Sidewalk',
    maxEpisodeSteps,
    phrase: 'walk along the sidewalk to the red box without stepping onto the street',
    build(world) {
      const walk = world.addRoom({
        minX: -3,
        maxX: 0,
        minZ: 0,
        maxZ: 12,
        wallTexture: 'brick_wall',
        floorTexture: 'concrete_tiles',
        noCeiling: true,
      });
      const street = world.addRoom({ minX: 0, maxX: 6, minZ: -80, maxZ: 80, floorTexture: 'asphalt', noCeiling: true });
      world.connectRooms(walk, street, { minZ: 0, maxZ: 12 });
      world.placeEntity(new MeshEntity({ mesh: 'building', height: 30 }), BUILDING);
      for (let cone = 1; cone <= 5; cone += 1) {
        world.placeEntity(new MeshEntity({ mesh: 'cone', height: 0.75 }), { position: [1, 0, 2 * cone] });
      }
      const box = world.placeEntity(new Box('red'), { room: walk, minZ: walk.maxZ - 2, maxZ: walk.maxZ });
      const { agent } = world;
      world.placeAgent({ room: walk, minZ: 0, maxZ: 1.5 });
      return {
        afterStep() {
          const onStreet = street.contains(agent.x, agent.z);
          const arrived = world.near(box);
          if (!onStreet && !arrived) return NOTHING;
          return { reward: arrived ? successReward(world, maxEpisodeSteps) : 0, terminated: true };
        },
        goal: () => ({ kind: 'touch', entity: box, avoid: [street] }),
      };
    },
  };
}
