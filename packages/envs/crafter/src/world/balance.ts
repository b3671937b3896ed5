/** Every tenth step creatures appear in chunks that have too few of them, and vanish from those with too many. */
import type { Player } from './player.js';
import { GRASS, PATH } from './rules.js';
import { type Kind, newThing, type Thing } from './things.js';
import type { World } from './world.js';

interface Rule {
  readonly kind: Exclude<Kind, 'player'>;
  readonly material: number;
  /** Steps from the player at which one may appear, and vanish. */
  readonly appearsAt: number;
  readonly vanishesAt: number;
  readonly appears: number;
  readonly vanishes: number;
  /** The fewest and the most of a chunk, by its cells of the material, and by daylight. */
  readonly fewest: (space: number, light: number) => number;
  readonly most: (light: number) => number;
}

const RULES: readonly Rule[] = [
  {
    kind: 'zombie',
    material: GRASS,
    appearsAt: 6,
    vanishesAt: 0,
    appears: 0.3,
    vanishes: 0.4,
    fewest: (space, light) => (space < 50 ? 0 : 3.5 - 3 * light),
    most: (light) => 3.5 - 3 * light,
  },
  {
    kind: 'skeleton',
    material: PATH,
    appearsAt: 7,
    vanishesAt: 7,
    appears: 0.1,
    vanishes: 0.1,
    fewest: (space) => (space < 6 ? 0 : 1),
    most: () => 2,
  },
  {
    kind: 'cow',
    material: GRASS,
    appearsAt: 5,
    vanishesAt: 5,
    appears: 0.01,
    vanishes: 0.1,
    fewest: (space) => (space < 30 ? 0 : 1),
    most: (light) => 1.5 + light,
  },
];

export function balance(world: World, player: Player): void {
  for (const [key, members] of world.chunks) {
    for (const rule of RULES) balanceKind(world, player, key, members, rule);
  }
}

function balanceKind(world: World, player: Player, key: number, members: ReadonlySet<Thing>, rule: Rule): void {
  const { random, daylight } = world;
  const creatures: Thing[] = [];
  for (const member of members) if (member.kind === rule.kind) creatures.push(member);
  const space = cellsOf(world, key, rule.material);
  if (creatures.length < Math.trunc(rule.fewest(space, daylight)) && random.random() < rule.appears) {
    const { x, y } = cellAt(world, key, rule.material, random.randint(0, space));
    const isFar = player.distanceTo(x, y) >= rule.appearsAt;
    if (world.objectAt(x, y) === undefined && isFar) world.add(newThing(rule.kind, x, y));
  } else if (creatures.length > Math.trunc(rule.most(daylight)) && random.random() < rule.vanishes) {
    const creature = creatures[random.randint(0, creatures.length)]!;
    if (player.distanceTo(creature.x, creature.y) >= rule.vanishesAt) world.remove(creature);
  }
}

/** Number of a chunk's cells of a material. */
function cellsOf(world: World, key: number, material: number): number {
  const { x0, y0, x1, y1 } = world.chunkArea(key);
  let count = 0;
  for (let x = x0; x < x1; x += 1) {
    for (let y = y0; y < y1; y += 1) if (world.materials[x * world.height + y] === material) count += 1;
  }
  return count;
}

/** The cell of a material with this number, column by column. */
function cellAt(world: World, key: number, material: number, index: number): { x: number; y: number } {
  const { x0, y0, x1, y1 } = world.chunkArea(key);
  for (let x = x0, left = index; x < x1; x += 1) {
    for (let y = y0; y < y1; y += 1) {
      if (world.materials[x * world.height + y] !== material) continue;
      if (left === 0) return { x, y };
      left -= 1;
    }
  }
  throw new RangeError(`chunk ${key} has no cell ${index} of material ${material}`);
}
