/** Observations of a server that declares no space: JSON data in which pictures are pictures. */
import type { Image, JsonSchema, SpaceJson } from '@vlgym/core';
import { decodePng, isImage } from '@vlgym/core/images';
import { isRecord, PictureBudget } from '@vlgym/core/internal';
import { BaseSpace } from '@vlgym/core/spaces';

/** Field names under which servers send pictures in base64 (`docs` of BrowserGym's and Atari's OpenEnv models). */
const PICTURE_NAMES = /(?:image|screenshot|visual_observations)$/i;
const PNG_START = 'iVBORw0KGgo';
const MAX_DEPTH = 64;

export class RemoteSpace extends BaseSpace<unknown> {
  readonly type = 'remote';

  constructor(readonly schema: JsonSchema) {
    super();
  }

  override sample(): never {
    throw new Error('Observations of a server cannot be sampled.');
  }

  toJSON(): SpaceJson {
    return { type: this.type, schema: this.schema };
  }

  toJsonSchema(): JsonSchema {
    return this.schema;
  }

  describe(): string {
    return 'JSON data with pictures, as the server sends it';
  }

  override toString(): string {
    return 'Remote()';
  }

  clone(): RemoteSpace {
    return new RemoteSpace(this.schema);
  }

  protected includes(value: unknown): boolean {
    return isData(value, 0);
  }

  protected write(value: unknown): unknown {
    return mapImages(value, ({ data, height, width, channels }) => ({
      $image: { height, width, channels, data: Buffer.from(data).toString('base64') },
    }));
  }

  protected read(json: unknown): unknown {
    return withPictures(json);
  }
}

function isData(value: unknown, depth: number): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value) || isImage(value)) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((each) => isData(each, depth + 1));
  return isRecord(value) && Object.values(value).every((each) => isData(each, depth + 1));
}

function mapImages(value: unknown, map: (image: Image) => unknown): unknown {
  if (isImage(value)) return map(value);
  if (Array.isArray(value)) return value.map((each) => mapImages(each, map));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapImages(each, map)]));
}

/** `data:` addresses, PNG files in base64 under a picture's name, nested lists of bytes, and vlgym's own pictures. */
export function withPictures(value: unknown, name = '', depth = 0, budget = new PictureBudget()): unknown {
  if (typeof value === 'string') return pictureOfText(value, name, budget) ?? value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return pictureOfLists(value) ?? value.map((each) => withPictures(each, name, depth + 1, budget));
  }
  const record = value as Record<string, unknown>;
  const own =
    record.media_type === 'image/png' && typeof record.data === 'string' ? png(record.data, budget) : undefined;
  if (own) return own;
  if (isRecord(record.$image) && typeof record.$image.data === 'string') {
    return { ...record.$image, data: new Uint8Array(Buffer.from(record.$image.data, 'base64')) };
  }
  return Object.fromEntries(
    Object.entries(record).map(([key, each]) => [key, withPictures(each, key, depth + 1, budget)]),
  );
}

function pictureOfText(text: string, name: string, budget: PictureBudget): Image | undefined {
  const [, data] = /^data:image\/png;base64,(.+)$/s.exec(text) ?? [];
  if (data !== undefined) return png(data, budget);
  return PICTURE_NAMES.test(name) && text.startsWith(PNG_START) ? png(text, budget) : undefined;
}

function png(base64: string, budget: PictureBudget): Image | undefined {
  const file = Buffer.from(base64, 'base64');
  budget.spend(file);
  try {
    return decodePng(file);
  } catch {
    return undefined;
  }
}

/** Rows of pixels of 3 or 4 bytes. */
function pictureOfLists(rows: readonly unknown[]): Image | undefined {
  const [first] = rows;
  const pixel = Array.isArray(first) ? first[0] : undefined;
  if (!Array.isArray(first) || !Array.isArray(pixel) || (pixel.length !== 3 && pixel.length !== 4)) return undefined;
  const [height, width, channels] = [rows.length, first.length, pixel.length as 3 | 4];
  const values = rows.flat(2);
  if (values.length !== height * width * channels) return undefined;
  if (!values.every((each) => Number.isInteger(each) && (each as number) >= 0 && (each as number) <= 255))
    return undefined;
  return { data: Uint8Array.from(values as number[]), height, width, channels };
}
