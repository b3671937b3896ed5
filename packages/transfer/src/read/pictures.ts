/** The pictures of a question: cells of its row, or frames of its video. */
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { isRecord, readRegularBytes } from '@vlgym/core/internal';
import type { PictureSource } from '../benchmark.js';
import { QuestionFileError } from '../errors.js';
import type { PlacedRow } from './questions.js';

/** The first of these columns that a row has holds its pictures. */
export const PICTURE_FIELDS = ['images', 'image_list', 'image', 'bytes'];

/** Bytes of one picture. */
const MAX_BYTES = 256 * 2 ** 20;

/** Turns encoded bytes into pixels. */
export type Decode = (bytes: Uint8Array) => Promise<Image> | Image;

/** Without `decode`, pictures are PNG. @throws {QuestionFileError} A picture is missing, or cannot be decoded. */
export async function picturesOf(placed: PlacedRow, decode: Decode = decodePng): Promise<Image[]> {
  const field = PICTURE_FIELDS.find((name) => placed.row[name] !== undefined && placed.row[name] !== null);
  if (field === undefined) return [];
  const pictures: Image[] = [];
  for (const source of sourcesIn(placed.row[field])) {
    pictures.push(await decoded(await bytesOf(source, placed), decode, placed.place));
  }
  return pictures;
}

/** A list, or a text that looks like Python's list of texts, or one picture. */
function sourcesIn(value: unknown): PictureSource[] {
  if (Array.isArray(value)) return value as PictureSource[];
  if (typeof value === 'string' && value.startsWith('[')) {
    return [...value.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double!);
  }
  return [value as PictureSource];
}

const DATA_URL = /^data:image\/[a-z+]+;base64,/;
const BASE64 = /^[A-Za-z0-9+/=\s]{100,}$/;

async function bytesOf(source: PictureSource, { file, place }: PlacedRow): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  if (isRecord(source)) {
    if (source.bytes instanceof Uint8Array) return source.bytes;
    if (typeof source.path === 'string') return bytesOf(source.path, { file, place, row: {} });
  }
  if (typeof source !== 'string') throw new QuestionFileError(place, 'a picture is neither bytes nor a text');
  const [start] = DATA_URL.exec(source) ?? [];
  if (start !== undefined) return Buffer.from(source.slice(start.length), 'base64');
  if (BASE64.test(source)) return Buffer.from(source, 'base64');
  const folder = resolve(dirname(file));
  const target = resolve(folder, source);
  if (!target.startsWith(folder + sep)) throw new QuestionFileError(place, 'a picture is outside of its folder');
  return readRegularBytes(target, MAX_BYTES).catch((cause) => {
    throw new QuestionFileError(place, `the picture ${source.slice(0, 80)} cannot be read`, cause);
  });
}

async function decoded(bytes: Uint8Array, decode: Decode, place: string): Promise<Image> {
  try {
    return await decode(bytes);
  } catch (cause) {
    const format = bytes[0] === 0xff ? 'JPEG' : bytes[0] === 0x52 ? 'WebP' : bytes[0] === 0x89 ? 'PNG' : 'unknown';
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new QuestionFileError(place, `a picture (${format}) cannot be decoded: ${reason}`, cause);
  }
}

/** `numpy.linspace(0, total - 1, n, dtype=int)` with n at most `total`. */
export function frameIndices(total: number, n: number): number[] {
  const count = Math.min(n, total);
  if (count <= 1) return count === 1 ? [0] : [];
  const step = (total - 1) / (count - 1);
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? total - 1 : Math.floor(i * step)));
}

/**
 * Frames of a video, extracted before into a folder of PNG files, in the order of their names.
 *
 * @param video  The folder's path inside of `folder`, e.g. `arkitscenes/41069025`.
 */
export async function framesOf(
  folder: string,
  video: string,
  n: number,
  { place }: PlacedRow,
  decode: Decode = decodePng,
): Promise<Image[]> {
  const files = await readdir(join(folder, video)).catch((cause) => {
    throw new QuestionFileError(place, `the frames of ${video} are not in ${folder}`, cause);
  });
  const names = files.filter((name) => /\.(png|jpe?g|webp)$/i.test(name)).sort();
  if (names.length === 0) throw new QuestionFileError(place, `the folder of ${video} has no frame`);
  const frames: Image[] = [];
  for (const index of frameIndices(names.length, n)) {
    frames.push(await decoded(await readRegularBytes(join(folder, video, names[index]!), MAX_BYTES), decode, place));
  }
  return frames;
}
