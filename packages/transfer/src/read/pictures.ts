/** The pictures of a question: cells of its row. */
import { dirname, resolve, sep } from 'node:path';
import type { Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { isRecord, readRegularBytes } from '@vlgym/core/internal';
import type { PictureSource } from '../benchmark.js';
import { QuestionFileError } from '../errors.js';
import type { PlacedRow } from './questions.js';

/** The first of these columns that a row has holds its pictures. */
export const PICTURE_FIELDS = ['images', 'image_list', 'image', 'bytes'];

/** Bytes of one picture. */
export const MAX_BYTES = 256 * 2 ** 20;

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

/** @throws {QuestionFileError} */
export async function decoded(bytes: Uint8Array, decode: Decode, place: string): Promise<Image> {
  try {
    return await decode(bytes);
  } catch (cause) {
    const format = bytes[0] === 0xff ? 'JPEG' : bytes[0] === 0x52 ? 'WebP' : bytes[0] === 0x89 ? 'PNG' : 'unknown';
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new QuestionFileError(place, `a picture (${format}) cannot be decoded: ${reason}`, cause);
  }
}
