/**
 * Levels of BabyAI: rooms, an instruction, and a limit of steps by its length. Farama-Foundation/Minigrid,
 * `minigrid/envs/babyai/core/roomgrid_level.py`.
 */
import { DROP } from '../world/constants.js';
import { GenerationError } from '../world/generation-error.js';
import { type RoomSizes, Rooms } from '../world/rooms.js';
import type { Level, Task } from '../world/task.js';
import type { World } from '../world/world.js';
import { type Instruction, PutNext } from './instructions.js';

export interface BabyAILevel {
  readonly roomSize?: number | undefined;
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
  /** Default: by the instruction. */
  readonly maxSteps?: number | undefined;
  /** Objects may stand in the way; then keys of locked doors are no part of an instruction. */
  readonly unblocking?: boolean | undefined;
  /** Fills the rooms and says what to do. A `GenerationError` draws the level again. */
  readonly mission: (rooms: Rooms) => Instruction;
  /** Happens after the first observation. */
  readonly begin?: ((world: World) => void) | undefined;
}

export function babyaiLevel({ roomSize = 8, rows = 3, columns = 3, ...level }: BabyAILevel): Level {
  const sizes = { roomSize, rows, columns };
  return {
    width: (roomSize - 1) * columns + 1,
    height: (roomSize - 1) * rows + 1,
    maxSteps: level.maxSteps ?? 0,
    generate: (world) => draw(world, sizes, level),
  };
}

function draw(world: World, sizes: RoomSizes, level: BabyAILevel): Task {
  for (;;) {
    try {
      const rooms = new Rooms(world, sizes);
      const instruction = level.mission(rooms);
      validate(rooms, instruction, level.unblocking ?? false);
      return taskOf(rooms, instruction, level);
    } catch (reason) {
      if (!(reason instanceof GenerationError)) throw reason;
    }
  }
}

function taskOf(rooms: Rooms, instruction: Instruction, { maxSteps, begin }: BabyAILevel): Task {
  const { world, roomSize, rows, columns } = rooms;
  const mission = instruction.surface(rooms);
  instruction.begin(rooms);
  return {
    mission,
    goal: () => instruction.goal(),
    maxSteps: maxSteps ?? instruction.navigations * roomSize ** 2 * rows * columns,
    step(action, act) {
      const outcome = act(action);
      if (action === DROP) instruction.update();
      const status = instruction.verify(action);
      if (status === 'continue') return outcome;
      return status === 'success' ? world.succeed(outcome) : world.fail(outcome);
    },
    ...(begin && { begin: () => begin(world) }),
  };
}

/** @throws {GenerationError} The instruction makes no sense in this world. */
function validate(rooms: Rooms, instruction: Instruction, unblocking: boolean): void {
  const locked = unblocking
    ? rooms.all.flatMap(({ doors }) =>
        doors.flatMap((door) => (door && door !== true && door.isLocked ? [door.color] : [])),
      )
    : [];
  for (const simple of instruction.simple) {
    if (simple instanceof PutNext) validatePutNext(rooms, simple);
    for (const { type, color } of simple.descriptions) {
      if (type === 'key' && color !== undefined && locked.includes(color)) {
        throw new GenerationError('the key of a locked door is part of the instruction');
      }
    }
  }
}

function validatePutNext(rooms: Rooms, instruction: PutNext): void {
  instruction.begin(rooms);
  const [moved, fixed] = instruction.descriptions;
  if (moved.things.some((thing) => fixed.things.includes(thing))) {
    throw new GenerationError('an object would be put next to itself');
  }
  if (instruction.isDone()) throw new GenerationError('the objects are next to each other from the start');
}

/** @throws {GenerationError} Something can be reached by no path through doors. */
export function checkReachable(rooms: Rooms): void {
  if (!areReachable(rooms)) throw new GenerationError('an object cannot be reached');
}

/** Whether a path through doors, not through objects, leads to everything. */
export function areReachable({ world }: Rooms): boolean {
  const { grid } = world;
  const reached = new Uint8Array(grid.width * grid.height);
  const stack: number[] = [world.agentX, world.agentY];
  while (stack.length > 0) {
    const y = stack.pop()!;
    const x = stack.pop()!;
    if (!grid.has(x, y) || reached[y * grid.width + x]) continue;
    reached[y * grid.width + x] = 1;
    const thing = grid.get(x, y);
    if (thing && thing.type !== 'door') continue;
    stack.push(x + 1, y, x - 1, y, x, y + 1, x, y - 1);
  }
  return grid.cells.every((thing, at) => thing === undefined || thing.type === 'wall' || reached[at] === 1);
}
