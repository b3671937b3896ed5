/**
 * PickupObjects, RoomObjects, PutNext, CollectHealth and Sign.
 *
 * Layouts, rules and the order of draws follow `Farama-Foundation/Miniworld`, `miniworld/envs/` (pickupobjects,
 * roomobjects, putnext, collecthealth, sign).
 */
import { checkedInteger, checkedNumber } from '@vlgym/core';
import { PICK_UP } from '../world/actions.js';
import { COLOR_NAMES, type ColorName } from '../world/colors.js';
import { Ball, Box, type Entity, Key, MeshEntity } from '../world/entity.js';
import { TextFrame } from '../world/frames.js';
import { FAST_PARAMETERS } from '../world/parameters.js';
import type { World } from '../world/world.js';
import { NOTHING, successReward, type Task } from './task.js';

export interface PickupObjectsOptions {
  /** Side of the room in meters; default 12. */
  readonly size?: number | undefined;
  /** Default 5. */
  readonly numObjs?: number | undefined;
}

const YARD = { wallTexture: 'brick_wall', floorTexture: 'asphalt', noCeiling: true };

const drawColor = (world: World): ColorName => COLOR_NAMES[world.rng.integers(COLOR_NAMES.length)]!;

export function pickupObjects({ size = 12, numObjs = 5 }: PickupObjectsOptions = {}): Task {
  checkedNumber('size', size, 2, 1000);
  checkedInteger('numObjs', numObjs, 1, 1000);
  const maxEpisodeSteps = 400;
  return {
    name: 'PickupObjects',
    maxEpisodeSteps,
    actions: 5,
    options: { size, numObjs },
    phrase: 'collect as many objects as possible: go up to each one and pick it up',
    build(world) {
      world.addRoom({ minX: 0, maxX: size, minZ: 0, maxZ: size, ...YARD });
      const objects = Array.from({ length: numObjs }, () => {
        const kind = world.rng.integers(3);
        const color = drawColor(world);
        return world.placeEntity(kind === 0 ? new Ball(color, 0.9) : kind === 1 ? new Box(color, 0.9) : new Key(color));
      });
      world.placeAgent();
      const state = { picked: 0 };
      return {
        state,
        afterStep() {
          const { carrying } = world.agent;
          if (!carrying) return NOTHING;
          world.removeEntity(carrying);
          state.picked += 1;
          return { reward: 1, terminated: state.picked === numObjs };
        },
        goal: () => ({ kind: 'pick up', entities: objects.filter((object) => world.entities.includes(object)) }),
      };
    },
  };
}

export function roomObjects({ size = 10 }: { readonly size?: number } = {}): Task {
  checkedNumber('size', size, 4, 1000);
  return {
    name: 'RoomObjects',
    maxEpisodeSteps: Number.POSITIVE_INFINITY,
    actions: 8,
    options: { size },
    phrase: 'look at the objects in the room; you may pick them up and put them down',
    build(world) {
      world.addRoom({ minX: 0, maxX: size, minZ: 0, maxZ: size, ...YARD });
      world.agent.radius = 1.5;
      world.placeEntity(new Box(drawColor(world), 0.9));
      world.placeEntity(new Ball(drawColor(world), 0.9));
      world.placeEntity(new Key(drawColor(world)));
      world.placeAgent();
      return {};
    },
  };
}

export function putNext({ size = 12 }: { readonly size?: number } = {}): Task {
  checkedNumber('size', size, 2, 1000);
  const maxEpisodeSteps = 250;
  return {
    name: 'PutNext',
    maxEpisodeSteps,
    actions: 8,
    options: { size },
    phrase: 'pick up the red box and put it down next to the yellow box',
    build(world) {
      world.addRoom({ minX: 0, maxX: size, minZ: 0, maxZ: size });
      const boxes = new Map<ColorName, Box>();
      for (const color of COLOR_NAMES) {
        boxes.set(color, world.placeEntity(new Box(color, world.uniform(0.6, 0.85))));
      }
      world.placeAgent();
      const entity = boxes.get('red')!;
      const target = boxes.get('yellow')!;
      return {
        // In some layouts the boxes start next to each other, and the first step succeeds.
        afterStep: () =>
          !world.agent.carrying && world.near(entity, target)
            ? { reward: successReward(world, maxEpisodeSteps), terminated: true }
            : NOTHING,
        goal: () => ({ kind: 'put next', entity, target }),
      };
    },
  };
}

const FULL_HEALTH = 100;

