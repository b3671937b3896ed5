/**
 * Draws playing cards: 52 faces and a back at any size, each drawn once and cached.
 *
 * Large faces have jumbo corner indices, the usual pips, and court cards that we designed. Small faces (narrower than
 * `DETAILED_WIDTH`) show a large rank over a large suit, which a model can read from a dozen pixels.
 */
import type { RgbImage } from '@vlgym/core';
import { BoundedCache } from '../bounded-cache.js';
import { type Court, colorOf, FIGURES, facesLeft } from './court-figures.js';
import { drawText, measureText } from './font.js';
import { bold } from './glyphs.generated.js';
import { type Color, fillPath } from './raster.js';
import { roundedRectangle, SUIT_COLORS, SUIT_OUTLINES, type Suit } from './shapes.js';

export const TABLE_GREEN: Color = [53, 101, 77];

/** Name of a face-down card. */
export const BACK = 'back';

const PAPER: Color = [253, 253, 250];
const EDGE: Color = [148, 152, 150];

/** Minimum card width in pixels at which pips and courts are drawn; below it they would blur. */
const DETAILED_WIDTH = 60;

/** A drawn card, split into rows so that it can be copied quickly. */
export interface CardSprite {
  readonly width: number;
  readonly height: number;
  /** `height` rows of `3 * width` bytes. */
  readonly rows: readonly Uint8Array[];
}

const sprites = new BoundedCache<string, CardSprite>(2048);

/** The result of `drawCard`, cached and shared: never write to it. */
export function cardSprite(name: string, width: number, height: number): CardSprite {
  return sprites.get(`${name}/${width}/${height}`, () => {
    const { data } = drawCard(name, width, height);
    const row = 3 * width;
    return { width, height, rows: Array.from({ length: height }, (_, y) => data.subarray(y * row, (y + 1) * row)) };
  });
}

/**
 * Draws a card of `width` x `height` pixels on the green of the table.
 *
 * @param name  Suit letter (C, D, H, S) and rank (A, 2 to 9, T, J, Q, K), such as `HQ`, or `back`.
 */
export function drawCard(name: string, width: number, height: number): RgbImage {
  const image: RgbImage = { data: new Uint8Array(width * height * 3), width, height, channels: 3 };
  for (let i = 0; i < image.data.length; i += 1) image.data[i] = TABLE_GREEN[i % 3]!;

  const unit = width / 100;
  const placement = { x: 0, y: 0, scaleX: 1, scaleY: 1 };
  const radius = Math.max(1.5, 6 * unit);
  const border = Math.max(0.6, 0.8 * unit);
  const paper = (inset: number) =>
    roundedRectangle(inset, inset, width - 2 * inset, height - 2 * inset, Math.max(0.5, radius - inset));
  fillPath(image, paper(0), placement, EDGE);
  fillPath(image, paper(border), placement, PAPER);

  if (name === BACK) drawBack(image);
  else if (width < DETAILED_WIDTH) drawSmallFace(image, name);
  else drawFace(image, name);
  return image;
}

function rankAndSuit(name: string): { rank: string; suit: Suit } {
  const rank = name.slice(1);
  return { rank: rank === 'T' ? '10' : rank, suit: name.charAt(0) as Suit };
}

function drawPip(image: RgbImage, suit: Suit, x: number, y: number, size: number, turned = false): void {
  const scale = turned ? -size : size;
  fillPath(image, SUIT_OUTLINES[suit], { x, y, scaleX: scale, scaleY: scale }, SUIT_COLORS[suit]);
}

/** Height of capitals and digits in ems. */
const CAPITALS = 0.729;

/** DejaVu's J and Q descend below the baseline; scaled by these factors they are as tall as the other ranks. */
const FITTED: Readonly<Record<string, number>> = { J: 0.78, Q: 0.86 };

