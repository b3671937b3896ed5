/**
 * PNG: how pictures are stored and sent.
 *
 * Writes 8-bit gray, RGB and RGBA without loss. Reads any PNG that fast-png reads, as 8 bits per channel. Compression
 * is Node's zlib; a browser falls back to that of fast-png. `images.test.ts` pins the round trip.
 */
import { convertIndexedToRgb, type DecodedPng, decode, encode } from 'fast-png';
import { builtin, optionalBuiltin } from '../files/builtin.js';
import { concatenate } from '../files/concatenate.js';
import type { Image } from '../image.js';
import { ImageInvalidError } from './image-error.js';
import { assertImage } from './is-image.js';
import { PNG_SIGNATURE, type PngChunk, readPngChunks, writePngChunk } from './png-chunks.js';
import { readShape, refuseTooLarge, rowBytes } from './png-memory.js';

const COLOR_TYPES = { 1: 0, 3: 2, 4: 6 } as const;

/** @throws {ImageInvalidError} Sizes and bytes do not agree, or there are more pixels than `decodePng` accepts. */
export function encodePng(image: Image): Uint8Array {
  assertImage(image);
  const { height, width, channels } = image;
  refuseTooLarge(
    { height, width, depth: 8, colorType: COLOR_TYPES[channels] },
    'The picture is too large for a PNG file',
    'make it smaller with `resizeImage` first',
  );
  if (optionalBuiltin('node:zlib') === undefined) return encode(image);
  return joinChunks([
    { type: 'IHDR', data: pngHeader(image) },
    { type: 'IDAT', data: compressPixels(image) },
    { type: 'IEND', data: new Uint8Array(0) },
  ]);
}

/**
 * Palettes and transparent colors are applied, 16 bits per channel become 8 (the higher byte), gray with alpha
 * becomes RGBA.
 *
 * @throws {ImageInvalidError} `IMAGE_INVALID`: not a PNG, torn, damaged, more than 64 million pixels, or more than 512 MiB to decode.
 */
export function decodePng(bytes: Uint8Array): Image {
  const chunks = readPngChunks(bytes);
  checkSize(chunks);
  // skip color profiles, texts and animation: they do not affect pixels, and a hostile one could inflate without bound
  const needed = chunks.filter(({ type }) => ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type));
  try {
    return toImage(decode(joinChunks(needed)));
  } catch (cause) {
    throw new ImageInvalidError('The PNG file cannot be decoded.', { value: bytes.length, cause });
  }
}

/** The data of `IHDR`: 8 bits per channel, not interlaced. */
export function pngHeader({ height, width, channels }: Pick<Image, 'height' | 'width' | 'channels'>): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data[8] = 8;
  data[9] = COLOR_TYPES[channels];
  return data;
}

/** The data of `IDAT`: rows without filter (best for drawn pictures), deflated. Node only. */
export function compressPixels({ data, height, width, channels }: Image): Uint8Array {
  const stride = width * channels;
  const rows = new Uint8Array(height * (stride + 1));
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  return builtin('node:zlib').deflateSync(rows);
}

function joinChunks(chunks: readonly PngChunk[]): Uint8Array {
  return concatenate([PNG_SIGNATURE, ...chunks.map(({ type, data }) => writePngChunk(type, data))]);
}

/** Refuses a picture that is too large, or whose data inflates to more than its header asks for. */
function checkSize(chunks: readonly PngChunk[]): void {
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) {
    throw new ImageInvalidError('The PNG file does not start with a header.', { value: header?.type });
  }
  const shape = readShape(header.data);
  refuseTooLarge(shape, 'The PNG file is too large');
  const zlib = optionalBuiltin('node:zlib');
  if (zlib === undefined) return;
  const compressed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  try {
    zlib.inflateSync(concatenate(compressed), { maxOutputLength: rowBytes(shape) });
  } catch (cause) {
    throw new ImageInvalidError('The pixel data of the PNG file does not inflate to its size.', { cause });
  }
}

function toImage(png: DecodedPng): Image {
  const { height, width } = png;
  if (png.palette !== undefined) return pixels(convertIndexedToRgb(png), height, width);
  if (png.depth < 8) {
    const levels = 2 ** png.depth - 1;
    const palette = Array.from({ length: levels + 1 }, (_, level) => [Math.round((level * 255) / levels)]);
    return pixels(convertIndexedToRgb({ ...png, palette }), height, width);
  }
  const bytes = png.depth === 16 ? higherBytes(png.data) : Uint8Array.from(png.data);
  if (png.channels === 2) return pixels(grayAlphaToRgba(bytes), height, width);
  if (png.transparency === undefined) return pixels(bytes, height, width);
  return pixels(withTransparentColor(png, bytes, png.transparency), height, width);
}

function pixels(bytes: Uint8Array, height: number, width: number): Image {
  const image = { data: bytes, height, width, channels: bytes.length / (height * width) };
  assertImage(image);
  return image;
}

/** Not `Uint8Array.from` with a function, which makes a list of numbers first: eleven times the memory. */
function higherBytes(values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = values[i]! >> 8;
  return bytes;
}

function grayAlphaToRgba(bytes: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(bytes.length * 2);
  for (let i = 0; i < bytes.length / 2; i++) {
    rgba.fill(bytes[2 * i]!, 4 * i, 4 * i + 3);
    rgba[4 * i + 3] = bytes[2 * i + 1]!;
  }
  return rgba;
}

/** One color of a gray or RGB file means "transparent"; compared at the file's own depth. */
function withTransparentColor(png: DecodedPng, bytes: Uint8Array, color: Uint16Array): Uint8Array {
  const { channels, data } = png;
  const rgba = new Uint8Array((bytes.length / channels) * 4);
  for (let i = 0; i < bytes.length / channels; i++) {
    let clear = true;
    for (let c = 0; c < 3; c++) {
      const from = i * channels + (channels === 1 ? 0 : c);
      rgba[4 * i + c] = bytes[from]!;
      clear &&= data[from] === color[channels === 1 ? 0 : c];
    }
    rgba[4 * i + 3] = clear ? 0 : 255;
  }
  return rgba;
}
