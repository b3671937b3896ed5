/** The cells of a level: each holds a stack of things, of which the top one acts and is seen. */
import type { RandomState } from '@vlgym/core/random';
import { BORDER, type Thing } from './things.js';

export type Place = readonly [x: number, y: number];

/** A rectangle to draw a place from; what lies outside of the grid does not count. */
export interface Area {
  readonly top: Place;
  readonly size: readonly [width: number, height: number];
}

/** Draws for one thing before a level counts as full. */
const MAX_TRIES = 100_000;

export class Grid {
  readonly width: number;
  readonly height: number;
  /** Rows from the top; the last of a stack is on top. Stacks are replaced, never changed. */
  readonly stacks: (readonly Thing[])[];

  constructor(width: number, height: number, stacks?: readonly (readonly Thing[])[]) {
    this.width = width;
    this.height = height;
    this.stacks = stacks ? [...stacks] : new Array<readonly Thing[]>(width * height).fill([]);
  }

  at(x: number, y: number): number {
    return y * this.width + x;
  }

  has([x, y]: Place): boolean {
    return x >= 0 && x < this.width && y >= 0 && y < this.height;
  }

  top([x, y]: Place): Thing | undefined {
    return this.stacks[this.at(x, y)]?.at(-1);
  }

  put([x, y]: Place, thing: Thing): void {
    const at = this.at(x, y);
    this.stacks[at] = [...this.stacks[at]!, thing];
  }

  /** Moves the top thing of a cell onto another cell. @returns The thing, if there was one and it is elsewhere now. */
  move(from: Place, to: Place): Thing | undefined {
    if (from[0] === to[0] && from[1] === to[1]) return undefined;
    const at = this.at(...from);
    const thing = this.stacks[at]!.at(-1);
    if (!thing) return undefined;
    this.stacks[at] = this.stacks[at]!.slice(0, -1);
    this.put(to, thing);
    return thing;
  }

  /** The cells with their top things, row by row. A cell that changes during the iteration is given as it is then. */
  *tops(): Generator<readonly [place: Place, thing: Thing]> {
    for (let index = 0; index < this.stacks.length; index += 1) {
      const thing = this.stacks[index]!.at(-1);
      if (thing) yield [[index % this.width, Math.floor(index / this.width)], thing];
    }
  }

  surround(): void {
    for (let x = 0; x < this.width; x += 1) for (const y of [0, this.height - 1]) this.put([x, y], BORDER);
    for (let y = 1; y < this.height - 1; y += 1) for (const x of [0, this.width - 1]) this.put([x, y], BORDER);
  }

  /** An empty cell of the area, drawn as often as needed. @throws {RangeError} The area is full. */
  drawEmpty(random: RandomState, { top, size }: Area = { top: [0, 0], size: [this.width, this.height] }): Place {
    for (let tries = 0; tries <= MAX_TRIES; tries += 1) {
      const x = random.randint(top[0], Math.min(top[0] + size[0], this.width));
      const y = random.randint(top[1], Math.min(top[1] + size[1], this.height));
      if (this.top([x, y]) === undefined) return [x, y];
    }
    throw new RangeError(`no empty cell in ${MAX_TRIES} draws`);
  }
}