/** A rank as tall as capitals of `size` pixels per em, centered at (x, y), at most `width` wide. */
function drawRank(image: RgbImage, rank: string, suit: Suit, x: number, y: number, size: number, width: number): void {
  const fitted = size * (FITTED[rank] ?? 1);
  const natural = measureText(rank, { font: bold, size: fitted });
  const stretch = Math.min(1, width / natural);
  const ascent = Math.ceil((bold.ascender * fitted) / bold.unitsPerEm);
  // The letter is centered as if it had its full size.
  const top = y - (CAPITALS * size) / 2 + CAPITALS * fitted - ascent;
  const style = { font: bold, size: fitted, stretch, color: SUIT_COLORS[suit] };
  drawText(image, rank, x - (natural * stretch) / 2, top, style);
}

/** Draws the rank over the suit, both as large as possible. */
function drawSmallFace(image: RgbImage, name: string): void {
  const { rank, suit } = rankAndSuit(name);
  const { width, height } = image;
  const size = Math.max(6, Math.round(Math.min(height * 0.56, width * 0.98)));
  const pip = Math.min(width * 0.66, height * 0.36);
  const gap = (height - size * CAPITALS - pip) / 3;
  drawRank(image, rank, suit, width / 2, gap + (size * CAPITALS) / 2, size, width - 4);
  drawPip(image, suit, width / 2, height - gap - pip / 2, pip);
}

function drawFace(image: RgbImage, name: string): void {
  const { rank, suit } = rankAndSuit(name);
  const { width } = image;
  const unit = width / 100;
  const isCourt = rank in FIGURES;
  if (isCourt) drawCourt(image, rank as Court, suit);
  else drawPips(image, rank === 'A' ? 1 : Number(rank), suit);

  // The corner index is relatively larger on small cards. It is drawn once and rotated into the opposite corner.
  const size = Math.round((width < 90 ? 28 : 23) * unit);
  const middle = 12.5 * unit;
  const rankMiddle = 6 * unit + (CAPITALS * size) / 2;
  const pipMiddle = rankMiddle + (CAPITALS * size) / 2 + 9 * unit;
  drawRank(image, rank, suit, middle, rankMiddle, size, 19.5 * unit);
  drawPip(image, suit, middle, pipMiddle, 13 * unit);
  const region = { width: Math.ceil(23 * unit), height: Math.ceil(pipMiddle + 8 * unit) };
  turnCorner(image, Math.ceil(2 * unit), Math.ceil(3 * unit), region);
  if (isCourt) turnHalf(image);
}

/** Copies the region from (`left`, `top`) to the given edges into the opposite corner, upside down. */
function turnCorner(image: RgbImage, left: number, top: number, edges: { width: number; height: number }): void {
  for (let y = top; y < edges.height; y += 1) {
    for (let x = left; x < edges.width; x += 1) turnPixel(image, y * image.width + x);
  }
}

/** Turns the upper half into the lower half; in a middle row, the left half into the right half. */
function turnHalf(image: RgbImage): void {
  for (let pixel = 0; 2 * pixel < image.width * image.height; pixel += 1) turnPixel(image, pixel);
}

function turnPixel({ data, width, height }: RgbImage, pixel: number): void {
  const from = 3 * pixel;
  const to = 3 * (width * height - 1 - pixel);
  for (let channel = 0; channel < 3; channel += 1) data[to + channel] = data[from + channel]!;
}

/** Positions of the pips in percent of their field; pips in the lower half are upside down. */
const PIPS: Readonly<Record<number, readonly (readonly [x: number, y: number])[]>> = {
  2: [
    [50, 0],
    [50, 100],
  ],
  3: [
    [50, 0],
    [50, 50],
    [50, 100],
  ],
  4: [
    [0, 0],
    [100, 0],
    [0, 100],
    [100, 100],
  ],
  5: [
    [0, 0],
    [100, 0],
    [50, 50],
    [0, 100],
    [100, 100],
  ],
  6: [
    [0, 0],
    [100, 0],
    [0, 50],
    [100, 50],
    [0, 100],
    [100, 100],
  ],
  7: [
    [0, 0],
    [100, 0],
    [50, 25],
    [0, 50],
    [100, 50],
    [0, 100],
    [100, 100],
  ],
  8: [
    [0, 0],
    [100, 0],
    [50, 25],
    [0, 50],
    [100, 50],
    [50, 75],
    [0, 100],
    [100, 100],
  ],
  9: [
    [0, 0],
    [100, 0],
    [0, 33.3],
    [100, 33.3],
    [50, 50],
    [0, 66.7],
    [100, 66.7],
    [0, 100],
    [100, 100],
  ],
  10: [
    [0, 0],
    [100, 0],
    [50, 16.7],
    [0, 33.3],
    [100, 33.3],
    [0, 66.7],
    [100, 66.7],
    [50, 83.3],
    [0, 100],
    [100, 100],
  ],
};

