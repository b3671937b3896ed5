/** The building's wall: one story of concrete with a dark band of windows, repeated vertically. */
import type { RgbImage } from '@vlgym/core';
import { addNoise, field, normalize, paint, type Rgb } from './canvas.js';

const CONCRETE: Rgb = [216, 211, 203];
const GLASS: Rgb = [40, 42, 56];

export function facade(): RgbImage {
  const [width, height] = [256, 32];
  const target = normalize(addNoise(addNoise(field(width, height), 24, 3, 301), 96, 4, 302, 0.5), 6);
  return paint(target, (index) => {
    const x = (index % width) / width;
    const y = Math.floor(index / width) / height;
    // Concrete on both sides; its width is a compromise between the broad faces and the narrow one.
    const band = y > 0.24 && y < 0.76 && x > 0.08 && x < 0.92;
    return band && (x * 30) % 1 > 0.06 ? GLASS : CONCRETE;
  });
}
