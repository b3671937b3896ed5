import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Image } from '../image.js';
import { decodePng, encodePng } from './png.js';

/** Compares bytes as buffers: deep equality of hundreds of thousands of elements takes seconds. */
function expectSame({ data, ...sizes }: Image, image: Image): void {
  expect(sizes).toEqual({ height: image.height, width: image.width, channels: image.channels });
  expect(Buffer.compare(data, image.data)).toBe(0);
}

const refused = expect.objectContaining({ code: 'IMAGE_INVALID' });

describe('encodePng (wrote what decodePng refuses)', () => {
  it('refuses one row of pixels more than decodePng accepts', () => {
    const width = 65_536;
    const picture = (height: number): Image => ({ data: new Uint8Array(width * height), height, width, channels: 1 });
    expect(() => encodePng(picture(1025))).toThrow(refused);
    expect(() => encodePng(picture(1025))).toThrow(/65536 by 1025 pixels.*\n.*at most 67108864 pixels/);
  });

  it('refuses sides of zero, fractions, and sizes that do not fit the bytes', () => {
    const side = fc.constantFrom(0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(side, fc.boolean(), (bad, tall) => {
        const sizes = tall ? { height: bad, width: 2 } : { height: 2, width: bad };
        expect(() => encodePng({ data: new Uint8Array(0), ...sizes, channels: 1 })).toThrow(refused);
      }),
    );
  });

  it('writes only what decodePng returns unchanged', () => {
    const picture = fc
      .record({
        height: fc.integer({ min: 1, max: 40 }),
        width: fc.integer({ min: 1, max: 40 }),
        channels: fc.constantFrom(1, 3, 4),
      })
      .chain(({ height, width, channels }) => {
        const length = height * width * channels;
        return fc
          .uint8Array({ minLength: length, maxLength: length })
          .map((data) => ({ data, height, width, channels }) as Image);
      });
    fc.assert(
      fc.property(picture, (image) => {
        expectSame(decodePng(encodePng(image)), image);
      }),
    );
  });

  it('writes the longest and the thinnest possible pictures', () => {
    for (const [height, width] of [
      [1, 200_000],
      [200_000, 1],
    ] as const) {
      const image: Image = { data: new Uint8Array(200_000).fill(7), height, width, channels: 1 };
      expectSame(decodePng(encodePng(image)), image);
    }
  });
});
