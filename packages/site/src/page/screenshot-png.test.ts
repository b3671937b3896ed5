import { crc32, deflateSync } from 'node:zlib';
import { decodePng, encodePng } from '@vlgym/core/images';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeScreenshot } from './screenshot-png.js';

/** Builds a PNG from rows as they are stored: a filter byte, then filtered bytes. */
function png(width: number, colors: number, rows: readonly (readonly number[])[], depth = 8): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([depth, colors], 8);
  const chunk = (type: string, data: Buffer) => {
    const piece = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
    piece.writeUInt32BE(data.length, 0);
    piece.writeUInt32BE(crc32(piece.subarray(4, -4)), piece.length - 4);
    return piece;
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('decoding a screenshot', () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 7 }), height: fc.integer({ min: 1, max: 7 }) });
  const byte = fc.integer({ min: 0, max: 255 });

  it('agrees with the general decoder for every filter', () => {
    const files = fc.tuple(size, fc.constantFrom(2, 6)).chain(([{ width, height }, colors]) =>
      fc
        .array(
          fc
            .tuple(fc.integer({ min: 0, max: 4 }), fc.array(byte, exactly(width * (colors === 2 ? 3 : 4))))
            .map(([filter, bytes]) => [filter, ...bytes]),
          exactly(height),
        )
        .map((rows) => png(width, colors, rows)),
    );
    fc.assert(
      fc.property(files, (file) => {
        const [fast, general] = [decodeScreenshot(file), decodePng(file)];
        const rgb = [...general.data].filter((_, at) => general.channels === 3 || at % 4 !== 3);
        expect([fast.width, fast.height, fast.channels]).toEqual([general.width, general.height, 3]);
        expect([...fast.data]).toEqual(rgb);
      }),
    );
  });

  it('also reads grayscale', () => {
    const gray = encodePng({ width: 2, height: 1, channels: 1, data: Uint8Array.of(7, 200) });
    expect([...decodeScreenshot(Buffer.from(gray)).data]).toEqual([7, 7, 7, 200, 200, 200]);
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['text', Buffer.from('<html>not a picture</html>')],
    ['a truncated file', png(2, 2, [[0, 1, 2, 3, 4, 5, 6]]).subarray(0, 50)],
    ['an unknown filter', png(1, 2, [[9, 1, 2, 3]])],
  ])('refuses %s', (_, file) => {
    expect(() => decodeScreenshot(file)).toThrow(expect.objectContaining({ code: 'IMAGE_INVALID' }));
  });
});

const exactly = (length: number) => ({ minLength: length, maxLength: length });
