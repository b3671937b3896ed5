/** The player: what actions do, and hunger, thirst, fatigue and healing. */
import {
  ACHIEVEMENTS,
  type Achievement,
  type ActionName,
  COLLECT,
  DIRECTIONS,
  type Direction,
  ITEMS,
  type Item,
  LAVA,
  MAKE,
  MOST,
  PLACE,
  PLAYER_WALKABLE,
  VITALS,
  WATER,
} from './rules.js';
import { newThing, Thing } from './things.js';
import type { World } from './world.js';

/** Amounts of the items of the player, without health, which every thing has. */
export type Stock = Record<Exclude<Item, 'health'>, number>;

/** Counters of the body that nothing shows. */
export interface Body {
  hunger: number;
  thirst: number;
  fatigue: number;
  recover: number;
  /** Health after the previous step; a sleeper whose health is lower now wakes up. */
  lastHealth: number;
}

const MOVES: Partial<Record<ActionName, Direction>> = {
  move_left: DIRECTIONS[0],
  move_right: DIRECTIONS[1],
  move_up: DIRECTIONS[2],
  move_down: DIRECTIONS[3],
};

export class Player extends Thing {
  readonly stock = Object.fromEntries(ITEMS.slice(1).map((item) => [item, VITALS.includes(item) ? MOST : 0])) as Stock;
  readonly achievements = Object.fromEntries(ACHIEVEMENTS.map((name) => [name, 0])) as Record<Achievement, number>;
  readonly body: Body = { hunger: 0, thirst: 0, fatigue: 0, recover: 0, lastHealth: MOST };
  /** Where the player looks. */
  look: Direction = DIRECTIONS[3];
  sleeping = false;

  constructor(x: number, y: number) {
    super('player', x, y, MOST);
  }

  /** The amounts of all items, in their order. */
  get inventory(): Record<Item, number> {
    return { health: this.health, ...this.stock };
  }

  update(world: World, wanted: ActionName): void {
    let action = wanted;
    if (this.sleeping) {
      if (this.stock.energy < MOST) action = 'sleep';
      else {
        this.sleeping = false;
        this.achievements.wake_up += 1;
      }
    }
    this.#act(world, action);
    this.#live();
    this.#heal();
    this.health = Math.min(this.health, MOST);
    for (const item of STOCKED) this.stock[item] = Math.max(0, Math.min(this.stock[item], MOST));
    if (this.health < this.body.lastHealth) this.sleeping = false;
    this.body.lastHealth = this.health;
  }

  #act(world: World, action: ActionName): void {
    const move = MOVES[action];
    if (move) {
      this.look = move;
      world.tryMove(this, move[0], move[1], PLAYER_WALKABLE);
      if (world.material(this.x, this.y) === LAVA) this.health = 0;
    } else if (action === 'do') {
      const target = world.objectAt(this.x + this.look[0], this.y + this.look[1]);
      if (target) this.#hit(target);
      else this.#collect(world);
    } else if (action === 'sleep') {
      if (this.stock.energy < MOST) this.sleeping = true;
    } else if (action.startsWith('place_')) {
      this.#place(world, action.slice('place_'.length) as keyof typeof PLACE);
    } else if (action.startsWith('make_')) {
      this.#make(world, action.slice('make_'.length) as keyof typeof MAKE);
    }
  }

  #hit(target: Thing): void {
    const { wood_sword: wood, stone_sword: stone, iron_sword: iron } = this.stock;
    const damage = iron > 0 ? 5 : stone > 0 ? 3 : wood > 0 ? 2 : 1;
    if (target.kind === 'plant') {
      if (!target.isRipe) return;
      target.timer = 0;
      this.stock.food += 4;
      this.achievements.eat_plant += 1;
      return;
    }
    if (target.kind === 'arrow') return;
    target.hurt(damage);
    if (target.health > 0) return;
    if (target.kind === 'zombie') this.achievements.defeat_zombie += 1;
    if (target.kind === 'skeleton') this.achievements.defeat_skeleton += 1;
    if (target.kind === 'cow') {
      this.stock.food += 6;
      this.achievements.eat_cow += 1;
      this.body.hunger = 0;
    }
  }

  #collect(world: World): void {
    const [x, y] = [this.x + this.look[0], this.y + this.look[1]];
    const material = world.material(x, y);
    if (material === WATER) this.body.thirst = 0;
    const found = COLLECT[material];
    if (!found || (found.requires !== undefined && this.stock[found.requires as keyof Stock] < 1)) return;
    world.setMaterial(x, y, found.leaves);
    // drawn also where the chance is 1
    if (world.random.random() > found.probability) return;
    this.stock[found.item as keyof Stock] += 1;
    this.achievements[`collect_${found.item}` as Achievement] += 1;
  }

  #place(world: World, name: keyof typeof PLACE): void {
    const [x, y] = [this.x + this.look[0], this.y + this.look[1]];
    const { uses, amount, where, becomes } = PLACE[name];
    if (world.objectAt(x, y) || !(where as readonly number[]).includes(world.material(x, y))) return;
    if (this.stock[uses] < amount) return;
    this.stock[uses] -= amount;
    if (becomes === 'plant') world.add(newThing('plant', x, y));
    else world.setMaterial(x, y, becomes);
    this.achievements[`place_${name}`] += 1;
  }

  #make(world: World, name: keyof typeof MAKE): void {
    const { uses, nearby } = MAKE[name];
    if (!nearby.every((material) => isNearby(world, this.x, this.y, material))) return;
    if (!uses.every((item) => this.stock[item] > 0)) return;
    for (const item of uses) this.stock[item] -= 1;
    this.stock[name] += 1;
    this.achievements[`make_${name}`] += 1;
  }

  #live(): void {
    const { stock, body, sleeping } = this;
    const pace = sleeping ? 0.5 : 1;
    body.hunger += pace;
    if (body.hunger > HUNGER) {
      body.hunger = 0;
      stock.food -= 1;
    }
    body.thirst += pace;
    if (body.thirst > THIRST) {
      body.thirst = 0;
      stock.drink -= 1;
    }
    body.fatigue = sleeping ? Math.min(body.fatigue - 1, 0) : body.fatigue + 1;
    if (body.fatigue < RESTED) {
      body.fatigue = 0;
      stock.energy += 1;
    }
    if (body.fatigue > FATIGUE) {
      body.fatigue = 0;
      stock.energy -= 1;
    }
  }

  #heal(): void {
    const { stock, body, sleeping } = this;
    const isWell = stock.food > 0 && stock.drink > 0 && (stock.energy > 0 || sleeping);
    if (isWell) body.recover += sleeping ? 2 : 1;
    else body.recover -= sleeping ? 0.5 : 1;
    if (body.recover > RECOVERY) {
      body.recover = 0;
      this.health += 1;
    }
    if (body.recover < DECLINE) {
      body.recover = 0;
      this.hurt(1);
    }
  }
}

const STOCKED = ITEMS.slice(1) as (keyof Stock)[];
const HUNGER = 25;
const THIRST = 20;
const FATIGUE = 30;
const RESTED = -10;
const RECOVERY = 25;
const DECLINE = -15;

/**
 * Whether one of the nine cells around a place has this material. In the first column and row nothing is nearby: the published
 * program's slice of the map begins at -1 there, and is empty.
 */
function isNearby(world: World, x: number, y: number, material: number): boolean {
  if (x === 0 || y === 0) return false;
  for (let column = x - 1; column <= x + 1; column += 1) {
    for (let row = y - 1; row <= y + 1; row += 1) if (world.material(column, row) === material) return true;
  }
  return false;
}
