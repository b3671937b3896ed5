/** Cows, zombies, skeletons, arrows and plants in a step. The order of the draws is part of the rules. */
import type { Player } from './player.js';
import { ARROW_WALKABLE, DIRECTIONS, type Direction, FURNACE, PATH, TABLE, WALKABLE } from './rules.js';
import { type Kind, newThing, type Thing } from './things.js';
import type { World } from './world.js';

const ZOMBIE_SIGHT = 8;
const ZOMBIE_PAUSE = 5;
const SKELETON_PAUSE = 4;
const ARROW_DAMAGE = 2;

export function updateThing(thing: Thing, world: World, player: Player): void {
  UPDATES[thing.kind](thing, world, player);
}

const randomDirection = (world: World): Direction => DIRECTIONS[world.random.randint(0, 4)]!;

const walk = (world: World, thing: Thing, [dx, dy]: Direction) => world.tryMove(thing, dx, dy, WALKABLE);

/** One step towards the player, along the axis with the longer or the shorter way; [0, 0] if that way is none. */
function toward(thing: Thing, { x, y }: Player, alongLonger: boolean): Direction {
  const [dx, dy] = [x - thing.x, y - thing.y];
  const [across, down] = [Math.abs(dx), Math.abs(dy)];
  return (alongLonger ? across > down : across <= down) ? [Math.sign(dx), 0] : [0, Math.sign(dy)];
}

function updateCow(cow: Thing, world: World): void {
  if (cow.health <= 0) world.remove(cow);
  if (world.random.random() < 0.5) walk(world, cow, randomDirection(world));
}

function updateZombie(zombie: Thing, world: World, player: Player): void {
  if (zombie.health <= 0) world.remove(zombie);
  const { random } = world;
  const sees = zombie.distanceTo(player.x, player.y) <= ZOMBIE_SIGHT;
  if (sees && random.random() < 0.9) walk(world, zombie, toward(zombie, player, random.random() < 0.8));
  else walk(world, zombie, randomDirection(world));
  if (zombie.distanceTo(player.x, player.y) > 1) return;
  if (zombie.timer > 0) {
    zombie.timer -= 1;
    return;
  }
  player.hurt(player.sleeping ? 7 : 2);
  zombie.timer = ZOMBIE_PAUSE;
}

function updateSkeleton(skeleton: Thing, world: World, player: Player): void {
  if (skeleton.health <= 0) world.remove(skeleton);
  const { random } = world;
  skeleton.timer = Math.max(0, skeleton.timer - 1);
  const away = skeleton.distanceTo(player.x, player.y);
  if (away <= 3) {
    const [dx, dy] = toward(skeleton, player, random.random() < 0.6);
    if (walk(world, skeleton, [-dx, -dy])) return;
  }
  if (away <= 5 && random.random() < 0.5) shoot(skeleton, world, toward(skeleton, player, true));
  else if (away <= 8 && random.random() < 0.3) walk(world, skeleton, toward(skeleton, player, random.random() < 0.6));
  else if (random.random() < 0.2) walk(world, skeleton, randomDirection(world));
}

function shoot(skeleton: Thing, world: World, facing: Direction): void {
  if (skeleton.timer > 0 || (facing[0] === 0 && facing[1] === 0)) return;
  const [x, y] = [skeleton.x + facing[0], skeleton.y + facing[1]];
  if (!world.isFree(x, y, ARROW_WALKABLE)) return;
  world.add(newThing('arrow', x, y, facing));
  skeleton.timer = SKELETON_PAUSE;
}

function updateArrow(arrow: Thing, world: World): void {
  const [x, y] = [arrow.x + arrow.facing[0], arrow.y + arrow.facing[1]];
  const material = world.material(x, y);
  const target = world.objectAt(x, y);
  if (target) {
    target.hurt(ARROW_DAMAGE);
    world.remove(arrow);
  } else if (ARROW_WALKABLE[material] !== 1) {
    world.remove(arrow);
    // an arrow breaks tables and furnaces
    if (material === TABLE || material === FURNACE) world.setMaterial(x, y, PATH);
  } else world.move(arrow, x, y);
}

function updatePlant(plant: Thing, world: World): void {
  plant.timer += 1;
  const isEaten = DIRECTIONS.some(([dx, dy]) => {
    const kind = world.objectAt(plant.x + dx, plant.y + dy)?.kind;
    return kind === 'zombie' || kind === 'skeleton' || kind === 'cow';
  });
  if (isEaten) plant.hurt(1);
  if (plant.health <= 0) world.remove(plant);
}

const UPDATES: Readonly<Record<Kind, (thing: Thing, world: World, player: Player) => void>> = {
  cow: updateCow,
  zombie: updateZombie,
  skeleton: updateSkeleton,
  arrow: updateArrow,
  plant: updatePlant,
  // acts by `Player.update`
  player: () => {},
};
