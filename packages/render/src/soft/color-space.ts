/**
 * The output color space, as in three.js: light is computed in linear numbers, and bytes are sRGB unless the renderer's
 * `outputColorSpace` is linear. Formulas of IEC 61966-2-1, as three.js's `ColorManagement` has them.
 */
import { LIGHT_STEPS } from './layout.js';

/** Names of three.js's `SRGBColorSpace` and `LinearSRGBColorSpace`. */
export const OUTPUT_COLOR_SPACES = ['srgb', 'srgb-linear'] as const;
export type OutputColorSpace = (typeof OUTPUT_COLOR_SPACES)[number];

/** Linear light of 0 to 1 → the number of sRGB. */
export function encodeSrgb(light: number): number {
  return light < 0.0031308 ? light * 12.92 : 1.055 * light ** 0.41666 - 0.055;
}

/** The number of sRGB, 0 to 1 → linear light. */
function decodeSrgb(value: number): number {
  return value < 0.04045 ? value * 0.0773993808 : (value * 0.9478672986 + 0.0521327014) ** 2.4;
}

export const toByte = (value: number): number => Math.floor(Math.min(Math.max(value, 0), 1) * 255 + 0.5);

/** A kernel's table: the byte of sRGB for each step of linear light. */
export function encodingTable(): Uint8Array {
  return Uint8Array.from({ length: LIGHT_STEPS }, (_, step) => toByte(encodeSrgb(step / (LIGHT_STEPS - 1))));
}

/** Steps of linear light for each byte of sRGB. */
export const LIGHT_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) =>
  Math.floor(decodeSrgb(byte / 255) * LIGHT_STEPS + 0.5),
);
