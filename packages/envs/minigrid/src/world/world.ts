/**
 * The state of an episode and the rules of every level.
 *
 * Rules and order of draws follow Farama-Foundation/Minigrid 3.2.0, `minigrid/minigrid_env.py`; `test/golden/minigrid.json.gz`
 * pins worlds, steps and rewards.
 */
import type { Generator } from '@vlgym/core';
import { COLOR_NAMES, type Color, DROP, FORWARD, LEFT, PICKUP, RIGHT, STEPS, TOGGLE } from './constants.js';
import { GenerationError } from './generation-error.js';
import { Grid } from './grid.js';
import type { Level, Outcome, Task } from './task.js';
import type { Thing } from './thing.js';

export interface Place {
  /** Upper left corner; default 0, 0. */
  readonly top?: readonly [x: number, y: number] | undefined;
  /** Columns and rows; default: the whole grid. */
  readonly size?: readonly [columns: number, rows: number] | undefined;
  /** Cells where nothing may be placed. */
  readonly rejects?: ((x: number, y: number) => boolean) | undefined;
  readonly maxTries?: number | undefined;
}

export class World {
  readonly level: Level;
  readonly width: number;
  readonly height: number;
  readonly seeThroughWalls: boolean;
  grid: Grid;
  agentX = -1;
  agentY = -1;
  /** 0 right, 1 down, 2 left, 3 up. */
  direction = 0;
  carrying: Thing | undefined;
  stepCount = 0;
  maxSteps: number;

  readonly #fixedMaxSteps: number | undefined;
  #rng!: Generator;
  #task: Task | undefined;
  readonly #act = (action: number): Outcome => this.#actOnce(action);

  /** @param maxSteps  The limit of steps; default: that of the level. */
  constructor(level: Level, maxSteps?: number) {
    this.level = level;
    this.width = level.width;
    this.height = level.height;
    this.seeThroughWalls = level.seeThroughWalls ?? false;
    this.#fixedMaxSteps = maxSteps;
    this.maxSteps = maxSteps ?? level.maxSteps;
    this.grid = new Grid(this.width, this.height);
  }

  /** @throws {GenerationError} */
  reset(rng: Generator): void {
    this.#rng = rng;
    this.agentX = -1;
    this.agentY = -1;
    this.direction = -1;
    // the original forgets what is carried after the world is built
    const task = this.level.generate(this);
    this.carrying = undefined;
    this.stepCount = 0;
    this.maxSteps = this.#fixedMaxSteps ?? task.maxSteps ?? this.level.maxSteps;
    this.#task = task;
  }

  get task(): Task {
    return this.#task!;
  }

  get mission(): string {
    return this.task.mission;
  }

  step(action: number): Outcome {
    const { step } = this.task;
    return step ? step(action, this.#act) : this.#actOnce(action);
  }

  /** The reward of a success now. */
  reward(): number {
    return 1 - 0.9 * (this.stepCount / this.maxSteps);
  }

  succeed({ truncated }: Outcome): Outcome {
    return { reward: this.reward(), terminated: true, truncated };
  }

  fail({ truncated }: Outcome): Outcome {
    return { reward: 0, terminated: true, truncated };
  }

  get frontX(): number {
    return this.agentX + STEPS[this.direction]![0];
  }

  get frontY(): number {
    return this.agentY + STEPS[this.direction]![1];
  }

  #actOnce(action: number): Outcome {
    this.stepCount += 1;
    let reward = 0;
    let terminated = false;
    const [columns, rows] = STEPS[this.direction]!;
    const [x, y] = [this.agentX + columns, this.agentY + rows];
    const ahead = this.grid.get(x, y);
    switch (action) {
      case LEFT:
        this.direction = (this.direction + 3) % 4;
        break;
      case RIGHT:
        this.direction = (this.direction + 1) % 4;
        break;
      case FORWARD:
        if (ahead === undefined || ahead.canOverlap) {
          this.agentX = x;
          this.agentY = y;
        }
        if (ahead?.type === 'goal') {
          terminated = true;
          reward = this.reward();
        }
        if (ahead?.type === 'lava') terminated = true;
        break;
      case PICKUP:
        if (ahead?.canPickup && this.carrying === undefined) {
          this.carrying = ahead;
          ahead.moveTo(-1, -1);
          this.grid.set(x, y, undefined);
        }
        break;
      case DROP:
        if (ahead === undefined && this.carrying) {
          this.grid.set(x, y, this.carrying);
          this.carrying.moveTo(x, y);
          this.carrying = undefined;
        }
        break;
      case TOGGLE:
        if (ahead) this.#toggle(ahead, x, y);
        break;
    }
    return { reward, terminated, truncated: this.stepCount >= this.maxSteps };
  }

