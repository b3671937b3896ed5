/** Levels with random instructions: Farama-Foundation/Minigrid, `minigrid/envs/babyai/core/levelgen.py`. */
import { COLOR_NAMES, type Color } from '../world/constants.js';
import { GenerationError } from '../world/generation-error.js';
import type { Room, Rooms } from '../world/rooms.js';
import type { Level } from '../world/task.js';
import { type DescribedType, Description, LOCATIONS, type Location } from './description.js';
import {
  After,
  And,
  Before,
  GoTo,
  type Instruction,
  Open,
  Pickup,
  PutNext,
  type SimpleInstruction,
} from './instructions.js';
import { babyaiLevel, checkReachable } from './level.js';

type ActionKind = 'goto' | 'pickup' | 'open' | 'putnext';
type InstructionKind = 'action' | 'and' | 'seq';

export interface GeneratedLevel {
  readonly roomSize?: number;
  readonly rows?: number;
  readonly columns?: number;
  readonly distractors?: number;
  readonly lockedRoomProbability?: number;
  /** Instructions may name objects by their location. */
  readonly locations?: boolean;
  readonly unblocking?: boolean;
  /** Objects in the locked room may be named. */
  readonly implicitUnlock?: boolean;
  readonly actions?: readonly ActionKind[];
  readonly instructions?: readonly InstructionKind[];
}

const DOORS: readonly DescribedType[] = ['door'];
const OBJECTS: readonly DescribedType[] = ['box', 'ball', 'key'];
const ALL: readonly DescribedType[] = [...OBJECTS, ...DOORS];
const MAX_TRIES = 100;

export function generatedLevel(options: GeneratedLevel = {}): Level {
  const { roomSize, rows, columns, distractors = 18, lockedRoomProbability = 0.5, unblocking = true } = options;
  return babyaiLevel({
    roomSize,
    rows,
    columns,
    unblocking,
    mission(rooms) {
      const { world } = rooms;
      const locked = world.float(0, 1) < lockedRoomProbability ? addLockedRoom(rooms) : undefined;
      rooms.connectAll();
      rooms.addDistractors(distractors, { allUnique: false });
      do rooms.placeAgent();
      while (rooms.agentRoom === locked);
      if (!unblocking) checkReachable(rooms);
      return new Drawing(rooms, locked, options).instruction(options.instructions ?? ['action', 'and', 'seq']);
    },
  });
}

/** @param color  Color of the door; drawn unless it is given. */
function lockRoom(rooms: Rooms, color?: Color): { readonly room: Room; readonly color: Color } {
  const { world } = rooms;
  for (;;) {
    const [i, j] = rooms.randomRoom();
    const index = world.integer(0, 4);
    const room = rooms.room(i, j);
    if (room.neighbors[index] === undefined) continue;
    return { room, color: rooms.addDoor(i, j, { index, color, locked: true }).color };
  }
}

/** A locked room, and its key elsewhere. */
export function addLockedRoom(rooms: Rooms, color?: Color): Room {
  const locked = lockRoom(rooms, color);
  for (;;) {
    const [i, j] = rooms.randomRoom();
    if (rooms.room(i, j) === locked.room) continue;
    rooms.addObject(i, j, 'key', locked.color);
    return locked.room;
  }
}

/** Draws instructions about a finished world. */
class Drawing {
  readonly #rooms: Rooms;
  readonly #locked: Room | undefined;
  readonly #actions: readonly ActionKind[];
  readonly #locations: boolean;
  readonly #implicitUnlock: boolean;

  constructor(
    rooms: Rooms,
    locked: Room | undefined,
    { actions = ['goto', 'pickup', 'open', 'putnext'], locations = true, implicitUnlock = true }: GeneratedLevel,
  ) {
    this.#rooms = rooms;
    this.#locked = locked;
    this.#actions = actions;
    this.#locations = locations;
    this.#implicitUnlock = implicitUnlock;
  }

  instruction(kinds: readonly InstructionKind[]): Instruction {
    const { world } = this.#rooms;
    const kind = world.element(kinds);
    if (kind === 'action') return this.#action();
    const parts: readonly InstructionKind[] = kind === 'and' ? ['action'] : ['action', 'and'];
    const first = this.instruction(parts);
    const second = this.instruction(parts);
    if (kind === 'and') return new And(first, second);
    return world.element(['before', 'after']) === 'before' ? new Before(first, second) : new After(first, second);
  }

  #action(): SimpleInstruction {
    switch (this.#rooms.world.element(this.#actions)) {
      case 'goto':
        return new GoTo(this.#description(ALL));
      case 'pickup':
        return new Pickup(this.#description(OBJECTS));
      case 'open':
        return new Open(this.#description(DOORS));
      case 'putnext':
        return new PutNext(this.#description(OBJECTS), this.#description(ALL));
    }
  }

  /** @throws {GenerationError} */
  #description(types: readonly DescribedType[]): Description {
    const { world } = this.#rooms;
    for (let tries = 0; tries <= MAX_TRIES; tries += 1) {
      const color = world.element<Color | undefined>([undefined, ...COLOR_NAMES]);
      const type = world.element(types);
      const location: Location | undefined = this.#locations && world.boolean() ? world.element(LOCATIONS) : undefined;
      const description = new Description(type, color, location);
      description.find(this.#rooms);
      const isHidden = (x: number, y: number) => !this.#implicitUnlock && (this.#locked?.contains(x, y) ?? false);
      if (description.cells.some(([x, y]) => !isHidden(x, y))) return description;
    }
    throw new GenerationError('no object fits a description');
  }
}
