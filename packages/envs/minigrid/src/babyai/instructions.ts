/**
 * Instructions, their words, and when they are done: Farama-Foundation/Minigrid, `minigrid/envs/babyai/core/verifier.py`.
 * The published variable that waits for the action `done` is left at its default, off.
 */
import { DROP, PICKUP, TOGGLE } from '../world/constants.js';
import type { Rooms } from '../world/rooms.js';
import type { Goal } from '../world/task.js';
import type { Thing } from '../world/thing.js';
import type { Description } from './description.js';

export type Status = 'success' | 'failure' | 'continue';

export interface Instruction {
  /** Walks across the level that it takes; they set the limit of steps. */
  readonly navigations: number;
  surface(rooms: Rooms): string;
  /** Looks for the objects in the world; the episode begins. */
  begin(rooms: Rooms): void;
  /** Whether the last action completed it, or failed. */
  verify(action: number): Status;
  /** Looks where the objects are now. */
  update(): void;
  goal(): Goal | undefined;
  /** Descriptions of simple instructions, in order. */
  readonly simple: readonly SimpleInstruction[];
}

export abstract class SimpleInstruction implements Instruction {
  readonly navigations: number = 1;
  abstract readonly descriptions: readonly Description[];
  protected rooms!: Rooms;

  abstract surface(rooms: Rooms): string;
  abstract verify(action: number): Status;
  abstract goal(): Goal;

  get simple(): readonly SimpleInstruction[] {
    return [this];
  }

  begin(rooms: Rooms): void {
    this.rooms = rooms;
    for (const description of this.descriptions) description.find(rooms);
  }

  update(): void {
    for (const description of this.descriptions) description.update(this.rooms);
  }

  protected get ahead(): Thing | undefined {
    const { world } = this.rooms;
    return world.grid.get(world.frontX, world.frontY);
  }
}

/** @param strict  Another door fails. */
export class Open extends SimpleInstruction {
  readonly descriptions: readonly [Description];
  readonly #strict: boolean;

  constructor(door: Description, strict = false) {
    super();
    this.descriptions = [door];
    this.#strict = strict;
  }

  surface(rooms: Rooms): string {
    return `open ${this.descriptions[0].surface(rooms)}`;
  }

  verify(action: number): Status {
    if (action !== TOGGLE) return 'continue';
    const { ahead } = this;
    if (ahead?.isOpen && this.descriptions[0].things.includes(ahead)) return 'success';
    return this.#strict && ahead?.type === 'door' ? 'failure' : 'continue';
  }

  goal(): Goal {
    return { kind: 'open', doors: this.descriptions[0].things };
  }
}

export class GoTo extends SimpleInstruction {
  readonly descriptions: readonly [Description];

  constructor(thing: Description) {
    super();
    this.descriptions = [thing];
  }

  surface(rooms: Rooms): string {
    return `go to ${this.descriptions[0].surface(rooms)}`;
  }

  verify(): Status {
    const { frontX, frontY } = this.rooms.world;
    return this.descriptions[0].cells.some(([x, y]) => x === frontX && y === frontY) ? 'success' : 'continue';
  }

  goal(): Goal {
    return { kind: 'goto', cells: () => this.descriptions[0].cells, faced: true };
  }
}

/** @param strict  Another object fails. */
export class Pickup extends SimpleInstruction {
  readonly descriptions: readonly [Description];
  readonly #strict: boolean;
  #carriedBefore: Thing | undefined;

  constructor(thing: Description, strict = false) {
    super();
    this.descriptions = [thing];
    this.#strict = strict;
  }

  override begin(rooms: Rooms): void {
    super.begin(rooms);
    this.#carriedBefore = undefined;
  }

  surface(rooms: Rooms): string {
    return `pick up ${this.descriptions[0].surface(rooms)}`;
  }

  verify(action: number): Status {
    const before = this.#carriedBefore;
    const { carrying } = this.rooms.world;
    this.#carriedBefore = carrying;
    if (action !== PICKUP) return 'continue';
    if (before === undefined && carrying && this.descriptions[0].things.includes(carrying)) return 'success';
    return this.#strict && carrying ? 'failure' : 'continue';
  }

