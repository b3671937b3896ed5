/**
 * The picture of one cell, bit for bit: Farama-Foundation/Minigrid, `minigrid/core/grid.py` (`render_tile`) and
 * `world_object.py`. A tile is drawn at three times its size, brightened where it is seen, and averaged.
 */
import { RGB } from '../world/constants.js';
import type { Thing } from '../world/thing.js';
import { circle, line, rectangle, type Shape, triangle, turned } from './shapes.js';

type Rgb = readonly [red: number, green: number, blue: number];

const SUPERSAMPLING = 3;
const BLACK: Rgb = [0, 0, 0];
const LINE: Rgb = [100, 100, 100];
const RED: Rgb = [255, 0, 0];
const ORANGE: Rgb = [255, 128, 0];
const HIGHLIGHT = 0.3;
const AGENT = triangle([0.12, 0.19], [0.87, 0.5], [0.12, 0.81]);

type Layer = readonly [shape: Shape, color: Rgb];

const GRID_LINES: readonly Layer[] = [
  [rectangle(0, 0.031, 0, 1), LINE],
  [rectangle(0, 1, 0, 0.031), LINE],
];

/** Shares of a color, cut to whole numbers. */
const share = (color: Rgb, factor: number): Rgb => color.map((part) => Math.trunc(part * factor)) as unknown as Rgb;

/** From the bottom up. */
function layersOf(thing: Thing): readonly Layer[] {
  const color = RGB[thing.color];
  switch (thing.type) {
    case 'wall':
    case 'goal':
      return [[rectangle(0, 1, 0, 1), color]];
    case 'floor':
      return [[rectangle(0.031, 1, 0.031, 1), share(color, 0.5)]];
    case 'lava':
      return [[rectangle(0, 1, 0, 1), ORANGE], ...WAVES];
    case 'ball':
      return [[circle(0.5, 0.5, 0.31), color]];
    case 'box':
      return [
        [rectangle(0.12, 0.88, 0.12, 0.88), color],
        [rectangle(0.18, 0.82, 0.18, 0.82), BLACK],
        [rectangle(0.16, 0.84, 0.47, 0.53), color],
      ];
    case 'key':
      return [
        [rectangle(0.5, 0.63, 0.31, 0.88), color],
        [rectangle(0.38, 0.5, 0.59, 0.66), color],
        [rectangle(0.38, 0.5, 0.81, 0.88), color],
        [circle(0.56, 0.28, 0.19), color],
        [circle(0.56, 0.28, 0.064), BLACK],
      ];
    case 'door':
      return doorLayers(thing, color);
  }
}

const WAVES: readonly Layer[] = [0, 1, 2].flatMap((index): Layer[] => {
  const [high, low] = [0.3 + 0.2 * index, 0.4 + 0.2 * index];
  return [
    [line(0.1, high, 0.3, low, 0.03), BLACK],
    [line(0.3, low, 0.5, high, 0.03), BLACK],
    [line(0.5, high, 0.7, low, 0.03), BLACK],
    [line(0.7, low, 0.9, high, 0.03), BLACK],
  ];
});

function doorLayers({ isOpen, isLocked }: Thing, color: Rgb): readonly Layer[] {
  if (isOpen) {
    return [
      [rectangle(0.88, 1, 0, 1), color],
      [rectangle(0.92, 0.96, 0.04, 0.96), BLACK],
    ];
  }
  if (isLocked) {
    return [
      [rectangle(0, 1, 0, 1), color],
      [rectangle(0.06, 0.94, 0.06, 0.94), share(color, 0.45)],
      [rectangle(0.52, 0.75, 0.5, 0.56), color],
    ];
  }
  return [
    [rectangle(0, 1, 0, 1), color],
    [rectangle(0.04, 0.96, 0.04, 0.96), BLACK],
    [rectangle(0.08, 0.92, 0.08, 0.92), color],
    [rectangle(0.12, 0.88, 0.12, 0.88), BLACK],
    [circle(0.75, 0.5, 0.08), color],
  ];
}

/**
 * @param agent  Direction of the agent in the cell, 0 to 3; `undefined`: it is elsewhere.
 * @param size   Pixels of a side.
 * @returns Rows from the top, three bytes per pixel.
 */
export function drawTile(
  thing: Thing | undefined,
  agent: number | undefined,
  isSeen: boolean,
  size: number,
): Uint8Array {
  const layers = [
    ...GRID_LINES,
    ...(thing ? layersOf(thing) : []),
    ...(agent === undefined ? [] : [[turned(AGENT, agent), RED] as const]),
  ];
  const fine = size * SUPERSAMPLING;
  const pixels = new Uint8Array(fine * fine * 3);
  for (let row = 0, at = 0; row < fine; row += 1) {
    const y = (row + 0.5) / fine;
    for (let column = 0; column < fine; column += 1, at += 3) {
      const x = (column + 0.5) / fine;
      for (const [shape, color] of layers) if (shape(x, y)) pixels.set(color, at);
    }
  }
  if (isSeen) for (let at = 0; at < pixels.length; at += 1) pixels[at]! += HIGHLIGHT * (255 - pixels[at]!);
  return averaged(pixels, size);
}

/** Means of 3 x 3 pixels, first along the row and then down, cut to whole numbers. */
function averaged(pixels: Uint8Array, size: number): Uint8Array {
  const tile = new Uint8Array(size * size * 3);
  const stride = size * SUPERSAMPLING * 3;
  for (let row = 0, at = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        const first = row * SUPERSAMPLING * stride + column * SUPERSAMPLING * 3 + channel;
        const mean = (start: number) => (pixels[start]! + pixels[start + 3]! + pixels[start + 6]!) / 3;
        tile[at] = (mean(first) + mean(first + stride) + mean(first + 2 * stride)) / 3;
      }
    }
  }
  return tile;
}
