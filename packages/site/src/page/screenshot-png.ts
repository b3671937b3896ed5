/**
 * Decodes PNG files as Chromium writes them: 8 bits, RGB or RGBA, not interlaced. All others go to the general decoder,
 * which takes ten times as long. A screenshot is decoded in every step.
 *
 * Chunks and filters: W3C PNG, third edition, sections 5.3 and 9.
 */
import { inflateSync } from 'node:zlib';
import type { RgbImage } from '@vlgym/core';
import { decodePng, MAX_PNG_PIXELS } from '@vlgym/core/images';

const HEADER_BYTES = 13;

/** @returns RGB; alpha is dropped. @throws {ImageInvalidError} The file is damaged or not a PNG. */
export function decodeScreenshot(png: Buffer): RgbImage {
  return decodeFast(png) ?? withoutAlpha(decodePng(png));
}

/** @returns `undefined` for files that only the general decoder can read. */
function decodeFast(png: Buffer): RgbImage | undefined {
  const pieces: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR' && length === HEADER_BYTES) header = data;
    if (type === 'IDAT') pieces.push(data);
    if (type === 'tRNS') return undefined;
    at += 12 + length;
  }
  if (!header) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colors, , , interlaced] = header.subarray(8);
  if (depth !== 8 || (colors !== 2 && colors !== 6) || interlaced !== 0) return undefined;
  if (width * height > MAX_PNG_PIXELS) return undefined;
  const channels = colors === 2 ? 3 : 4;
  const size = height * (width * channels + 1);
  try {
    const rows = inflateSync(Buffer.concat(pieces), { maxOutputLength: size, chunkSize: Math.max(64, size) });
    return rows.length === size ? unfiltered(rows, width, height, channels) : undefined;
  } catch {
    return undefined; // the general decoder reports what is wrong
  }
}

/**
 * Works in place, because the inflated rows are large: removes filter bytes, undoes filters, drops alpha.
 *
 * @returns `undefined` for an unknown filter.
 */
function unfiltered(rows: Buffer, width: number, height: number, channels: number): RgbImage | undefined {
  const stride = width * channels;
  const filters = Uint8Array.from({ length: height }, (_, y) => rows[y * (stride + 1)]!);
  for (let y = 0; y < height; y += 1) {
    const from = y * (stride + 1) + 1;
    rows.copyWithin(y * stride, from, from + stride);
  }
  for (let y = 0; y < height; y += 1) {
    if (!undoFilter(rows, filters[y]!, y * stride, stride, channels)) return undefined;
  }
  const pixels = width * height;
  if (channels === 4) {
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      rows[3 * pixel] = rows[4 * pixel]!;
      rows[3 * pixel + 1] = rows[4 * pixel + 1]!;
      rows[3 * pixel + 2] = rows[4 * pixel + 2]!;
    }
  }
  return { width, height, channels: 3, data: new Uint8Array(rows.buffer, rows.byteOffset, 3 * pixels) };
}

/** Undoes the filter of a row; `stride` and `step` are bytes per row and pixel. @returns False for an unknown filter. */
function undoFilter(rows: Buffer, filter: number, from: number, stride: number, step: number): boolean {
  const end = from + stride;
  const first = from === 0;
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = from + step; at < end; at += 1) rows[at] = rows[at]! + rows[at - step]!;
      return true;
    case 2:
      if (!first) addAbove(rows, from, stride);
      return true;
    case 3:
      for (let at = from; at < end; at += 1) {
        const left = at < from + step ? 0 : rows[at - step]!;
        rows[at] = rows[at]! + ((left + (first ? 0 : rows[at - stride]!)) >> 1);
      }
      return true;
    case 4:
      for (let at = from; at < end; at += 1) {
        const inside = at >= from + step;
        const left = inside ? rows[at - step]! : 0;
        const corner = inside && !first ? rows[at - step - stride]! : 0;
        rows[at] = rows[at]! + paeth(left, first ? 0 : rows[at - stride]!, corner);
      }
      return true;
    default:
      return false;
  }
}

/** The filter that Chromium uses; adds four bytes at once if rows are aligned to four bytes. */
function addAbove(rows: Buffer, from: number, stride: number): void {
  if (((rows.byteOffset | stride) & 3) !== 0) {
    for (let at = from; at < from + stride; at += 1) rows[at] = rows[at]! + rows[at - stride]!;
    return;
  }
  const words = new Uint32Array(rows.buffer, rows.byteOffset + from - stride, stride / 2);
  const count = stride / 4;
  for (let at = 0; at < count; at += 1) {
    const above = words[at]!;
    const here = words[at + count]!;
    // Sums of seven bits cannot overflow into the next byte; the eighth bits are added without carry.
    words[at + count] = ((above & 0x7f7f7f7f) + (here & 0x7f7f7f7f)) ^ ((above ^ here) & 0x80808080);
  }
}

function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function withoutAlpha(image: ReturnType<typeof decodePng>): RgbImage {
  const { width, height, channels } = image;
  if (channels === 3) return image as RgbImage;
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      data[3 * pixel + channel] = image.data[channels * pixel + (channels === 4 ? channel : 0)]!;
    }
  }
  return { width, height, channels: 3, data };
}
