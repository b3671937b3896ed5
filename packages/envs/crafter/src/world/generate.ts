/** Terrain from noise, and the first creatures. `golden.test.ts` pins whole worlds. */
import { OpenSimplex } from '../numbers/open-simplex.js';
import type { Player } from './player.js';
import { COAL, DIAMOND, GRASS, IRON, LAVA, PATH, SAND, STONE, TREE, WALKABLE, WATER } from './rules.js';
import { newThing } from './things.js';
import type { World } from './world.js';

/** The world's generator must be at the beginning of its episode; the player stands on the map already. */
export function generateWorld(world: World, player: Player): void {
  const noise = new OpenSimplex(world.random.randint(0, 2 ** 31 - 1));
  const tunnels = new Uint8Array(world.width * world.height);
  for (let x = 0; x < world.width; x += 1) {
    for (let y = 0; y < world.height; y += 1) layMaterial(world, x, y, player, noise, tunnels);
  }
  for (let x = 0; x < world.width; x += 1) {
    for (let y = 0; y < world.height; y += 1) putCreature(world, x, y, player, tunnels);
  }
}

const distance = (x: number, y: number, to: Player) => Math.sqrt((x - to.x) ** 2 + (y - to.y) ** 2);

function layMaterial(
  world: World,
  x: number,
  y: number,
  player: Player,
  noise: OpenSimplex,
  tunnels: Uint8Array,
): void {
  const at = (column: number, row: number, z: number, size: number) => noise.at(column / size, row / size, z);
  /** Noise of size 15 with a finer one of size 5. */
  const rough = (z: number, fine: number) => noise.at(x / 15, y / 15, z) + fine * noise.at(x / 5, y / 5, z);
  const chance = () => world.random.random();

  const closeness = 4 - distance(x, y, player) + 2 * at(x, y, 8, 3);
  const start = 1 / (1 + Math.exp(-closeness));
  const water = rough(3, 0.15) + 0.1 - 2 * start;
  const mountain = rough(0, 0.3) / 1.3 - (4 * start + 0.3 * water);

  const material = (): number => {
    if (start > 0.5) return GRASS;
    if (mountain > 0.15) {
      if (at(x, y, 6, 7) > 0.15 && mountain > 0.3) return PATH;
      if (at(2 * x, y / 5, 7, 3) > 0.4 || at(x / 5, 2 * y, 7, 3) > 0.4) {
        tunnels[x * world.height + y] = 1;
        return PATH;
      }
      if (at(x, y, 1, 8) > 0 && chance() > 0.85) return COAL;
      if (at(x, y, 2, 6) > 0.4 && chance() > 0.75) return IRON;
      if (mountain > 0.18 && chance() > 0.994) return DIAMOND;
      return mountain > 0.3 && at(x, y, 6, 5) > 0.35 ? LAVA : STONE;
    }
    if (water > 0.25 && water <= 0.35 && at(x, y, 4, 9) > -0.2) return SAND;
    if (water > 0.3) return WATER;
    return at(x, y, 5, 7) > 0 && chance() > 0.8 ? TREE : GRASS;
  };
  world.setMaterial(x, y, material());
}

function putCreature(world: World, x: number, y: number, player: Player, tunnels: Uint8Array): void {
  const material = world.material(x, y);
  if (WALKABLE[material] !== 1) return;
  const away = distance(x, y, player);
  const chance = () => world.random.random();
  if (away > 3 && material === GRASS && chance() > 0.985) world.add(newThing('cow', x, y));
  else if (away > 10 && chance() > 0.993) world.add(newThing('zombie', x, y));
  else if (material === PATH && tunnels[x * world.height + y] === 1 && chance() > 0.95) {
    world.add(newThing('skeleton', x, y));
  }
}