export function collectHealth({ size = 16 }: { readonly size?: number | undefined } = {}): Task {
  checkedNumber('size', size, 4, 1000);
  return {
    name: 'CollectHealth',
    maxEpisodeSteps: 1000,
    actions: 8,
    options: { size },
    phrase: 'stay alive: your health falls with every step, and picking up a health kit restores it',
    build(world) {
      const surface = { wallTexture: 'cinder_blocks', floorTexture: 'slime' };
      world.addRoom({ minX: 0, maxX: size, minZ: 0, maxZ: size, ...surface });
      for (let kit = 0; kit < 18; kit += 1) {
        world.placeEntity(new MeshEntity({ mesh: 'medkit', height: 0.4, isStatic: false, label: 'a health kit' }));
      }
      const { agent } = world;
      world.placeAgent();
      const state = { health: FULL_HEALTH };
      return {
        state,
        afterStep(action) {
          state.health -= 2;
          const { carrying } = agent;
          if (action === PICK_UP && carrying) {
            world.removeEntity(carrying);
            world.placeEntity(carrying); // at a new random position and at the end of the list
            state.health = FULL_HEALTH;
          }
          return state.health > 0 ? { reward: 2, terminated: false } : { reward: -100, terminated: true };
        },
        info: (moment) => (moment === 'step' ? { health: state.health } : undefined),
        goal: () => ({ kind: 'pick up', entities: world.entities.filter((entity) => entity !== agent) }),
      };
    },
  };
}

export interface SignOptions {
  /** Meters; default 10. */
  readonly size?: number | undefined;
  /** Default 20. */
  readonly maxEpisodeSteps?: number | undefined;
  /** The requested color: 0 blue, 1 red, 2 green. Default 0. */
  readonly colorIndex?: number | undefined;
  /** 0 a box, 1 a key; default 0. */
  readonly goal?: number | undefined;
}

/** In the order of the original's code; its documentation lists 1 as green. */
const SIGN_COLORS = ['blue', 'red', 'green'] as const;

/** The fourth action ends the episode. It has the number of "move back", so the agent also steps back. */
const END_EPISODE = 3;

export function sign({ size = 10, maxEpisodeSteps = 20, colorIndex = 0, goal = 0 }: SignOptions = {}): Task {
  checkedNumber('size', size, 10, 1000); // objects have fixed positions
  checkedInteger('maxEpisodeSteps', maxEpisodeSteps, 1, 1e9);
  checkedInteger('colorIndex', colorIndex, 0, 2);
  checkedInteger('goal', goal, 0, 1);
  const word = SIGN_COLORS[colorIndex]!.toUpperCase();
  return {
    name: 'Sign',
    maxEpisodeSteps,
    actions: 4,
    parameters: FAST_PARAMETERS,
    domainRand: false,
    startIsContent: true, // everything else has a fixed position
    goal: goal as 0 | 1,
    options: { size, colorIndex, goal },
    phrase:
      `read the color on the sign behind the wall, then go to the ${goal === 0 ? 'box' : 'key'} of that color; ` +
      'moving back (action 3) ends the episode',
    build(world) {
      const middle = 0.65 * size;
      const top = world.addRoom({ minX: 0, maxX: size, minZ: 0, maxZ: middle });
      const left = world.addRoom({ minX: 0, maxX: 0.6 * size, minZ: middle + 0.25, maxZ: 1.3 * size });
      const right = world.addRoom({ minX: 0.6 * size, maxX: size, minZ: middle + 0.25, maxZ: 1.3 * size });
      world.connectRooms(top, left, { minX: 0, maxX: 0.6 * size });
      world.connectRooms(left, right, { minZ: middle + 0.25, maxZ: 1.3 * size });
      const box = (color: ColorName, x: number, z: number) =>
        world.placeEntity(new Box(color), { position: [x, 0, z] });
      const key = (color: ColorName, x: number, z: number) =>
        world.placeEntity(new Key(color, 0.6), { position: [x, 0, z] });
      const boxes = [box('blue', 1, 1), box('red', 9, 1), box('green', 9, 5)];
      const keys = [key('blue', 5, 1), key('red', 1, 5), key('green', 1, 9)];
      world.addEntity(
        new TextFrame({ position: [size, 1.35, size + 0.25], direction: Math.PI, text: word, height: 1 }),
      );
      world.placeAgent({ minX: 4, maxX: 5, minZ: 4, maxZ: 6 });
      const wanted = (goal === 0 ? boxes : keys)[colorIndex]!;
      const objects: readonly Entity[] = [...boxes, ...keys];
      return {
        afterStep(action) {
          const touched = objects.filter((object) => world.near(object)).at(-1);
          const reward = touched ? (touched === wanted ? 1 : -1) : 0;
          return { reward, terminated: touched !== undefined || action === END_EPISODE };
        },
        goal: () => ({ kind: 'touch', entity: wanted, avoid: objects.filter((object) => object !== wanted) }),
      };
    },
  };
}
