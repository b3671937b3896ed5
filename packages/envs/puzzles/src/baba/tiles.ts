/**
 * Tiles of Baba Is AI, pixel for pixel: shapes on a grid three times as fine, their means cut to whole numbers.
 *
 * Shapes and colors follow nacloos/baba-is-ai (MIT) at ad466e02, `baba/world_object.py`; `scripts/baba-words.py` made the tiles of words.
 */
import type { RgbImage } from '@vlgym/core';
import { pictureMemory } from '../pictures/tiles.js';
import type { BabaGame } from './game.js';
import type { Color, ObjectName, Thing, Word, WordBlock } from './things.js';
import { WORD_TILES } from './words.generated.js';

/** Pixels of a side. */
export const BABA_TILE = 32;
const FINE = 96;

type Rgb = readonly [red: number, green: number, blue: number];
type Inside = (x: number, y: number) => boolean;

const RGB: Readonly<Record<Color, Rgb>> = {
  red: [255, 0, 0],
  blue: [0, 0, 255],
  green: [0, 255, 0],
  gray: [100, 100, 100],
  white: [255, 255, 255],
};
const LINE: Rgb = [100, 100, 100];
const BLACK: Rgb = [0, 0, 0];

const rect =
  (left: number, right: number, top: number, bottom: number): Inside =>
  (x, y) =>
    x >= left && x <= right && y >= top && y <= bottom;
