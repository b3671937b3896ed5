/**
 * The forty levels that BALROG plays, and how each is drawn.
 *
 * The order of draws follows nacloos/baba-is-ai (MIT) at ad466e02, `baba/envs.py`; `test/golden/balrog-baba.json.gz` pins it.
 */
import type { RandomState } from '@vlgym/core/random';
import { type Area, Grid, type Place } from './grid.js';
import { type Color, item, type ObjectName, type Property, wordBlock } from './things.js';

const NAMES = ['ball', 'key', 'door'] as const;
const COLORS = ['red', 'blue', 'green'] as const;

/** Things beside those that a level needs. */
interface Distractors {
  /** A second object. */
  readonly object: boolean;
  /** A block with the word of another object: of the second, or of one that the level does not have. */
  readonly word: 'none' | 'second' | 'other';
  /** A second rule with "win". */
  readonly rule?: boolean;
}

const DISTRACTORS = {
  '': { object: false, word: 'none' },
  '-distr_obj': { object: true, word: 'none' },
  '-distr_rule': { object: false, word: 'second' },
  '-distr_obj_rule': { object: true, word: 'second' },
  '-distr_obj-irrelevant_rule': { object: true, word: 'other' },
} as const satisfies Record<string, Distractors>;

const ONE_ROOM = { 'goto_win': false, 'make_win': true } as const; // biome-ignore format: one line
/** Where the winning object lies, and whether the wall between the rooms stops and the rule of winning is there. */
const TWO_ROOMS = {
  'two_room-goto_win': { place: 'left', breaksStop: true, breaksWin: false },
  'two_room-break_stop-goto_win': { place: 'right', breaksStop: false, breaksWin: false },
  'two_room-maybe_break_stop-goto_win': { place: 'anywhere', breaksStop: false, breaksWin: false },
  'two_room-make_win': { place: 'left', breaksStop: true, breaksWin: true },
  'two_room-break_stop-make_win': { place: 'right', breaksStop: false, breaksWin: true },
} as const;

type OneRoom = keyof typeof ONE_ROOM;
type TwoRooms = keyof typeof TWO_ROOMS;
type Suffix = keyof typeof DISTRACTORS;
export type BabaLevel =
  | `env/${OneRoom | TwoRooms}${Suffix}`
  | `env/two_room-${'goto' | 'make'}_win-distr_win_rule`
  | 'env/two_room-make_you'
  | 'env/two_room-make_you-make_win'
  | 'env/two_room-make_wall_win';

type Draw = (random: RandomState) => Grid;

const SIDE = 8;
const [WIDTH, HEIGHT] = [13, 9];
const DOORWAY = Math.floor(WIDTH / 2);

interface Drawn {
  readonly name: ObjectName;
  readonly color: Color;
}

/** Three objects with different names: the winning one, the second, and the source of an irrelevant word. */
function drawObjects(random: RandomState): readonly [Drawn, Drawn, Drawn] {
  const names = random.permutation(NAMES.length);
  const colors = random.randint(0, COLORS.length, NAMES.length);
  return Array.from({ length: NAMES.length }, (_, at) => ({
    name: NAMES[names[at]!]!,
    color: COLORS[colors[at]!]!,
  })) as unknown as readonly [Drawn, Drawn, Drawn];
}

function putRule(grid: Grid, object: ObjectName, property: Property, [x, y]: Place): void {
  for (const [at, word] of [object, 'is' as const, property].entries()) grid.put([x + at, y], wordBlock(word));
}

const drawFrom = <T>(random: RandomState, all: readonly T[]): T => all[random.randint(0, all.length)]!;

function place(grid: Grid, random: RandomState, { name, color }: Drawn, area: Area): void {
  grid.put(grid.drawEmpty(random, area), item(name, color));
}

const BABA: Drawn = { name: 'baba', color: 'white' };

/** Cells where a block that is put there cannot become part of a rule. */
const EDGES: readonly Place[] = [
  [4, 6], [5, 6], [6, 6],
  [4, 1], [5, 1], [6, 1],
  [6, 1], [6, 2], [6, 3], [6, 4], [6, 5], [6, 6],
]; // biome-ignore format: sides

function oneRoom(name: OneRoom, distractors: Distractors): Draw {
  return (random) => {
    const grid = new Grid(SIDE, SIDE);
    grid.surround();
    const [win, second, other] = drawObjects(random);
    putRule(grid, 'baba', 'you', [1, 6]);
    putRule(grid, win.name, 'win', [1, 1]);
    if (ONE_ROOM[name]) grid.move([1, 1], grid.drawEmpty(random, { top: [2, 2], size: [4, 4] }));
    if (distractors.word !== 'none') {
      grid.put(drawFrom(random, EDGES), wordBlock((distractors.word === 'other' ? other : second).name));
    }
    const area: Area = { top: [1, 2], size: [SIDE, SIDE] };
    for (const each of [BABA, win, ...(distractors.object ? [second] : [])]) place(grid, random, each, area);
    return grid;
  };
}

/** Two rooms with a wall of objects between them, so that "wall is stop" can be broken. */
function rooms(): Grid {
  const grid = new Grid(WIDTH, HEIGHT);
  grid.surround();
  for (let y = 1; y < HEIGHT - 1; y += 1) grid.put([DOORWAY, y], item('wall'));
  return grid;
}

