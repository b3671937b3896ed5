/** Describes a depth map in words, for prompts without a picture. */
import type { Size } from '../scene/painter.js';

/** `At the height of your eyes the nearest thing is 2.1 m away on the left, 4.0 m in the middle, …` */
export function describeDepth(depth: Float32Array, { width, height }: Size): string {
  const row = depth.subarray(Math.floor(height / 2) * width).subarray(0, width);
  const third = (index: number) => row.subarray(Math.floor((index * width) / 3), Math.ceil(((index + 1) * width) / 3));
  const [left, middle, right] = [0, 1, 2].map((index) => `${Math.min(...third(index)).toFixed(1)} m`);
  return `At the height of your eyes the nearest thing is ${left} away on the left, ${middle} in the middle, ${right} on the right.`;
}
