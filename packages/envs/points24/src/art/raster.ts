/**
 * Fills outlines with exact-area antialiasing, without a native library.
 *
 * Each edge adds its signed area to the pixels of its rows; the running sum along a row is then the coverage of every
 * pixel (the method of `raphlinus/font-rs`). Only `+ - * /` are used, so equal shapes have equal bytes on every
 * machine.
 */
import type { RgbImage } from '@vlgym/core';

/** Red, green, blue from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** Position and scale of a shape in the picture; negative scales mirror. */
export interface Placement {
  /** The shape's origin, in pixels from the left and top edges. */
  readonly x: number;
  readonly y: number;
  /** Pixels per unit. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** Coverage of a rectangle of pixels, 0 to 255, row by row. */
export interface Coverage {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
}

/** Segments per curve; for cards and letters the chord error is far below a tenth of a pixel. */
const PIECES = 12;

/**
 * @param outline  SVG path data with absolute `M L Q C Z`. Overlapping contours of one direction form a union; a contour
 *                 of the other direction is a hole.
 */
export function coverPath(outline: string, placement: Placement): Coverage {
  const edges = flatten(outline, placement);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < edges.length; i += 2) {
    left = Math.min(left, edges[i]!);
    right = Math.max(right, edges[i]!);
    top = Math.min(top, edges[i + 1]!);
    bottom = Math.max(bottom, edges[i + 1]!);
  }
  if (edges.length === 0) return { left: 0, top: 0, width: 0, height: 0, values: new Uint8Array(0) };
  left = Math.floor(left);
  top = Math.floor(top);
  // One more column, because an edge also affects the pixel to its right.
  const width = Math.ceil(right) - left + 2;
  const height = Math.ceil(bottom) - top;

  const areas = new Float64Array(width * height);
  for (let i = 0; i < edges.length; i += 4) {
    addEdge(areas, width, edges[i]! - left, edges[i + 1]! - top, edges[i + 2]! - left, edges[i + 3]! - top);
  }
  const values = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    let sum = 0;
    for (let i = row * width; i < (row + 1) * width; i += 1) {
      sum += areas[i]!;
      values[i] = Math.round(255 * Math.min(1, Math.abs(sum)));
    }
  }
  return { left, top, width, height, values };
}

/** Blends a color with a coverage, shifted by whole pixels and clipped to the picture. */
export function paintCoverage(image: RgbImage, coverage: Coverage, color: Color, shiftX = 0, shiftY = 0): void {
  const { data, width, height } = image;
  const left = coverage.left + shiftX;
  const top = coverage.top + shiftY;
  const firstColumn = Math.max(0, -left);
  const endColumn = Math.min(coverage.width, width - left);
  const [red, green, blue] = color;
  for (let row = Math.max(0, -top); row < Math.min(coverage.height, height - top); row += 1) {
    const source = row * coverage.width;
    const target = (top + row) * width + left;
    for (let column = firstColumn; column < endColumn; column += 1) {
      const share = coverage.values[source + column]!;
      if (share === 0) continue;
      const pixel = 3 * (target + column);
      data[pixel] = mix(data[pixel]!, red, share);
      data[pixel + 1] = mix(data[pixel + 1]!, green, share);
      data[pixel + 2] = mix(data[pixel + 2]!, blue, share);
    }
  }
}

/** Blends `share` of 255 parts of `over` into `under`, rounded. */
function mix(under: number, over: number, share: number): number {
  return under + Math.round(((over - under) * share) / 255);
}

export function fillPath(image: RgbImage, outline: string, placement: Placement, color: Color): void {
  paintCoverage(image, coverPath(outline, placement), color);
}

/** The placed outline as edges `x0 y0 x1 y1`, with curves split into segments and contours closed. */
function flatten(outline: string, { x: originX, y: originY, scaleX, scaleY }: Placement): number[] {
  const edges: number[] = [];
  let [startX, startY, x, y] = [0, 0, 0, 0];
  const lineTo = (nextX: number, nextY: number) => {
    edges.push(x * scaleX + originX, y * scaleY + originY, nextX * scaleX + originX, nextY * scaleY + originY);
    [x, y] = [nextX, nextY];
  };
  for (const [, command, text] of outline.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = (text ?? '')
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [fromX, fromY] = [x, y];
    switch (command) {
      case 'M':
        [x, y, startX, startY] = [a, b, a, b];
        break;
      case 'L':
        lineTo(a, b);
        break;
      case 'Q':
        for (let piece = 1; piece <= PIECES; piece += 1) {
          const t = piece / PIECES;
          const u = 1 - t;
          lineTo(u * u * fromX + 2 * u * t * a + t * t * c, u * u * fromY + 2 * u * t * b + t * t * d);
        }
        break;
      case 'C':
        for (let piece = 1; piece <= PIECES; piece += 1) {
          const t = piece / PIECES;
          const u = 1 - t;
          lineTo(
            u * u * u * fromX + 3 * u * u * t * a + 3 * u * t * t * c + t * t * t * e,
            u * u * u * fromY + 3 * u * u * t * b + 3 * u * t * t * d + t * t * t * f,
          );
        }
        break;
      default:
        lineTo(startX, startY);
    }
  }
  return edges;
}

/** Adds one edge; its coordinates must be inside the rectangle of `areas`. */
function addEdge(areas: Float64Array, width: number, x0: number, y0: number, x1: number, y1: number): void {
  if (y0 === y1) return;
  const direction = y0 < y1 ? 1 : -1;
  const [topX, topY, bottomX, bottomY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  const slope = (bottomX - topX) / (bottomY - topY);
  for (let row = Math.floor(topY); row < Math.ceil(bottomY); row += 1) {
    const from = Math.max(row, topY);
    const to = Math.min(row + 1, bottomY);
    addRow(areas, row * width, direction * (to - from), topX + (from - topY) * slope, topX + (to - topY) * slope);
  }
}

/** Distributes the area of an edge in one row, of height `rise` from `a` to `b`, over the pixels that it crosses. */
function addRow(areas: Float64Array, rowStart: number, rise: number, a: number, b: number): void {
  const [from, to] = a < b ? [a, b] : [b, a];
  const first = Math.floor(from);
  const last = Math.floor(to);
  let covered = 0; // area right of the edge, up to and including the current pixel
  for (let pixel = first; pixel <= last; pixel += 1) {
    // The share of the pixel right of the edge, averaged over the edge: the mean of clamp(pixel + 1 - x, 0, 1).
    const area = rise * meanCover(from, to, pixel);
    areas[rowStart + pixel] = areas[rowStart + pixel]! + area - covered;
    covered = area;
  }
  areas[rowStart + last + 1] = areas[rowStart + last + 1]! + rise - covered;
}

/** Mean of clamp(pixel + 1 - x, 0, 1) for x uniform in [from, to]. */
function meanCover(from: number, to: number, pixel: number): number {
  if (to - from < 1e-9) return Math.min(1, Math.max(0, pixel + 1 - from));
  return (integral(pixel + 1 - from) - integral(pixel + 1 - to)) / (to - from);
}

/** Integral of clamp(t, 0, 1) from -infinity to t. */
function integral(t: number): number {
  if (t <= 0) return 0;
  return t >= 1 ? t - 0.5 : (t * t) / 2;
}
