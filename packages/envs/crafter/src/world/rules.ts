/** Names and recipes of the game, in the order of danijar/crafter 1.8.3 (MIT), `crafter/data.yaml`. */

export const ACTIONS = [
  'noop',
  'move_left',
  'move_right',
  'move_up',
  'move_down',
  'do',
  'sleep',
  'place_stone',
  'place_table',
  'place_furnace',
  'place_plant',
  'make_wood_pickaxe',
  'make_stone_pickaxe',
  'make_iron_pickaxe',
  'make_wood_sword',
  'make_stone_sword',
  'make_iron_sword',
] as const;
export type ActionName = (typeof ACTIONS)[number];

/** Cells are numbered from 1 in this order. */
export const MATERIALS = [
  'water',
  'grass',
  'stone',
  'path',
  'sand',
  'tree',
  'lava',
  'coal',
  'iron',
  'diamond',
  'table',
  'furnace',
] as const;
export type Material = (typeof MATERIALS)[number];

export const ITEMS = [
  'health',
  'food',
  'drink',
  'energy',
  'sapling',
  'wood',
  'stone',
  'coal',
  'iron',
  'diamond',
  'wood_pickaxe',
  'stone_pickaxe',
  'iron_pickaxe',
  'wood_sword',
  'stone_sword',
  'iron_sword',
] as const;
export type Item = (typeof ITEMS)[number];

export const ACHIEVEMENTS = [
  'collect_coal',
  'collect_diamond',
  'collect_drink',
  'collect_iron',
  'collect_sapling',
  'collect_stone',
  'collect_wood',
  'defeat_skeleton',
  'defeat_zombie',
  'eat_cow',
  'eat_plant',
  'make_iron_pickaxe',
  'make_iron_sword',
  'make_stone_pickaxe',
  'make_stone_sword',
  'make_wood_pickaxe',
  'make_wood_sword',
  'place_furnace',
  'place_plant',
  'place_stone',
  'place_table',
  'wake_up',
] as const;
export type Achievement = (typeof ACHIEVEMENTS)[number];

/** Vitals begin with the most, everything else with nothing. */
export const VITALS = ITEMS.slice(0, 4);
/** The most of every item. */
export const MOST = 9;

export const WATER = 1;
export const GRASS = 2;
export const STONE = 3;
export const PATH = 4;
export const SAND = 5;
export const TREE = 6;
export const LAVA = 7;
export const COAL = 8;
export const IRON = 9;
export const DIAMOND = 10;
export const TABLE = 11;
export const FURNACE = 12;
/** Outside the map. */
export const NOTHING = 0;

const setOf = (...materials: readonly number[]) =>
  Uint8Array.from({ length: MATERIALS.length + 1 }, (_, at) => Number(materials.includes(at)));
/** Where creatures walk, the player, and arrows fly: 1 for each such material. */
export const WALKABLE = setOf(GRASS, PATH, SAND);
export const PLAYER_WALKABLE = setOf(GRASS, PATH, SAND, LAVA);
export const ARROW_WALKABLE = setOf(GRASS, PATH, SAND, WATER, LAVA);

interface Collection {
  readonly item: Item;
  readonly requires?: Item;
  /** The material that stays. */
  readonly leaves: number;
  readonly probability: number;
}

export const COLLECT: Readonly<Record<number, Collection>> = {
  [TREE]: { item: 'wood', leaves: GRASS, probability: 1 },
  [STONE]: { item: 'stone', requires: 'wood_pickaxe', leaves: PATH, probability: 1 },
  [COAL]: { item: 'coal', requires: 'wood_pickaxe', leaves: PATH, probability: 1 },
  [IRON]: { item: 'iron', requires: 'stone_pickaxe', leaves: PATH, probability: 1 },
  [DIAMOND]: { item: 'diamond', requires: 'iron_pickaxe', leaves: PATH, probability: 1 },
  [WATER]: { item: 'drink', leaves: WATER, probability: 1 },
  [GRASS]: { item: 'sapling', leaves: GRASS, probability: 0.1 },
};

interface Placement {
  readonly uses: Item;
  readonly amount: number;
  readonly where: readonly number[];
  /** The material of the cell afterwards; a plant is an object. */
  readonly becomes: number | 'plant';
}

export const PLACE = {
  stone: { uses: 'stone', amount: 1, where: [GRASS, SAND, PATH, WATER, LAVA], becomes: STONE },
  table: { uses: 'wood', amount: 2, where: [GRASS, SAND, PATH], becomes: TABLE },
  furnace: { uses: 'stone', amount: 4, where: [GRASS, SAND, PATH], becomes: FURNACE },
  plant: { uses: 'sapling', amount: 1, where: [GRASS], becomes: 'plant' },
} as const satisfies Record<string, Placement>;

interface Recipe {
  readonly uses: readonly Item[];
  readonly nearby: readonly number[];
}

export const MAKE = {
  wood_pickaxe: { uses: ['wood'], nearby: [TABLE] },
  stone_pickaxe: { uses: ['wood', 'stone'], nearby: [TABLE] },
  iron_pickaxe: { uses: ['wood', 'coal', 'iron'], nearby: [TABLE, FURNACE] },
  wood_sword: { uses: ['wood'], nearby: [TABLE] },
  stone_sword: { uses: ['wood', 'stone'], nearby: [TABLE] },
  iron_sword: { uses: ['wood', 'coal', 'iron'], nearby: [TABLE, FURNACE] },
} as const satisfies Record<string, Recipe>;

/** Directions in the order of draws: left, right, up, down. */
export const DIRECTIONS = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;
export type Direction = readonly [dx: number, dy: number];
