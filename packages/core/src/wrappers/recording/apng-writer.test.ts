import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Image } from '../../image.js';
import { decodePng, pngHeader } from '../../images/png.js';
import { PNG_SIGNATURE, readPngChunks, writePngChunk } from '../../images/png-chunks.js';
import { ApngWriter } from './apng-writer.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-video-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const path = () => join(folder, 'videos', 'episode.png');

/** A few frames of one size, each with a small change from the previous one, or none. */
const frames: fc.Arbitrary<Image[]> = fc
  .record({
    height: fc.integer({ min: 1, max: 6 }),
    width: fc.integer({ min: 1, max: 6 }),
    channels: fc.constantFrom(1 as const, 3 as const, 4 as const),
    changes: fc.array(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }), { minLength: 1, maxLength: 8 }),
  })
  .map(({ height, width, channels, changes }) => {
    const data = new Uint8Array(height * width * channels);
    return changes.map((bytes) => {
      for (const [at, byte] of bytes) data[at % data.length] = byte;
      return { data: data.slice(), height, width, channels };
    });
  });

describe('ApngWriter', () => {
  it('returns every frame without loss', async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (images) => {
        const video = new ApngWriter(path());
        await Promise.all(images.map((image) => video.write(image))); // overlapping on purpose
        const bytes = await readFile(await video.close());
        expect(play(bytes)).toEqual(images);
        expect(decodePng(bytes)).toEqual(images[0]); // a viewer without animation shows the first frame
      }),
      { numRuns: 50 },
    );
  });

  it('writes a valid file: CRCs, the frame count and a sequence without gaps', async () => {
    const video = new ApngWriter(path(), { fps: 4 });
    for (const level of [0, 0, 7, 255]) await video.write(plain(level));
    await video.close();
    const chunks = readPngChunks(await readFile(path())); // throws where a CRC differs
    const types = 'IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT fcTL fdAT IEND';
    expect(chunks.map(({ type }) => type).join(' ')).toBe(types);
    expect(uint32(chunks[1]!.data, 0)).toBe(4);
    const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT');
    expect(numbered.map(({ data }) => uint32(data, 0))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const [delay, perSecond] = [20, 22].map((offset) => uint16(chunks[2]!.data, offset));
    expect(delay! / perSecond!).toBe(1 / 4);
  });

  it('stores only changed pixels', async () => {
    const noise = { ...plain(0, 100), data: Uint8Array.from({ length: 30_000 }, (_, i) => (i * i * 31) >>> 3) };
    const sizes = [];
    for (const count of [1, 50]) {
      const video = new ApngWriter(path());
      for (let i = 0; i < count; i++) await video.write({ ...noise, data: noise.data.with(15_000, i) });
      sizes.push((await readFile(await video.close())).length);
    }
    expect(sizes[1]! - sizes[0]!).toBeLessThan(50 * 150);
  });

  it('reads the pixels before write returns: a renderer may reuse its buffer', async () => {
    const frame = plain(1);
    const video = new ApngWriter(path());
    const first = video.write(frame);
    frame.data.fill(2);
    await Promise.all([first, video.write(frame)]);
    const shown = play(await readFile(await video.close()));
    expect(shown.map(({ data }) => data[0])).toEqual([1, 2]);
  });

  it('leaves no file before it is complete, nor after `discard`', async () => {
    const video = new ApngWriter(path());
    await video.write(plain(1));
    expect(await readdir(join(folder, 'videos'))).toEqual([expect.stringMatching(/^\.tmp-/)]);
    await video.discard();
    expect(await readdir(join(folder, 'videos'))).toEqual([]);
  });

  it('refuses a frame of the wrong size and continues', async () => {
    const video = new ApngWriter(path());
    await video.write(plain(1));
    await expect(video.write(plain(1, 3))).rejects.toMatchObject({ code: 'VIDEO_FRAME' });
    await video.write(plain(2));
    expect(play(await readFile(await video.close()))).toEqual([plain(1), plain(2)]);
    await expect(video.write(plain(2))).rejects.toMatchObject({ code: 'VIDEO_CLOSED' });
  });

  it('refuses a video without frames and invalid frame rates', async () => {
    await expect(new ApngWriter(path()).close()).rejects.toMatchObject({ code: 'VIDEO_EMPTY' });
    for (const fps of [0, -1, Number.NaN, 1000]) {
      expect(() => new ApngWriter(path(), { fps })).toThrow(expect.objectContaining({ code: 'VIDEO_OPTIONS' }));
    }
  });
});

/** The frames as a viewer shows them: each rectangle drawn over the previous frame (fast-png does not keep it). */
function play(bytes: Uint8Array): Image[] {
  const first = decodePng(bytes);
  const canvas = new Uint8Array(first.data.length);
  const shown: Image[] = [];
  let [x, y, height, width] = [0, 0, 0, 0];
  for (const { type, data } of readPngChunks(bytes)) {
    if (type === 'fcTL')
      [width, height, x, y] = [4, 8, 12, 16].map((at) => uint32(data, at)) as [number, number, number, number];
    if (type !== 'IDAT' && type !== 'fdAT') continue;
    const part = decodePng(asPng({ ...first, height, width }, type === 'IDAT' ? data : data.subarray(4)));
    const { channels } = first;
    for (let row = 0; row < height; row++) {
      const pixels = part.data.subarray(row * width * channels, (row + 1) * width * channels);
      canvas.set(pixels, ((y + row) * first.width + x) * channels);
    }
    shown.push({ ...first, data: canvas.slice() });
  }
  return shown;
}

function asPng(header: Image, pixels: Uint8Array): Uint8Array {
  const chunks = [writePngChunk('IHDR', pngHeader(header)), writePngChunk('IDAT', pixels)];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, writePngChunk('IEND', new Uint8Array(0))]);
}

function plain(level: number, size = 2): Image {
  return { data: new Uint8Array(size * size * 3).fill(level), height: size, width: size, channels: 3 };
}

function uint32(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);
}

function uint16(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint16(offset);
}
