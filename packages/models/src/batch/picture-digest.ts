import { createHash } from 'node:crypto';
import type { Image } from '@vlgym/core';

/** SHA-256 of size, channels and pixels: equal pictures are one, and one that was drawn over is another. */
export function digestOfPicture({ data, height, width, channels }: Image): string {
  return createHash('sha256').update(`${height} ${width} ${channels}\n`).update(data).digest('base64');
}
