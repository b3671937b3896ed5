/**
 * PNG files as Chromium writes them: 8 bits, RGB or RGBA, not interlaced. Anything else goes to the general decoder,
 * which takes ten times as long; a screenshot is decoded in every step.
 *
 * Chunks and filters: PNG specification, third edition, sections 5.3 and 9.
 */
import { inflateSync } from 'node:zlib';
import { decodePng, type RgbImage } from '@vlgym/core';

const HEADER = 13;

/** @returns RGB; what is transparent is left out. @throws {ImageInvalidError} Torn or no PNG. */
export function decodeScreenshot(png: Buffer): RgbImage {
  return quickly(png) ?? withoutAlpha(decodePng(png));
}

function quickly(png: Buffer): RgbImage | undefined {
  const pieces: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR' && length === HEADER) header = data;
    if (type === 'IDAT') pieces.push(data);
    if (type === 'tRNS') return undefined;
    at += 12 + length;
  }
  if (!header) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colours, , , interlaced] = header.subarray(8);
  if (depth !== 8 || (colours !== 2 && colours !== 6) || interlaced !== 0) return undefined;
  const channels = colours === 2 ? 3 : 4;
  const size = height * (width * channels + 1);
  try {
    const rows = inflateSync(Buffer.concat(pieces), { maxOutputLength: size, chunkSize: Math.max(64, size) });
    return rows.length === size ? unfiltered(rows, width, height, channels) : undefined;
  } catch {
    return undefined; // the general decoder says what is wrong
  }
}

/** Undoes the filter of each row in place, then leaves filter bytes and alpha out. */
function unfiltered(rows: Buffer, width: number, height: number, channels: number): RgbImage | undefined {
  const stride = width * channels + 1;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const from = y * stride + 1;
    if (!undoFilter(rows, rows[from - 1]!, from, from + stride - 1, y === 0 ? -1 : from - stride, channels)) {
      return undefined;
    }
    let to = y * width * 3;
    if (channels === 3) data.set(rows.subarray(from, from + stride - 1), to);
    else {
      for (let at = from; at < from + stride - 1; at += 4, to += 3) {
        data[to] = rows[at]!;
        data[to + 1] = rows[at + 1]!;
        data[to + 2] = rows[at + 2]!;
      }
    }
  }
  return { width, height, channels: 3, data };
}

/** @param above  Where the row above begins; -1: there is none. @returns false for a filter that does not exist. */
function undoFilter(rows: Buffer, filter: number, from: number, end: number, above: number, step: number): boolean {
  const up = above - from;
  const first = above < 0;
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = from + step; at < end; at += 1) rows[at] = rows[at]! + rows[at - step]!;
      return true;
    case 2:
      if (!first) for (let at = from; at < end; at += 1) rows[at] = rows[at]! + rows[at + up]!;
      return true;
    case 3:
      for (let at = from; at < end; at += 1) {
        const left = at < from + step ? 0 : rows[at - step]!;
        rows[at] = rows[at]! + ((left + (first ? 0 : rows[at + up]!)) >> 1);
      }
      return true;
    case 4:
      for (let at = from; at < end; at += 1) {
        const inside = at >= from + step;
        const left = inside ? rows[at - step]! : 0;
        rows[at] = rows[at]! + paeth(left, first ? 0 : rows[at + up]!, inside && !first ? rows[at - step + up]! : 0);
      }
      return true;
    default:
      return false;
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
