/**
 * The description of a custom household: plain data, as code, JSON and options of environments have it.
 *
 * Only the form is checked here; `classes.ts`, `furnish.ts` and `household.ts` check what it says.
 */
import { option, parseOptions } from '@vlgym/core';
import { z } from 'zod';
import { TASK_TYPES, type TaskType } from '../games/task.js';
import { ROOM_TYPES, type RoomType } from '../generator/layout.js';

/** In the order of rotations 0 to 3: the wall that an agent faces. */
export const WALLS = ['north', 'east', 'south', 'west'] as const;
export type Wall = (typeof WALLS)[number];

/** Properties of an object of a new class, which can also be taken. */
export const OWN_PROPERTIES = ['cleanable', 'heatable', 'coolable', 'sliceable', 'toggleable'] as const;
export type OwnProperty = (typeof OWN_PROPERTIES)[number];

export interface ReceptaclePlan {
  /** Class, e.g. `Cabinet`; one that ALFWorld does not have needs `accepts`. */
  readonly type: string;
  /** A name by which `objects` refer to it; default: none, only its class. */
  readonly name?: string | undefined;
  /** 1 to 12; default 1. */
  readonly count?: number | undefined;
  /** The wall along which it stands; default: the first with room, in the order of the list. */
  readonly wall?: Wall | undefined;
  /** Meters to the right of the middle of its wall, -10 to 10; default 0. Needs `wall`. */
  readonly at?: number | undefined;
  /** Object classes that the class accepts besides those of ALFWorld. */
  readonly accepts?: readonly string[] | undefined;
  /** Whether a new class opens and closes; default false. */
  readonly openable?: boolean | undefined;
}

export interface RoomPlan {
  /** How floor and walls look in pictures; default: as its furniture suggests. */
  readonly type?: RoomType | undefined;
  /** Meters from west to east and from south to north, 3 to 20; default: as large as the furniture needs, at least 4. */
  readonly size?: readonly [width: number, depth: number] | undefined;
  /** 1 to 60, as plans or names of classes. */
  readonly receptacles: readonly (string | ReceptaclePlan)[];
}

export interface ObjectPlan {
  /** Class, e.g. `Mug`; one that ALFWorld does not have needs `properties`. */
  readonly type: string;
  /** Name of a receptacle, or a class of which one is drawn for each object. */
  readonly in: string;
  /** 1 to 20; default 1. */
  readonly count?: number | undefined;
  /** Properties of a new class; `[]` if it can only be taken. */
  readonly properties?: readonly OwnProperty[] | undefined;
}

export interface TaskPlan {
  readonly type: TaskType;
  /** Class of the object. */
  readonly object: string;
  /** Class of the receptacle; every task but `look_at_obj_in_light` needs it. */
  readonly receptacle?: string | undefined;
  /** Class of the lamp of `look_at_obj_in_light`; default `DeskLamp`. */
  readonly lamp?: string | undefined;
  /** The task in words without a full stop; default: ALFWorld's, e.g. `put a clean mug in shelf`. */
  readonly sentence?: string | undefined;
}

export interface HouseholdPlan {
  /** Letters, digits and hyphens, up to 60; `own/NAME` is its id. Default: a digest of the plan. */
  readonly name?: string | undefined;
  /** 1 to 8, side by side from west to east. The agent starts in the first and can go to every receptacle. */
  readonly rooms: readonly RoomPlan[];
  /** Up to 200 in all. */
  readonly objects: readonly ObjectPlan[];
  readonly task: TaskPlan;
  /** Draws what the plan leaves open: which receptacle of a class, where an object lies on it. Default 0. */
  readonly seed?: number | undefined;
}

/** A name of a class, as ALFWorld writes it. */
const className = () => {
  const error = 'a class in ALFWorld’s spelling, e.g. `SideTable`: a capital letter and 1 to 39 further letters';
  return z.string({ error }).regex(/^[A-Z][A-Za-z]{1,39}$/, { error });
};
const label = () => {
  const error = 'a name of 1 to 60 letters, digits and hyphens that starts with a letter or digit';
  return z.string({ error }).regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,59}$/, { error });
};
const list = <T extends z.ZodType>(entry: T, low: number, high: number, what: string) => {
  const error = `a list of ${low} to ${high} ${what}`;
  return z.array(entry, { error }).min(low, { error }).max(high, { error });
};
const record = <Shape extends z.ZodRawShape>(shape: Shape, what: string) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `known: ${Object.keys(shape).join(', ')}` : `${what}, an object`,
  });

const receptacle = z.preprocess(
  (given) => (typeof given === 'string' ? { type: given } : given),
  record(
    {
      type: className(),
      name: label().optional(),
      count: option.integer(1, 12).optional(),
      wall: option.oneOf(WALLS).optional(),
      at: option.number(-10, 10).optional(),
      accepts: list(className(), 0, 200, 'object classes').optional(),
      openable: option.boolean().optional(),
    },
    'a class or a receptacle',
  ),
);

const size = z.tuple([option.number(3, 20), option.number(3, 20)], { error: 'two numbers from 3 to 20: width, depth' });

const room = record(
  {
    type: option.oneOf(ROOM_TYPES).optional(),
    size: size.optional(),
    receptacles: list(receptacle, 1, 60, 'receptacles'),
  },
  'a room with `receptacles`',
);

const object = record(
  {
    type: className(),
    in: label(),
    count: option.integer(1, 20).optional(),
    properties: list(option.oneOf(OWN_PROPERTIES), 0, OWN_PROPERTIES.length, 'properties').optional(),
  },
  'an object with `type` and `in`',
);

/** Signs that the grammar of a game would read as its own are left out. */
const SENTENCE = /^[A-Za-z0-9][A-Za-z0-9 ,'-]{0,199}$/;
const sentence = { error: '1 to 200 letters, digits, blanks, commas, apostrophes and hyphens, without a full stop' };

const task = record(
  {
    type: option.oneOf(TASK_TYPES),
    object: className(),
    receptacle: className().optional(),
    lamp: className().optional(),
    sentence: z.string(sentence).regex(SENTENCE, sentence).optional(),
  },
  'a task with `type` and `object`',
);

const PLAN = z.strictObject({
  name: label().optional(),
  rooms: list(room, 1, 8, 'rooms'),
  objects: list(object, 1, 200, 'objects'),
  task,
  seed: option.integer(0).optional(),
});

/** A plan whose form is right; receptacles are all objects. */
export type CheckedPlan = z.output<typeof PLAN>;
export type CheckedRoom = CheckedPlan['rooms'][number];
export type CheckedReceptacle = CheckedRoom['receptacles'][number];

const EXAMPLE =
  "household({ rooms: [{ receptacles: ['CounterTop', 'Shelf'] }], objects: [{ type: 'Mug', in: 'CounterTop' }], " +
  "task: { type: 'pick_and_place_simple', object: 'Mug', receptacle: 'Shelf' } })";

/** @throws {UnknownOptionError | InvalidOptionError} With the path of what is wrong, e.g. `rooms.0.receptacles.2.at`. */
export function parsePlan(plan: unknown): CheckedPlan {
  return parseOptions(plan, PLAN, { example: EXAMPLE });
}
