/** Shared by the color-only backends: which requests they accept, and how RGBA becomes a frame. */
import { RenderError } from './errors.js';
import { type Frame, type FrameRequest, prepareFrame } from './frame.js';

/** The buffers to fill. @throws {RenderError} INVALID_FRAME if depth or ids are requested. */
export function prepareColorFrame(request: FrameRequest, backend: string): Frame {
  const frame = prepareFrame(request);
  const wanted = (['depth', 'instances', 'segments'] as const).find((name) => frame[name]);
  if (wanted) {
    throw new RenderError(`The backend "${backend}" does not draw "${wanted}".`, {
      code: 'INVALID_FRAME',
      value: wanted,
      expected: 'rgb and rgba only',
      hint: 'use createSoftRenderer() for depth and ids of the same scene',
    });
  }
  return frame;
}

/**
 * Copies rows of RGBA bytes to the buffers of a frame.
 *
 * @param stride  Bytes from one row to the next.
 * @param upward  Whether the first row is the bottom one.
 */
export function copyColor(frame: Frame, pixels: Uint8Array, stride: number, upward: boolean): void {
  const { width, height, rgb, rgba } = frame;
  for (let y = 0; y < height; y += 1) {
    const from = (upward ? height - 1 - y : y) * stride;
    rgba?.set(pixels.subarray(from, from + width * 4), y * width * 4);
    for (let x = 0; rgb && x < width; x += 1) {
      const to = (y * width + x) * 3;
      rgb[to] = pixels[from + x * 4]!;
      rgb[to + 1] = pixels[from + x * 4 + 1]!;
      rgb[to + 2] = pixels[from + x * 4 + 2]!;
    }
  }
}
