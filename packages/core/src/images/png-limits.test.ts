import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { Image } from '../image.js';
import { decodePng, encodePng } from './png.js';
import { PNG_SIGNATURE, writePngChunk } from './png-chunks.js';
import { PictureBudget } from './png-memory.js';

/** Compares bytes as buffers: deep equality of hundreds of thousands of elements takes seconds. */
function expectSame({ data, ...sizes }: Image, image: Image): void {
  expect(sizes).toEqual({ height: image.height, width: image.width, channels: image.channels });
  expect(Buffer.compare(data, image.data)).toBe(0);
}

const refused = expect.objectContaining({ code: 'IMAGE_INVALID' });

const END = writePngChunk('IEND', new Uint8Array(0));

/** A PNG file that is a header and nothing else. */
const claiming = (width: number, height: number, depth: number, colorType: number) => {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, colorType], 8);
  return Buffer.concat([PNG_SIGNATURE, writePngChunk('IHDR', header), writePngChunk('IDAT', new Uint8Array(8)), END]);
};

describe('decodePng (a 16-bit picture of 16 million pixels took 1.8 GB)', () => {
  it.each([
    ['16 bits, RGBA', 4096, 16, 6],
    ['16 bits, gray with alpha', 5800, 16, 4],
    ['8 bits, RGBA', 8192, 8, 6],
  ])('refuses by its header what takes more than 512 MiB: %s', (_what, side, depth, colorType) => {
    const bytes = claiming(side, side, depth, colorType);
    expect(() => decodePng(bytes)).toThrow(refused);
    expect(() => decodePng(bytes)).toThrow(/bytes to decode\..*\n.*at most 536870912 bytes of memory/s);
  });

  it('takes no more than estimated', () => {
    const [side, channels] = [2048, 4] as const;
    const data = new Uint16Array(side * side * channels).fill(0x1234);
    const bytes = encode({ width: side, height: side, data, depth: 16, channels });
    const program = `
      const { decodePng } = await import(${JSON.stringify(new URL('../../dist/images.js', import.meta.url).href)});
      const bytes = require('node:fs').readFileSync(0);
      const before = process.memoryUsage.rss();
      if (decodePng(bytes).data[0] !== 0x12) throw new Error();
      console.log(process.resourceUsage().maxRSS * 1024 - before);`;
    const options = { input: bytes, encoding: 'utf8' } as const;
    const used = Number(
      execFileSync(process.execPath, ['--input-type=commonjs', '-e', `(async () => {${program}})()`], options),
    );
    // four copies of the rows, 8 bytes a pixel, the picture, and the code that decodes
    expect(used).toBeLessThan(side * side * (4 * 8 + 4) * 1.2 + 30_000_000);
  });
});

describe('pictures of one message', () => {
  it('share a bound: each of them is small enough, all are not', () => {
    const budget = new PictureBudget();
    const file = claiming(4000, 4000, 8, 2);
    for (let picture = 0; picture < 11; picture += 1) budget.spend(file);
    expect(() => budget.spend(file)).toThrow(refused);
    expect(() =>
      new PictureBudget(4).spend(encodePng({ data: new Uint8Array(4), height: 1, width: 4, channels: 1 })),
    ).not.toThrow();
  });
});

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