  #toggle(thing: Thing, x: number, y: number): void {
    if (thing.type === 'box') {
      this.grid.set(x, y, thing.contains);
      return;
    }
    if (thing.type !== 'door') return;
    if (!thing.isLocked) {
      thing.isOpen = !thing.isOpen;
    } else if (this.carrying?.type === 'key' && this.carrying.color === thing.color) {
      thing.isLocked = false;
      thing.isOpen = true;
    }
  }

  // what levels build with

  newGrid(): Grid {
    this.grid = new Grid(this.width, this.height);
    return this.grid;
  }

  /** A whole number in [low, high). */
  integer(low: number, high: number): number {
    return this.#rng.integers(low, high);
  }

  float(low: number, high: number): number {
    return this.#rng.uniform(low, high);
  }

  boolean(): boolean {
    return this.#rng.integers(0, 2) === 0;
  }

  element<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length)]!;
  }

  /** Different elements in the order drawn. */
  subset<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    return Array.from({ length: count }, () => left.splice(this.integer(0, left.length), 1)[0]!);
  }

  color(): Color {
    return this.element(COLOR_NAMES);
  }

  shuffle(items: unknown[]): void {
    this.#rng.shuffle(items);
  }

  /** Puts a thing, or only chooses a place, in a free cell of the rectangle. @throws {GenerationError} No place within the tries. */
  place(
    thing: Thing | undefined,
    { top, size, rejects, maxTries = Number.POSITIVE_INFINITY }: Place = {},
  ): [number, number] {
    const [left, upper] = [Math.max(top?.[0] ?? 0, 0), Math.max(top?.[1] ?? 0, 0)];
    const right = Math.min(left + (size?.[0] ?? this.width), this.width);
    const lower = Math.min(upper + (size?.[1] ?? this.height), this.height);
    for (let tries = 0; ; tries += 1) {
      if (tries > maxTries) throw new GenerationError('no free place for an object');
      const x = this.integer(left, right);
      const y = this.integer(upper, lower);
      if (this.grid.get(x, y) !== undefined || (x === this.agentX && y === this.agentY)) continue;
      if (rejects?.(x, y)) continue;
      this.grid.set(x, y, thing);
      if (thing) moveFirst(thing, x, y);
      return [x, y];
    }
  }

  /** Puts a thing into a cell. */
  put<T extends Thing>(thing: T, x: number, y: number): T {
    this.grid.set(x, y, thing);
    moveFirst(thing, x, y);
    return thing;
  }

  placeAgent(where: Place = {}): void {
    this.agentX = -1;
    this.agentY = -1;
    [this.agentX, this.agentY] = this.place(undefined, where);
    this.direction = this.integer(0, 4);
  }

  /** Puts the agent into a cell. */
  putAgent(x: number, y: number, direction: number): void {
    this.agentX = x;
    this.agentY = y;
    this.direction = direction;
  }
}

function moveFirst(thing: Thing, x: number, y: number): void {
  thing.moveTo(x, y);
  thing.firstX = x;
  thing.firstY = y;
}
