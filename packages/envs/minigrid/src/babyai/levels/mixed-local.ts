/**
 * One room, or two with a locked door, and one of five kinds of instruction: the level of BALROG's BabyAI-Text.
 *
 * Rules and draws follow BartekCupial/Minigrid at cf73dd14, `minigrid/envs/babyai/mixed_seq_levels.py`, class
 * `Level_MixedTrainLocal`, which adapts flowersteam/Grounding_LLMs_with_online_RL. There the kind is drawn without a seed
 * when the environment is made; here it is an option.
 */
import type { Rooms } from '../../world/rooms.js';
import type { Level } from '../../world/task.js';
import type { Thing } from '../../world/thing.js';
import type { World } from '../../world/world.js';
import { Description } from '../description.js';
import { addLockedRoom } from '../generated-level.js';
import { After, Before, GoTo, type Instruction, Open, Pickup, PutNext } from '../instructions.js';
import { areReachable, babyaiLevel } from '../level.js';
import { described } from './go-to.js';

export const MIXED_KINDS = ['goto', 'pickup', 'open', 'putnext', 'pick_up_seq_go_to'] as const;
export type MixedKind = (typeof MIXED_KINDS)[number];

/** Kept for tests of generalization. */
const EXCLUDED = ['yellow box', 'red key', 'red door', 'green ball', 'grey door'];

/** @param distractors  Objects besides those that the kind needs; BALROG uses 0, the level's own default is 8. */
export function mixedLocal(kind: MixedKind, distractors: number): Level {
  return babyaiLevel({
    rows: 1,
    columns: kind === 'open' ? 2 : 1,
    mission(rooms) {
      for (;;) {
        clear(rooms);
        const { instruction, isReachable } =
          kind === 'open' ? drawOpen(rooms, distractors) : drawOther(rooms, kind, distractors);
        const words = instruction.surface(rooms);
        if (isReachable && !EXCLUDED.some((phrase) => words.includes(phrase))) return instruction;
      }
    },
  });
}

interface Drawn {
  readonly instruction: Instruction;
  readonly isReachable: boolean;
}

/** Empties the rooms and draws the places of doors again. */
function clear(rooms: Rooms): void {
  rooms.world.grid.cells.fill(undefined);
  for (const room of rooms.all) room.clear();
  rooms.build();
}

function drawOpen(rooms: Rooms, distractors: number): Drawn {
  const { world } = rooms;
  const color = world.element(['yellow', 'green', 'blue', 'purple'] as const);
  const locked = addLockedRoom(rooms, color);
  rooms.connectAll();
  for (let j = 0; j < rooms.rows; j += 1) {
    for (let i = 0; i < rooms.columns; i += 1) {
      if (rooms.room(i, j) !== locked) rooms.addDistractors(distractors, { i, j, allUnique: false });
    }
  }
  do rooms.placeAgent();
  while (rooms.agentRoom === locked);
  const isReachable = areReachable(rooms);
  return { instruction: new Open(new Description('door', world.element([undefined, color]))), isReachable };
}

function drawOther(rooms: Rooms, kind: Exclude<MixedKind, 'open'>, distractors: number): Drawn {
  const { world } = rooms;
  const isPair = kind === 'putnext' || kind === 'pick_up_seq_go_to';
  rooms.placeAgent();
  const things = rooms.addDistractors(distractors + (isPair ? 2 : 1), { allUnique: false });
  const isReachable = areReachable(rooms);
  const first = world.element(things);
  const description = described(first);
  if (kind === 'goto') return { instruction: new GoTo(description), isReachable };
  if (kind === 'pickup') return { instruction: new Pickup(description), isReachable };
  const other = described(drawSecond(rooms, world, things, first));
  if (kind === 'putnext') return { instruction: new PutNext(description, other), isReachable };
  const [pickup, goTo] = [new Pickup(description), new GoTo(other)];
  const instruction =
    world.element(['Before', 'After']) === 'Before' ? new Before(pickup, goTo) : new After(goTo, pickup);
  return { instruction, isReachable };
}

/** Another object; of the same kind and color only if there are two of them. */
function drawSecond(rooms: Rooms, world: World, things: readonly Thing[], first: Thing): Thing {
  const isSame = ({ type, color }: Thing) => type === first.type && color === first.color;
  let second = world.element(things);
  if (!isSame(second)) return second;
  const same = described(first);
  same.find(rooms);
  if (same.things.length < 2) while (isSame(second)) second = world.element(things);
  return second;
}
