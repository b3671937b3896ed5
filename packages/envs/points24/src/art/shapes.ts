/**
 * Outlines of the parts of a playing card: suits and frames, all our own design. Suits fit into the square from -0.5 to
 * 0.5, with y pointing down.
 */
import type { Color } from './raster.js';

export type Suit = 'C' | 'D' | 'H' | 'S';

export const SUIT_OUTLINES: Readonly<Record<Suit, string>> = {
  H:
    'M0 0.5 C-0.1 0.34 -0.48 0.1 -0.48 -0.2 C-0.48 -0.38 -0.36 -0.48 -0.24 -0.48 C-0.12 -0.48 -0.04 -0.4 0 -0.28 ' +
    'C0.04 -0.4 0.12 -0.48 0.24 -0.48 C0.36 -0.48 0.48 -0.38 0.48 -0.2 C0.48 0.1 0.1 0.34 0 0.5 Z',
  D: 'M0 -0.5 Q0.15 -0.22 0.38 0 Q0.15 0.22 0 0.5 Q-0.15 0.22 -0.38 0 Q-0.15 -0.22 0 -0.5 Z',
  S:
    'M0 -0.5 C0.1 -0.32 0.46 -0.12 0.46 0.14 C0.46 0.3 0.34 0.37 0.24 0.37 C0.15 0.37 0.09 0.33 0.05 0.27 ' +
    'C0.06 0.38 0.1 0.45 0.18 0.5 L-0.18 0.5 C-0.1 0.45 -0.06 0.38 -0.05 0.27 ' +
    'C-0.09 0.33 -0.15 0.37 -0.24 0.37 C-0.34 0.37 -0.46 0.3 -0.46 0.14 C-0.46 -0.12 -0.1 -0.32 0 -0.5 Z',
  C:
    circle(0, -0.27, 0.22) +
    circle(-0.25, 0.08, 0.22) +
    circle(0.25, 0.08, 0.22) +
    'M-0.1 -0.12 L0.1 -0.12 L0.12 0.02 L0.05 0.12 C0.06 0.34 0.1 0.44 0.19 0.5 L-0.19 0.5 ' +
    'C-0.1 0.44 -0.06 0.34 -0.05 0.12 L-0.12 0.02 Z',
};

export const SUIT_COLORS: Readonly<Record<Suit, Color>> = {
  C: [24, 26, 30],
  D: [200, 16, 46],
  H: [200, 16, 46],
  S: [24, 26, 30],
};

export function circle(x: number, y: number, radius: number): string {
  return roundedRectangle(x - radius, y - radius, 2 * radius, 2 * radius, radius);
}

/** Clockwise; corners are quarter circles, to within 0.03 % of the radius. */
export function roundedRectangle(x: number, y: number, width: number, height: number, radius: number): string {
  const [right, bottom, k] = [x + width, y + height, radius * 0.4477];
  return (
    `M${x + radius} ${y}L${right - radius} ${y}C${right - k} ${y} ${right} ${y + k} ${right} ${y + radius}` +
    `L${right} ${bottom - radius}C${right} ${bottom - k} ${right - k} ${bottom} ${right - radius} ${bottom}` +
    `L${x + radius} ${bottom}C${x + k} ${bottom} ${x} ${bottom - k} ${x} ${bottom - radius}` +
    `L${x} ${y + radius}C${x} ${y + k} ${x + k} ${y} ${x + radius} ${y}Z`
  );
}