  goal(): Goal {
    return { kind: 'pickup', things: this.descriptions[0].things };
  }
}

export class PutNext extends SimpleInstruction {
  override readonly navigations = 2;
  readonly descriptions: readonly [moved: Description, fixed: Description];
  #carriedBefore: Thing | undefined;

  constructor(moved: Description, fixed: Description) {
    super();
    this.descriptions = [moved, fixed];
  }

  override begin(rooms: Rooms): void {
    super.begin(rooms);
    this.#carriedBefore = undefined;
  }

  surface(rooms: Rooms): string {
    const [moved, fixed] = this.descriptions;
    return `put ${moved.surface(rooms)} next to ${fixed.surface(rooms)}`;
  }

  /** Some object of the first kind is next to one of the second. */
  isDone(): boolean {
    return this.descriptions[0].things.some((thing) => this.#isNext(thing));
  }

  verify(action: number): Status {
    const before = this.#carriedBefore;
    this.#carriedBefore = this.rooms.world.carrying;
    if (action !== DROP || before === undefined) return 'continue';
    return this.descriptions[0].things.includes(before) && this.#isNext(before) ? 'success' : 'continue';
  }

  goal(): Goal {
    const [moved, fixed] = this.descriptions;
    return { kind: 'put', things: moved.things, cells: () => fixed.cells, diagonal: false };
  }

  #isNext(thing: Thing): boolean {
    return this.descriptions[1].cells.some(([x, y]) => Math.abs(x - thing.x) + Math.abs(y - thing.y) === 1);
  }
}

abstract class Pair implements Instruction {
  readonly first: Instruction;
  readonly second: Instruction;
  protected firstDone = false;
  protected secondDone = false;

  constructor(first: Instruction, second: Instruction) {
    this.first = first;
    this.second = second;
  }

  get navigations(): number {
    return this.first.navigations + this.second.navigations;
  }

  get simple(): readonly SimpleInstruction[] {
    return [...this.first.simple, ...this.second.simple];
  }

  abstract surface(rooms: Rooms): string;
  abstract verify(action: number): Status;
  abstract goal(): Goal | undefined;

  begin(rooms: Rooms): void {
    this.first.begin(rooms);
    this.second.begin(rooms);
    this.firstDone = false;
    this.secondDone = false;
  }

  update(): void {
    this.first.update();
    this.second.update();
  }
}

/** One after the other. */
abstract class Sequence extends Pair {
  protected abstract readonly order: readonly [Instruction, Instruction];

  verify(action: number): Status {
    const [earlier, later] = this.order;
    if (!this.firstDone) {
      const status = earlier.verify(action);
      if (status !== 'success') return status;
      this.firstDone = true;
      // the same action may complete the other one, too
    }
    return later.verify(action);
  }

  goal(): Goal | undefined {
    const [earlier, later] = this.order;
    return (this.firstDone ? later : earlier).goal();
  }
}

export class Before extends Sequence {
  protected override get order(): readonly [Instruction, Instruction] {
    return [this.first, this.second];
  }

  surface(rooms: Rooms): string {
    return `${this.first.surface(rooms)}, then ${this.second.surface(rooms)}`;
  }
}

export class After extends Sequence {
  protected override get order(): readonly [Instruction, Instruction] {
    return [this.second, this.first];
  }

  surface(rooms: Rooms): string {
    return `${this.first.surface(rooms)} after you ${this.second.surface(rooms)}`;
  }
}

/** Both, in any order. A failure of one does not fail both. */
export class And extends Pair {
  surface(rooms: Rooms): string {
    return `${this.first.surface(rooms)} and ${this.second.surface(rooms)}`;
  }

  verify(action: number): Status {
    this.firstDone ||= this.first.verify(action) === 'success';
    this.secondDone ||= this.second.verify(action) === 'success';
    return this.firstDone && this.secondDone ? 'success' : 'continue';
  }

  goal(): Goal | undefined {
    return (this.firstDone ? this.second : this.first).goal();
  }
}
