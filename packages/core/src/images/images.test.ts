import fc from 'fast-check';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { Image } from '../image.js';
import { toDataUrl } from './data-url.js';
import { grayscale } from './grayscale.js';
import { hashImage } from './hash-image.js';
import { isImage } from './is-image.js';
import { decodePng, encodePng } from './png.js';
import { PNG_SIGNATURE, type PngChunk, readPngChunks, writePngChunk } from './png-chunks.js';
import { resizeImage } from './resize-image.js';

const anyImage: fc.Arbitrary<Image> = fc
  .record({ height: fc.integer({ min: 1, max: 12 }), width: fc.integer({ min: 1, max: 12 }) })
  .chain(({ height, width }) =>
    fc.constantFrom(1 as const, 3 as const, 4 as const).chain((channels) => {
      const bytes = height * width * channels;
      return fc
        .uint8Array({ minLength: bytes, maxLength: bytes })
        .map((data) => ({ data: Uint8Array.from(data), height, width, channels }));
    }),
  );

describe('PNG', () => {
  it('returns every picture it wrote', () => {
    fc.assert(
      fc.property(anyImage, (image) => {
        expect(decodePng(encodePng(image))).toEqual(image);
      }),
    );
  });

  it.each([
    ['16 bits per channel', { data: Uint16Array.of(0x1234, 0xffff), channels: 1, depth: 16 }, 1, [0x12, 0xff]],
    ['gray with alpha', { data: Uint8Array.of(7, 8, 9, 10), channels: 2, depth: 8 }, 4, [7, 7, 7, 8, 9, 9, 9, 10]],
    ['one bit gray', { data: Uint8Array.of(0b01000000), channels: 1, depth: 1 }, 1, [0, 255]],
  ] as const)('reads %s as 8 bits per channel', (_, png, channels, data) => {
    const bytes = encode({ ...png, width: 2, height: 1 });
    expect(decodePng(bytes)).toEqual({ data: Uint8Array.from(data), height: 1, width: 2, channels });
  });

  it('applies a palette', () => {
    const palette = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    const bytes = encode({ width: 2, height: 1, data: Uint8Array.of(0b01000000), depth: 1, channels: 1, palette });
    expect([...decodePng(bytes).data]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  const good = encodePng({ data: new Uint8Array(300), height: 10, width: 10, channels: 3 });
  const patched = (offset: number, byte: number) => Uint8Array.from(good, (b, i) => (i === offset ? byte : b));

  it.each([
    ['text', new TextEncoder().encode('<html>not found</html>')],
    ['nothing', new Uint8Array(0)],
    ['a torn file', good.subarray(0, good.length - 5)],
    ['a flipped byte in the pixels', patched(45, 99)],
    ['a chunk longer than the file', patched(33, 0x7f)],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodePng(bytes)).toThrow(expect.objectContaining({ code: 'IMAGE_INVALID' }));
  });

  it('refuses a small file that inflates to far more than its header asks for', () => {
    const bomb = encodePng({ data: new Uint8Array(3_000_000), height: 1000, width: 1000, channels: 3 });
    const [, pixels] = readPngChunks(bomb);
    const claim = readPngChunks(good).map((chunk) => (chunk.type === 'IDAT' ? pixels! : chunk));
    expect(() => decodePng(joined(claim))).toThrow(/inflate/);
  });

  it('refuses a header with too many pixels', () => {
    const huge = readPngChunks(good).map((chunk) =>
      chunk.type === 'IHDR' ? { ...chunk, data: Uint8Array.of(0x7f, 0, 0, 0, 0x7f, 0, 0, 0, 8, 2, 0, 0, 0) } : chunk,
    );
    expect(() => decodePng(joined(huge))).toThrow(/pixels/);
  });

  it('fails only with that error, whatever bytes follow the signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(good.length - 1), (noise, offset) => {
        const bytes = Uint8Array.from(good);
        bytes.set(noise.subarray(0, bytes.length - offset), offset);
        try {
          expect(isImage(decodePng(bytes))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'IMAGE_INVALID' });
        }
      }),
    );
  });
});

describe('hashImage', () => {
  it('hashes the pixels with a sha256 that any language can reproduce', () => {
    // printf 'image/1 1 2 3\n\001\002\003\004\005\006' | sha256sum
    expect(hashImage({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), height: 1, width: 2, channels: 3 })).toBe(
      'sha256:16bbc372488373a403e855ffc700ac6c974c73fa850688a2801829f1f5de5f81',
    );
  });

  it('distinguishes pictures of equal bytes and different shape', () => {
    const data = new Uint8Array(12);
    const shapes = [
      { data, height: 2, width: 2, channels: 3 },
      { data, height: 1, width: 4, channels: 3 },
      { data, height: 4, width: 1, channels: 3 },
      { data, height: 1, width: 3, channels: 4 },
      { data, height: 3, width: 4, channels: 1 },
    ] as const;
    expect(new Set(shapes.map(hashImage)).size).toBe(shapes.length);
  });

  it.each([
    [{ data: new Uint8Array(5), height: 1, width: 2, channels: 3 }],
    [{ data: new Uint8Array(0), height: 0, width: 2, channels: 3 }],
    [{ data: new Uint8Array(4), height: 1, width: 2, channels: 2 }],
    [null],
  ])('refuses %o', (value) => {
    expect(() => hashImage(value as Image)).toThrow(expect.objectContaining({ code: 'IMAGE_INVALID' }));
  });
});

