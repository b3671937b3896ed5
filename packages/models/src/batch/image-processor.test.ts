import type { Image } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { tinyConfig } from '../models/tiny/presets.js';
import { picture } from '../policy/policy.test-helper.js';
import { ImageProcessor, ImageSizeError, smartResize } from './image-processor.js';
import { onWhite } from './on-white.js';
import { ResizedPictures } from './resized-pictures.js';

const published = { factor: 28, minPixels: 3136, maxPixels: 1_003_520 };

describe('smart resize', () => {
  // from transformers 5.18.0, class default of Qwen2-VL
  it.each([
    [56, 84, 56, 84],
    [300, 300, 308, 308],
    [123, 77, 112, 84],
    [1, 1, 56, 56],
    [1, 200, 28, 812],
    [42, 42, 56, 56],
    [70, 98, 56, 112],
    [126, 630, 112, 616],
    [1080, 1920, 728, 1316],
    [10_000, 60, 9996, 56],
    [999, 1001, 980, 980],
  ])('%i × %i pixels become %i × %i', (height, width, ...expected) => {
    expect(Object.values(smartResize(height, width, published))).toEqual(expected);
  });

  it('refuses a picture without pixels, and one with a side over 200 times the other', () => {
    expect(() => smartResize(1, 201, published)).toThrow(ImageSizeError);
    expect(() => smartResize(0, 10, published)).toThrow(ImageSizeError);
  });
});

describe('patches', () => {
  const processor = new ImageProcessor(tinyConfig);
  const read = (image: ReturnType<typeof picture>) => {
    const { rows, columns } = processor.grid(image);
    const patches = new Float32Array(rows * columns * processor.patchLength);
    processor.write(image, patches, 0);
    return patches;
  };

  it('of a picture of 84 × 112 make 12 tokens, without resampling', () => {
    const image = picture(1, 84, 112);
    const grid = processor.grid(image);
    expect(grid).toEqual({ rows: 6, columns: 8 });
    expect(processor.tokens(grid)).toBe(12);
    // first patch, green channel, row 3, column 5
    const byte = image.data[(3 * 112 + 5) * 3 + 1]!;
    expect(read(image)[1 * 196 + 3 * 14 + 5]).toBeCloseTo(byte / 127.5 - 1, 6);
  });

  it('come in blocks of 2 × 2, block by block', () => {
    const places = processor.positions({ rows: 2, columns: 4 });
    expect([...places]).toEqual([0, 0, 0, 1, 1, 0, 1, 1, 0, 2, 0, 3, 1, 2, 1, 3]);
  });

  it('of gray pictures show the level on three channels; alpha is dropped', () => {
    const gray = { data: new Uint8Array(28 * 28).fill(51), height: 28, width: 28, channels: 1 } as const;
    const clear = { data: new Uint8Array(28 * 28 * 4).fill(51), height: 28, width: 28, channels: 4 } as const;
    clear.data.forEach((_, i) => {
      if (i % 4 === 3) clear.data[i] = 0;
    });
    expect(new Set(read(gray))).toEqual(new Set([Math.fround(Math.fround(0.2) - 0.5) / 0.5].map(Math.fround)));
    expect(read(clear)).toEqual(read(gray));
  });

  it('of a transparent picture are those of it on white where the model is a published one', () => {
    const data = Uint8Array.of(0, 51, 100, 128, 100, 200, 0, 77, 9, 9, 9, 0, 1, 2, 3, 255);
    const square = { data, height: 2, width: 2, channels: 4 } as const;
    // `Image.alpha_composite` of Pillow 13 over white
    const white = Uint8Array.of(127, 153, 177, 208, 238, 178, 255, 255, 255, 1, 2, 3);
    const image = { ...tinyConfig.image, minPixels: 4, maxPixels: 16, resample: 'bicubic' } as const;
    const vision = { patchSize: 2, spatialMergeSize: 1, temporalPatchSize: 1 };
    const published = new ImageProcessor({ vision, image });
    const patchesOf = (picture: Image) => {
      const patches = new Float32Array(published.patchLength);
      published.write(picture, patches, 0);
      return patches;
    };
    expect(patchesOf(square)).toEqual(patchesOf({ ...square, data: white, channels: 3 }));
    expect(published.resized(square)).toEqual({ ...square, data: white, channels: 3 });
    expect(onWhite({ ...square, data: white, channels: 3 }).data).toBe(white);
  });

  it('of a large picture stay within the limit', () => {
    const { rows, columns } = processor.grid({ height: 300, width: 300 });
    expect(rows * columns * 14 * 14).toBeLessThanOrEqual(tinyConfig.image.maxPixels);
    expect(read(picture(2, 300, 300)).length).toBe(rows * columns * processor.patchLength);
  });

  it('of a picture that was drawn over are those of its new pixels', () => {
    const image = picture(3, 60, 80);
    const before = read(image);
    image.data.fill(7);
    expect(read(image)).toEqual(read({ ...image, data: new Uint8Array(image.data) }));
    expect(read(image)).not.toEqual(before);
  });
});

describe('resized pictures', () => {
  it('are made once for equal pixels, and made again after the room they took was needed', () => {
    const made: number[] = [];
    const kept = new ResizedPictures(2 * 12);
    const ask = (level: number) =>
      kept.get({ data: new Uint8Array(3).fill(level), height: 1, width: 1, channels: 3 }, () => {
        made.push(level);
        return { data: new Uint8Array(12).fill(level), height: 2, width: 2, channels: 3 };
      });
    expect(ask(1)).toBe(ask(1));
    ask(2);
    ask(1);
    ask(3); // in place of 2, which was asked for before 1
    ask(1);
    expect(made).toEqual([1, 2, 3]);
    ask(2);
    expect(made).toEqual([1, 2, 3, 2]);
  });
});