const circle =
  (cx: number, cy: number, r: number): Inside =>
  (x, y) =>
    (x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r;

/** Baba: a triangle that points to where it last went. */
function arrow(direction: number): Inside {
  const theta = 0.5 * Math.PI * direction;
  const [cos, sin] = [Math.cos(-theta), Math.sin(-theta)];
  const [a, b, c] = [[0.12, 0.19], [0.87, 0.5], [0.12, 0.81]] as const; // biome-ignore format: corners
  const [v0, v1] = [[c[0] - a[0], c[1] - a[1]], [b[0] - a[0], b[1] - a[1]]] as const; // biome-ignore format: sides
  const [dot00, dot01, dot11] = [v0[0] * v0[0] + v0[1] * v0[1], v0[0] * v1[0] + v0[1] * v1[1], v1[0] * v1[0] + v1[1] * v1[1]]; // biome-ignore format: products
  const inverse = 1 / (dot00 * dot11 - dot01 * dot01);
  return (x, y) => {
    const [dx, dy] = [x - 0.5, y - 0.5];
    const [px, py] = [0.5 + dx * cos - dy * sin - a[0], 0.5 + dy * cos + dx * sin - a[1]];
    const [dot02, dot12] = [v0[0] * px + v0[1] * py, v1[0] * px + v1[1] * py];
    const u = (dot11 * dot02 - dot01 * dot12) * inverse;
    const v = (dot00 * dot12 - dot01 * dot02) * inverse;
    return u >= 0 && v >= 0 && u + v < 1;
  };
}

/** Shapes in the order of painting. */
type Layers = readonly (readonly [inside: Inside, color: Rgb])[];

const SHAPES: Readonly<Record<ObjectName, (color: Rgb, direction: number) => Layers>> = {
  wall: (color) => [[rect(0.2, 0.8, 0.2, 0.8), color]],
  ball: (color) => [[circle(0.5, 0.5, 0.31), color]],
  door: (color) => [
    [rect(0, 1, 0, 1), color],
    [rect(0.04, 0.96, 0.04, 0.96), BLACK],
    [rect(0.08, 0.92, 0.08, 0.92), color],
    [rect(0.12, 0.88, 0.12, 0.88), BLACK],
    [circle(0.75, 0.5, 0.08), color],
  ],
  key: (color) => [
    [rect(0.5, 0.63, 0.31, 0.88), color],
    [rect(0.38, 0.5, 0.59, 0.66), color],
    [rect(0.38, 0.5, 0.81, 0.88), color],
    [circle(0.56, 0.28, 0.19), color],
    [circle(0.56, 0.28, 0.064), BLACK],
  ],
  baba: (color, direction) => [[arrow(direction), color]],
};

const GRID_LINES: Layers = [
  [rect(0, 0.031, 0, 1), LINE],
  [rect(0, 1, 0, 0.031), LINE],
];

const tiles = new Map<string, Uint8Array>();
let empty: Uint8Array | undefined;
let border: Uint8Array | undefined;

/** @returns `32 * 32 * 3` bytes, rows from the top; always the same array for the same look. */
function tileOf(thing: Thing | undefined, direction: number): Uint8Array {
  if (thing === undefined) {
    empty ??= paint(thing, direction);
    return empty;
  }
  if (thing.kind === 'border') {
    border ??= paint(thing, direction);
    return border;
  }
  const key =
    thing.kind === 'word' ? thing.word : `${thing.color} ${thing.name} ${thing.name === 'baba' ? direction : ''}`;
  const known = tiles.get(key) ?? paint(thing, direction);
  tiles.set(key, known);
  return known;
}

function paint(thing: Thing | undefined, direction: number): Uint8Array {
  if (thing?.kind === 'word') return wordTile(thing.word);
  const fine = new Uint8Array(FINE * FINE * 3);
  for (const [inside, color] of [...GRID_LINES, ...layersOf(thing, direction)]) fill(fine, inside, color);
  const tile = new Uint8Array(BABA_TILE * BABA_TILE * 3);
  const scale = FINE / BABA_TILE;
  for (let at = 0; at < tile.length; at += 1) {
    const [channel, column, row] = [at % 3, Math.floor(at / 3) % BABA_TILE, Math.floor(at / 3 / BABA_TILE)];
    let sum = 0;
    for (let part = 0; part < scale * scale; part += 1) {
      const [x, y] = [column * scale + (part % scale), row * scale + Math.floor(part / scale)];
      sum += fine[(y * FINE + x) * 3 + channel]!;
    }
    tile[at] = Math.floor(sum / (scale * scale));
  }
  return tile;
}

function layersOf(thing: Exclude<Thing, WordBlock> | undefined, direction: number): Layers {
  if (thing === undefined) return [];
  if (thing.kind === 'border') return [[rect(0, 1, 0, 1), RGB.gray]];
  return SHAPES[thing.name](RGB[thing.color], direction);
}

function fill(fine: Uint8Array, inside: Inside, color: Rgb): void {
  for (let y = 0; y < FINE; y += 1) {
    for (let x = 0; x < FINE; x += 1) {
      if (inside((x + 0.5) / FINE, (y + 0.5) / FINE)) fine.set(color, (y * FINE + x) * 3);
    }
  }
}

/** The tile of a rule block. */
function wordTile(word: Word): Uint8Array {
  const tile = new Uint8Array(BABA_TILE * BABA_TILE * 3);
  let at = 0;
  for (const run of WORD_TILES[word]!.split(',')) {
    const [level = 0, count = 1] = run.split('*').map((digits) => Number.parseInt(digits, 36));
    tile.fill(level, at, at + 3 * count);
    at += 3 * count;
  }
  return tile;
}

/** Draws a level; only cells that changed since its last picture are drawn again. */
export class BabaPainter {
  readonly #columns: number;
  readonly #rows: number;
  readonly #last: Uint8Array;
  readonly #shown: (Uint8Array | undefined)[];

  constructor(columns: number, rows: number) {
    [this.#columns, this.#rows] = [columns, rows];
    this.#last = new Uint8Array(columns * rows * BABA_TILE ** 2 * 3);
    this.#shown = new Array<Uint8Array | undefined>(columns * rows);
  }

  draw({ grid, at, direction }: BabaGame): RgbImage {
    const here = grid.at(...at);
    for (const [cell, stack] of grid.stacks.entries()) {
      const top = stack.at(-1);
      const tile = tileOf(top, cell === here ? direction : top?.kind === 'item' ? top.direction : 0);
      if (this.#shown[cell] !== tile) this.#paste(tile, cell);
    }
    const data = pictureMemory(this.#last.length);
    data.set(this.#last);
    return {
      data,
      height: this.#rows * BABA_TILE,
      width: this.#columns * BABA_TILE,
      channels: 3,
    };
  }

  #paste(tile: Uint8Array, cell: number): void {
    this.#shown[cell] = tile;
    const [x, y] = [cell % this.#columns, Math.floor(cell / this.#columns)];
    const line = BABA_TILE * 3;
    for (let row = 0; row < BABA_TILE; row += 1) {
      this.#last.set(tile.subarray(row * line, (row + 1) * line), ((y * BABA_TILE + row) * this.#columns + x) * line);
    }
  }
}