describe('resizeImage and grayscale agree with Pillow 11.0.0', () => {
  it.each([
    [7, 5, 3, 3, 4, 'a4f91ac12689d768'],
    [7, 5, 3, 14, 11, 'b4ea4f27b908d248'],
    [40, 30, 1, 9, 30, 'c15e2067b1f49235'],
    [40, 30, 1, 40, 7, 'd9aa830f6c369b6b'],
    [33, 47, 4, 16, 21, '30738bf5aca9be2f'],
    [20, 20, 4, 31, 45, 'dcf3984a4c4000f2'],
    [64, 64, 3, 28, 28, '6c3a8428d752ad54'],
    [1, 1, 3, 5, 5, '333147d37fcc9f5c'],
    [100, 3, 3, 1, 1, '8966133be7c201f4'],
  ] as const)('%i x %i, %i channels, to %i x %i', async (height, width, channels, toHeight, toWidth, expected) => {
    const image = pattern(height, width, channels);
    expect(await sha256(resizeImage(image, { height: toHeight, width: toWidth }).data)).toBe(expected);
  });

  // from Pillow 12.3.0
  it.each([
    [7, 5, 3, 3, 4, '181f1e5e046e5162'],
    [7, 5, 3, 14, 11, 'e40ea572552a98be'],
    [40, 30, 3, 17, 33, '91930f94a3c5cabe'],
    [33, 64, 4, 20, 20, '9d8d8958a339d186'],
    [16, 16, 1, 5, 31, 'aae19dfabd3aa872'],
  ] as const)(
    '%i x %i, %i channels, to %i x %i by Lanczos',
    async (height, width, channels, toHeight, toWidth, expected) => {
      const image = pattern(height, width, channels);
      const resized = resizeImage(image, { height: toHeight, width: toWidth, filter: 'lanczos' });
      expect(await sha256(resized.data)).toBe(expected);
    },
  );

  it('to gray', async () => {
    expect(await sha256(grayscale(pattern(40, 30, 3)).data)).toBe('be7386275eabff42');
    const colors = { data: Uint8Array.of(255, 0, 0, 0, 255, 0, 10, 20, 30), height: 1, width: 3, channels: 3 } as const;
    expect([...grayscale(colors).data]).toEqual([76, 150, 18]);
  });
});

describe('resizeImage', () => {
  it('keeps a uniform picture uniform, at any size', () => {
    const size = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(size, size, size, size, fc.nat(255), (height, width, toHeight, toWidth, level) => {
        const plain = { data: new Uint8Array(height * width).fill(level), height, width, channels: 1 } as const;
        const { data } = resizeImage(plain, { height: toHeight, width: toWidth });
        expect(data).toEqual(new Uint8Array(toHeight * toWidth).fill(level));
      }),
    );
  });

  it('returns new bytes even if nothing changes', () => {
    const image = pattern(3, 3, 3);
    const same = resizeImage(image, image);
    expect(same).toEqual(image);
    expect(same.data).not.toBe(image.data);
  });

  it('refuses an empty target', () => {
    expect(() => resizeImage(pattern(3, 3, 3), { height: 0, width: 3 })).toThrow(/Cannot resize/);
  });
});

it('writes a picture as a data URL', () => {
  const url = toDataUrl(pattern(3, 3, 3));
  expect(url).toMatch(/^data:image\/png;base64,/);
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0));
  expect(decodePng(bytes)).toEqual(pattern(3, 3, 3));
});

/** The same bytes as in the script that ran Pillow: ((31 i² + 7 i + 13 ⌊i / 32⌋) mod 2³²) / 8 mod 256. */
function pattern<Channels extends 1 | 3 | 4>(height: number, width: number, channels: Channels): Image<Channels> {
  const data = Uint8Array.from({ length: height * width * channels }, (_, i) => {
    return ((i * i * 31 + i * 7 + (i >> 5) * 13) >>> 0) >>> 3;
  });
  return { data, height, width, channels };
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes));
  return Buffer.from(digest).toString('hex').slice(0, 16);
}

function joined(chunks: readonly PngChunk[]): Uint8Array {
  return Buffer.concat([PNG_SIGNATURE, ...chunks.map(({ type, data }) => writePngChunk(type, data))]);
}