const WIN_PLACE: Place = [WIDTH - 4, 1];
/** Where blocks can be pushed in any direction: with a way around them. */
const pushable = (left: number, width: number): Area => ({ top: [left, 3], size: [width, HEIGHT - 6] });
const PLACES = {
  left: { top: [1, 1], size: [DOORWAY - 2, HEIGHT - 2] },
  right: { top: [DOORWAY + 1, 2], size: [DOORWAY - 2, HEIGHT - 2] },
  anywhere: { top: [1, 2], size: [WIDTH - 2, HEIGHT - 2] },
} as const satisfies Record<string, Area>;
const RIGHT_EDGES: readonly Place[] = [
  ...Array.from({ length: HEIGHT - 4 }, (_, at): Place => [WIDTH - 2, 2 + at]),
  ...Array.from({ length: DOORWAY - 2 }, (_, at): Place => [WIDTH - 2 - at, HEIGHT - 2]),
];

function twoRooms(name: TwoRooms, distractors: Distractors): Draw {
  const { place: side, breaksStop, breaksWin } = TWO_ROOMS[name];
  const [left, right] = [pushable(2, DOORWAY - 2), pushable(DOORWAY + 1, DOORWAY - 2)];
  return (random) => {
    const grid = rooms();
    const [win, second, other] = drawObjects(random);
    putRule(grid, 'baba', 'you', [1, HEIGHT - 2]);
    putRule(grid, 'wall', 'stop', [1, 2]);
    putRule(grid, win.name, 'win', WIN_PLACE);
    if (distractors.word === 'other') grid.put(grid.drawEmpty(random, right), wordBlock(other.name));
    else if (distractors.word === 'second') {
      const free = distractors.object ? drawFrom(random, RIGHT_EDGES) : grid.drawEmpty(random, right);
      grid.put(free, wordBlock(second.name));
    }
    if (breaksStop) {
      const free = grid.drawEmpty(random, left);
      grid.move([1 + drawFrom(random, [1, 2]), 2], free);
    }
    if (breaksWin) grid.move(WIN_PLACE, grid.drawEmpty(random, right));
    place(grid, random, BABA, left);
    for (const each of [win, ...(distractors.object ? [second] : [])]) place(grid, random, each, PLACES[side]);
    if (distractors.rule) putRule(grid, other.name, 'win', [WIDTH - 4, 4]);
    return grid;
  };
}

function makeYou(breaksWin: boolean): Draw {
  const [left, right] = [pushable(2, DOORWAY - 3), pushable(DOORWAY + 2, DOORWAY - 3)];
  return (random) => {
    const grid = rooms();
    const [win, second] = drawObjects(random);
    putRule(grid, 'baba', 'you', [1, HEIGHT - 3]);
    putRule(grid, 'wall', 'stop', [1, 1]);
    putRule(grid, win.name, 'win', WIN_PLACE);
    grid.put(grid.drawEmpty(random, left), wordBlock(second.name));
    if (breaksWin) grid.move(WIN_PLACE, grid.drawEmpty(random, right));
    place(grid, random, BABA, left);
    for (const each of [win, second]) place(grid, random, each, PLACES.right);
    return grid;
  };
}

function makeWallWin(random: RandomState): Grid {
  const grid = rooms();
  const [win, second, other] = drawObjects(random);
  putRule(grid, 'baba', 'you', [1, HEIGHT - 2]);
  putRule(grid, 'wall', 'stop', [2, 2]);
  putRule(grid, win.name, 'win', WIN_PLACE);
  grid.put(grid.drawEmpty(random, pushable(DOORWAY + 2, DOORWAY - 3)), wordBlock(other.name));
  grid.move(WIN_PLACE, drawFrom(random, RIGHT_EDGES));
  place(grid, random, BABA, pushable(2, DOORWAY - 3));
  for (const each of [win, second]) place(grid, random, each, PLACES.right);
  return grid;
}

const WIN_RULE: Distractors = { object: true, word: 'second', rule: true };
const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[];
const suffixed = <Name extends OneRoom | TwoRooms>(name: Name, draw: (name: Name, distractors: Distractors) => Draw) =>
  keysOf(DISTRACTORS).map((suffix) => [`env/${name}${suffix}`, draw(name, DISTRACTORS[suffix])] as const);

const LEVELS = Object.fromEntries<Draw>([
  ...keysOf(ONE_ROOM).flatMap((name) => suffixed(name, oneRoom)),
  ...keysOf(TWO_ROOMS).flatMap((name) => suffixed(name, twoRooms)),
  ['env/two_room-goto_win-distr_win_rule', twoRooms('two_room-goto_win', WIN_RULE)],
  ['env/two_room-make_win-distr_win_rule', twoRooms('two_room-make_win', WIN_RULE)],
  ['env/two_room-make_you', makeYou(false)],
  ['env/two_room-make_you-make_win', makeYou(true)],
  ['env/two_room-make_wall_win', makeWallWin],
]) as Readonly<Record<BabaLevel, Draw>>;

/** Names of the levels, as in BALROG's list of tasks. */
export const BABA_LEVELS = keysOf(LEVELS) as [BabaLevel, ...BabaLevel[]];

/** A level drawn from NumPy's generator. */
export const drawLevel = (level: BabaLevel, random: RandomState): Grid => LEVELS[level](random);

/** Columns and rows of a level, its border included. */
export const sizeOf = (level: BabaLevel): readonly [width: number, height: number] =>
  level.startsWith('env/two_room') ? [WIDTH, HEIGHT] : [SIDE, SIDE];
