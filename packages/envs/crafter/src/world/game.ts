/**
 * An episode of Crafter: the world, the player, the order of a step, and the reward.
 *
 * Rules follow danijar/crafter 1.8.3 (MIT); `golden.test.ts` pins worlds, steps and pictures.
 */
import { RandomState } from '@vlgym/core/random';
import { daylightAt } from '../numbers/daylight.js';
import { balance } from './balance.js';
import { updateThing } from './creatures.js';
import { generateWorld } from './generate.js';
import { Player } from './player.js';
import { ACHIEVEMENTS, ACTIONS, type Achievement } from './rules.js';
import { World } from './world.js';

/** Things nearer than this act; twice the width of the view. */
const ACTIVE = 18;
const BALANCE_EVERY = 10;

export interface Area {
  readonly width: number;
  readonly height: number;
}

export class Game {
  readonly world: World;
  readonly player: Player;
  steps = 0;
  readonly unlocked = new Set<Achievement>();
  lastHealth: number;

  /**
   * @param worldSeed  0 to 2^31 - 2, from which everything is drawn.
   * @param generate   Whether to draw a world; otherwise it stays empty, for a saved one.
   */
  constructor({ width, height }: Area, worldSeed: number, generate = true) {
    this.world = new World(width, height);
    this.world.random = new RandomState(worldSeed);
    this.world.daylight = daylightAt(0);
    this.player = new Player(Math.floor(width / 2), Math.floor(height / 2));
    this.lastHealth = this.player.health;
    if (!generate) return;
    this.world.add(this.player);
    generateWorld(this.world, this.player);
  }

  get isDead(): boolean {
    return this.player.health <= 0;
  }

  /**
   * Everything of a step up to the picture, whose night draws from the world's generator.
   *
   * @param action  Index into `ACTIONS`.
   */
  advance(action: number): void {
    const { world, player } = this;
    this.steps += 1;
    world.daylight = daylightAt(this.steps);
    for (const thing of [...world.objects]) {
      if (player.distanceTo(thing.x, thing.y) >= ACTIVE) continue;
      if (thing === player) player.update(world, ACTIONS[action]!);
      else updateThing(thing, world, player);
    }
    if (this.steps % BALANCE_EVERY === 0) balance(world, player);
  }

  /** The rest of a saved game, whose world and player are loaded. */
  continueAt(steps: number, lastHealth: number, unlocked: readonly Achievement[]): void {
    this.steps = steps;
    this.world.daylight = daylightAt(steps);
    this.lastHealth = lastHealth;
    for (const name of unlocked) this.unlocked.add(name);
  }

  /** The reward of a step, once, and what was achieved for the first time. */
  settle(): { readonly reward: number; readonly unlocked: readonly Achievement[] } {
    const { player } = this;
    const change = (player.health - this.lastHealth) / 10;
    this.lastHealth = player.health;
    const unlocked = ACHIEVEMENTS.filter((name) => player.achievements[name] > 0 && !this.unlocked.has(name));
    for (const name of unlocked) this.unlocked.add(name);
    return { reward: unlocked.length > 0 ? change + 1 : change, unlocked };
  }
}
