/**
 * Our own tiles for Sokoban and the lake, drawn from shapes: the same bytes on every machine. The one-pixel colors of Sokoban are
 * those of mpSchrader/gym-sokoban (`room_to_tiny_world_rgb`).
 */
import type { RgbImage } from '@vlgym/core';

export type Rgb = readonly [red: number, green: number, blue: number];
/** The color of a point in the unit square. */
export type Paint = (x: number, y: number) => Rgb;

/** Samples per pixel and axis. */
const SAMPLES = 3;

/** Rows from the top, three bytes per pixel. */
export function paintTile(paint: Paint, size: number): Uint8Array {
  const tile = new Uint8Array(size * size * 3);
  const fine = size * SAMPLES;
  for (let row = 0, at = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1, at += 3) {
      const sum = [0, 0, 0];
      for (let part = 0; part < SAMPLES * SAMPLES; part += 1) {
        const x = (column * SAMPLES + (part % SAMPLES) + 0.5) / fine;
        const y = (row * SAMPLES + Math.floor(part / SAMPLES) + 0.5) / fine;
        for (const [channel, value] of paint(x, y).entries()) sum[channel]! += value;
      }
      for (let channel = 0; channel < 3; channel += 1) tile[at + channel] = sum[channel]! / SAMPLES ** 2;
    }
  }
  return tile;
}

/** Bytes that hold anything until they are written: clearing them first costs as much as drawing. */
export function pictureMemory(length: number): Uint8Array {
  return typeof Buffer === 'undefined' ? new Uint8Array(length) : new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

/** Draws pictures of tiles one after the other; only cells that changed since the last are drawn again. */
export class TilePainter {
  readonly #tiles: readonly Uint8Array[];
  readonly #size: number;
  #shown = new Uint8Array(0);
  #last = new Uint8Array(0);

  /** @param tiles  One for each number of a cell, `size * size * 3` bytes. */
  constructor(tiles: readonly Uint8Array[], size: number) {
    this.#tiles = tiles;
    this.#size = size;
  }

  draw(cells: Uint8Array, columns: number): RgbImage {
    const size = this.#size;
    const bytes = cells.length * size * size * 3;
    if (this.#last.length !== bytes) {
      this.#last = new Uint8Array(bytes);
      this.#shown = new Uint8Array(cells.length).fill(255);
    }
    for (let cell = 0; cell < cells.length; cell += 1) {
      if (this.#shown[cell] === cells[cell]) continue;
      this.#shown[cell] = cells[cell]!;
      this.#paste(this.#tiles[cells[cell]!]!, cell, columns);
    }
    const height = (cells.length / columns) * size;
    const data = pictureMemory(bytes);
    data.set(this.#last);
    return { data, height, width: columns * size, channels: 3 };
  }

  #paste(tile: Uint8Array, cell: number, columns: number): void {
    const row = this.#size * 3;
    const stride = columns * row;
    let to = Math.floor(cell / columns) * this.#size * stride + (cell % columns) * row;
    for (let from = 0; from < tile.length; from += row, to += stride)
      this.#last.set(tile.subarray(from, from + row), to);
  }
}

const WALL: Rgb = [88, 84, 96];
const MORTAR: Rgb = [58, 55, 64];
const FLOOR: Rgb = [238, 231, 212];
const TARGET: Rgb = [214, 76, 76];
const CRATE: Rgb = [176, 124, 60];
const PLANK: Rgb = [132, 88, 40];
const DONE: Rgb = [98, 158, 74];
const DONE_PLANK: Rgb = [64, 114, 48];
const PLAYER: Rgb = [48, 98, 190];
const FACE: Rgb = [248, 214, 174];

const distance = (x: number, y: number): number => Math.sqrt(x * x + y * y);

const inCircle = (x: number, y: number, centerX: number, centerY: number, radius: number): boolean =>
  (x - centerX) ** 2 + (y - centerY) ** 2 <= radius * radius;

const bricks: Paint = (x, y) => {
  const row = Math.floor(y * 4);
  const along = (x * 2 + (row % 2) * 0.5) % 1;
  return (y * 4) % 1 < 0.14 || along < 0.07 ? MORTAR : WALL;
};
const floor: Paint = () => FLOOR;
const target: Paint = (x, y) => {
  const away = distance(x - 0.5, y - 0.5);
  return away <= 0.1 || (away >= 0.2 && away <= 0.3) ? TARGET : FLOOR;
};
const crate =
  (wood: Rgb, plank: Rgb, ground: Paint): Paint =>
  (x, y) => {
    if (Math.min(x, y) < 0.08 || Math.max(x, y) > 0.92) return ground(x, y);
    const isFrame = Math.min(x, y) < 0.2 || Math.max(x, y) > 0.8;
    return isFrame || Math.abs(x - y) < 0.08 || Math.abs(x + y - 1) < 0.08 ? plank : wood;
  };
const player =
  (ground: Paint): Paint =>
  (x, y) => {
    if (inCircle(x, y, 0.5, 0.32, 0.19)) return FACE;
    const isBody = y > 0.5 && y < 0.92 && Math.abs(x - 0.5) < 0.12 + 0.3 * (y - 0.5);
    return isBody ? PLAYER : ground(x, y);
  };

/** By the numbers of a room: wall, floor, target, box on target, box, player, player on target. */
export const SOKOBAN_PAINTS: readonly Paint[] = [
  bricks,
  floor,
  target,
  crate(DONE, DONE_PLANK, floor),
  crate(CRATE, PLANK, floor),
  player(floor),
  player(target),
];

export const TINY_PAINTS: readonly Paint[] = (
  [
    [0, 0, 0],
    [243, 248, 238],
    [254, 126, 125],
    [254, 95, 56],
    [142, 121, 56],
    [160, 212, 56],
    [219, 212, 56],
  ] as const
).map((color) => () => color);

const ICE: Rgb = [206, 230, 244];
const EDGE: Rgb = [176, 208, 230];
const WATER: Rgb = [24, 58, 104];
const POLE: Rgb = [96, 70, 44];
const FLAG: Rgb = [206, 44, 52];
const LETTER: Rgb = [120, 150, 176];

const ice: Paint = (x, y) => (Math.min(x, y) < 0.04 || Math.abs(x + y - 0.7) < 0.02 ? EDGE : ICE);
const hole: Paint = (x, y) => (distance((x - 0.5) / 0.42, (y - 0.5) / 0.34) <= 1 ? WATER : ice(x, y));
const goal: Paint = (x, y) => {
  if (x > 0.3 && x < 0.36 && y > 0.14 && y < 0.88) return POLE;
  return x >= 0.36 && x < 0.36 + 0.42 * (1 - Math.abs(y - 0.32) / 0.18) && Math.abs(y - 0.32) < 0.18 ? FLAG : ice(x, y);
};
const start: Paint = (x, y) => (Math.abs(distance(x - 0.5, y - 0.5) - 0.26) < 0.04 ? LETTER : ice(x, y));

/** Player, frozen, hole, goal, player in a hole, player on the goal, start. */
export const LAKE_PAINTS: readonly Paint[] = [player(ice), ice, hole, goal, player(hole), player(goal), start];
