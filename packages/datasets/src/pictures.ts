/** Pictures of a row: bytes, data URLs, or files next to the dataset. PNG, because that is what this project writes. */
import { constants, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import type { Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import type { PictureBudget } from '@vlgym/core/internal';
import type { DatasetLimits } from './limits.js';

/** A picture as Parquet and JSON Lines have it: `datasets` writes `{ bytes, path }`. */
export type PictureSource = string | Uint8Array | { readonly bytes?: unknown; readonly path?: unknown };

/** Says what is wrong with a picture; the reader adds the place. */
export class PictureProblem extends Error {}

const DATA_URL = /^data:image\/png;base64,/;

/** @throws {PictureProblem} */
export async function loadPicture(
  source: PictureSource,
  file: string,
  limits: DatasetLimits,
  budget: PictureBudget,
): Promise<Image> {
  const bytes = await bytesOf(source, file, limits);
  if (bytes.length > limits.imageBytes) {
    throw new PictureProblem(`a picture has ${bytes.length} bytes, more than ${limits.imageBytes}`);
  }
  checkPixels(bytes, limits);
  try {
    budget.spend(bytes);
    return decodePng(bytes);
  } catch (cause) {
    const [why = 'it is damaged'] = (cause as Error).message.split('\n');
    throw new PictureProblem(`a picture cannot be decoded: ${why.replace(/\.$/, '')}`, { cause });
  }
}

async function bytesOf(source: PictureSource, file: string, limits: DatasetLimits): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  if (typeof source === 'string') {
    const [start] = DATA_URL.exec(source) ?? [];
    if (start === undefined) return readBeside(source, file, limits);
    if ((source.length - start.length) * 0.75 > limits.imageBytes + 3) {
      throw new PictureProblem(`a picture has more than ${limits.imageBytes} bytes`);
    }
    return Buffer.from(source.slice(start.length), 'base64');
  }
  if (source.bytes instanceof Uint8Array) return source.bytes;
  if (typeof source.path === 'string') return readBeside(source.path, file, limits);
  throw new PictureProblem('a picture has neither bytes nor a path');
}

/** A path counts from the folder of the dataset and may not leave it. */
async function readBeside(path: string, file: string, limits: DatasetLimits): Promise<Uint8Array> {
  if (isAbsolute(path) || path.includes('\0') || /^[a-z][a-z0-9+.-]*:/i.test(path)) {
    throw new PictureProblem(`the picture ${JSON.stringify(path.slice(0, 80))} is not a path next to the dataset`);
  }
  try {
    const folder = await realpath(dirname(file));
    const target = await realpath(resolve(folder, path));
    if (!target.startsWith(folder + sep)) {
      throw new PictureProblem(`the picture ${JSON.stringify(path.slice(0, 80))} is outside of the dataset's folder`);
    }
    // a named pipe would wait for its writer
    const handle = await open(target, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new PictureProblem(`the picture ${JSON.stringify(path.slice(0, 80))} is not a file`);
      const { size } = found;
      if (size > limits.imageBytes) {
        throw new PictureProblem(`a picture has ${size} bytes, more than ${limits.imageBytes}`);
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof PictureProblem) throw cause;
    throw new PictureProblem(`the picture ${JSON.stringify(path.slice(0, 80))} cannot be read`, { cause });
  }
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47];

/** Before anything is inflated. */
function checkPixels(bytes: Uint8Array, { imagePixels }: DatasetLimits): void {
  if (bytes.length < 24 || PNG_START.some((byte, i) => bytes[i] !== byte)) {
    throw new PictureProblem('a picture is not a PNG file; convert other formats first');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width * height > imagePixels) {
    throw new PictureProblem(`a picture has ${width} by ${height} pixels, more than ${imagePixels} in all`);
  }
}
