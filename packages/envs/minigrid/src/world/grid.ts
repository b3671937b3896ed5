/** The cells of a world: Farama-Foundation/Minigrid, `minigrid/core/grid.py`. Columns from the left, rows from the top. */
import { EMPTY } from './constants.js';
import { type Thing, wall } from './thing.js';

export class Grid {
  readonly width: number;
  readonly height: number;
  /** Row by row; `undefined` is an empty cell. */
  readonly cells: (Thing | undefined)[];

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = new Array<Thing | undefined>(width * height).fill(undefined);
  }

  has(x: number, y: number): boolean {
    return x >= 0 && x < this.width && y >= 0 && y < this.height;
  }

  get(x: number, y: number): Thing | undefined {
    return this.cells[y * this.width + x];
  }

  set(x: number, y: number, thing: Thing | undefined): void {
    this.cells[y * this.width + x] = thing;
  }

  horizontal(x: number, y: number, length = this.width - x, make: () => Thing = wall): void {
    for (let i = 0; i < length; i += 1) this.set(x + i, y, make());
  }

  vertical(x: number, y: number, length = this.height - y, make: () => Thing = wall): void {
    for (let j = 0; j < length; j += 1) this.set(x, y + j, make());
  }

  border(x = 0, y = 0, width = this.width, height = this.height): void {
    this.horizontal(x, y, width);
    this.horizontal(x, y + height - 1, width);
    this.vertical(x, y, height);
    this.vertical(x + width - 1, y, height);
  }

  /** Three bytes for each cell - type, color, state - column by column, as the original's `encode`. */
  encode(): Uint8Array {
    const { width, height } = this;
    const bytes = new Uint8Array(width * height * 3);
    for (let x = 0, at = 0; x < width; x += 1) {
      for (let y = 0; y < height; y += 1, at += 3) {
        const thing = this.get(x, y);
        bytes[at] = thing ? thing.number : EMPTY;
        bytes[at + 1] = thing ? thing.colorNumber : 0;
        bytes[at + 2] = thing ? thing.state : 0;
      }
    }
    return bytes;
  }
}