function drawPips(image: RgbImage, count: number, suit: Suit): void {
  const { width, height } = image;
  if (count === 1) {
    drawPip(image, suit, width / 2, height / 2, Math.min(width * 0.52, height * 0.4));
    return;
  }
  const [left, right, top, bottom] = [width * 0.335, width * 0.665, height * 0.17, height * 0.83];
  const size = Math.min(width * 0.185, height * 0.14);
  for (const [x, y] of PIPS[count] ?? []) {
    drawPip(image, suit, left + ((right - left) * x) / 100, top + ((bottom - top) * y) / 100, size, y > 50);
  }
}

/** Position and size of the big pip, in the units of the figures. */
const COURT_PIP = { x: -38.5, y: -98, size: 19 };

/** Draws the upper half of a framed figure; `drawFace` turns it into the lower half. */
function drawCourt(image: RgbImage, rank: Court, suit: Suit): void {
  const { width, height } = image;
  const frame = Math.max(0.7, width * 0.008);
  const [left, top] = [width * 0.23, height * 0.085];
  const panel = (inset: number) =>
    roundedRectangle(left + inset, top + inset, width - 2 * (left + inset), height - 2 * (top + inset), width * 0.02);
  const placement = { x: 0, y: 0, scaleX: 1, scaleY: 1 };
  fillPath(image, panel(0), placement, colorOf('ink', suit));
  fillPath(image, panel(frame), placement, PAPER);

  // The panel is 100 units wide and 220 high, less its frame.
  const [scaleX, scaleY] = [(width - 2 * left - 2 * frame) / 100, (height - 2 * top - 2 * frame) / 220];
  const turned = facesLeft(suit) ? -1 : 1;
  const line = Math.max(0.35, width * 0.0045);
  for (const { outline, part, lined = true } of FIGURES[rank]) {
    const place = { x: width / 2, y: height / 2, scaleX: turned * scaleX, scaleY };
    if (lined) {
      for (const [dx, dy] of OUTLINE) {
        const moved = { ...place, x: place.x + dx * line, y: place.y + dy * line };
        fillPath(image, outline, moved, colorOf('ink', suit));
      }
    }
    fillPath(image, outline, place, colorOf(part, suit));
  }
  drawPip(
    image,
    suit,
    width / 2 + turned * COURT_PIP.x * scaleX,
    height / 2 + COURT_PIP.y * scaleY,
    COURT_PIP.size * scaleX,
  );
}

/** Directions in which an outline is moved to make a line around it. */
const OUTLINE = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Draws a lattice of small diamonds inside a frame. */
function drawBack(image: RgbImage): void {
  const { width, height } = image;
  const unit = width / 100;
  const inset = Math.max(2, 7 * unit);
  const field = roundedRectangle(inset, inset, width - 2 * inset, height - 2 * inset, Math.max(1, 3 * unit));
  fillPath(image, field, { x: 0, y: 0, scaleX: 1, scaleY: 1 }, [36, 64, 128]);
  const columns = Math.max(2, Math.min(7, Math.floor((width - 2 * inset) / 7)));
  const step = (width - 2 * inset) / columns;
  const rows = Math.max(2, Math.floor((height - 2 * inset) / step));
  const stepY = (height - 2 * inset) / rows;
  for (let row = 0; row < 2 * rows - 1; row += 1) {
    for (let column = 0; column < columns - (row % 2); column += 1) {
      const x = inset + step * (column + (row % 2 === 1 ? 1 : 0.5));
      const y = inset + (stepY * (row + 1)) / 2;
      const scale = step * (row % 2 === 1 ? 0.42 : 0.62);
      fillPath(image, SUIT_OUTLINES.D, { x, y, scaleX: scale, scaleY: scale }, [196, 210, 238]);
    }
  }
}
