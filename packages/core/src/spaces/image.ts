/**
 * Pictures of one size, as observed by vision-language models.
 *
 * Draws the same bytes as Gymnasium's `Box(0, 255, (height, width, channels), uint8)` with the same seed.
 */
import type { Image } from '../image.js';
import { isImage } from '../images/is-image.js';
import { checkNames, names } from '../options.js';
import { isRecord } from '../type-tests.js';
import { BaseSpace, reprTuple } from './base-space.js';
import { InvalidSpaceError } from './errors.js';
import { MAX_ELEMENTS, refuseTooLarge } from './limits.js';
import { refuseMasks } from './masks.js';
import { fromBase64, toBase64 } from './serialization/json-data.js';
import type { JsonSchema, SampleOptions, SpaceJson } from './space.js';

export type Channels = 1 | 3 | 4;

export interface ImageOptions<C extends Channels = 3> {
  /** Height and width in pixels. */
  readonly height: number;
  readonly width: number;
  /** 1 gray, 3 RGB, 4 RGBA. */
  readonly channels?: C | undefined;
}

const KINDS: Record<Channels, string> = { 1: 'a gray', 3: 'an RGB', 4: 'an RGBA' };

/** A description in JSON has more. */
const IMAGE_SPACE_OPTIONS = [...names<ImageOptions>({ height: 0, width: 0, channels: 0 }), 'type'];

const IMAGE_SPACE_SAMPLE_OPTIONS = names<SampleOptions>({ mask: 0, probability: 0 });

export class ImageSpace<C extends Channels = 3> extends BaseSpace<Image<C>> {
  readonly type = 'image';
  readonly height: number;
  readonly width: number;
  readonly channels: C;

  /** @throws {InvalidSpaceError} A side is not a positive integer, or the channels are not 1, 3 or 4. */
  constructor(options: ImageOptions<C>) {
    checkNames('options', options, IMAGE_SPACE_OPTIONS);
    const { height, width, channels = 3 as C } = options;
    super();
    if (!isSide(height) || !isSide(width))
      throw new InvalidSpaceError('image', { height, width }, 'height and width from 1 to 65535 pixels');
    if (!Object.hasOwn(KINDS, channels)) throw new InvalidSpaceError('image', channels, '1, 3 or 4 channels');
    refuseTooLarge('image', { height, width }, height * width, MAX_ELEMENTS, 'pixels');
    this.height = height;
    this.width = width;
    this.channels = channels;
  }

  /** Bytes in one picture. */
  get size(): number {
    return this.height * this.width * this.channels;
  }

  /** Noise: every byte uniform over 0 to 255. Takes no mask. */
  override sample(options: SampleOptions = {}): Image<C> {
    checkNames('options', options, IMAGE_SPACE_SAMPLE_OPTIONS);

    refuseMasks(this.type, options);
    const data = new Uint8Array(this.size);
    for (let index = 0; index < data.length; index += 1) data[index] = 256 * this.generator.random();
    return this.#picture(data);
  }

  toJSON(): SpaceJson {
    return { type: this.type, height: this.height, width: this.width, channels: this.channels };
  }

  toJsonSchema(): JsonSchema {
    const { height, width, channels } = this;
    return {
      ...IMAGE_SCHEMA,
      properties: {
        ...(IMAGE_SCHEMA.properties as object),
        height: { const: height },
        width: { const: width },
        channels: { const: channels },
      },
      'x-vlgym': this.toJSON(),
    };
  }

  /** Gymnasium has no image space; this is the box that draws the same bytes. */
  override toString(): string {
    return `Box(0, 255, ${reprTuple([this.height, this.width, this.channels])}, uint8)`;
  }

  describe(): string {
    return `${KINDS[this.channels]} picture of ${this.height} rows and ${this.width} columns`;
  }

  clone(): ImageSpace<C> {
    return new ImageSpace(this);
  }

  protected includes(value: unknown): boolean {
    return (
      isImage(value) && value.height === this.height && value.width === this.width && value.channels === this.channels
    );
  }

  protected write(image: Image<C>): unknown {
    return encodeImage(image);
  }

  protected read(json: unknown): unknown {
    return decodeImage(json);
  }

  #picture(data: Uint8Array): Image<C> {
    return { data, height: this.height, width: this.width, channels: this.channels };
  }
}

/** The schema of any picture as JSON data. */
export const IMAGE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    height: { type: 'integer', minimum: 1 },
    width: { type: 'integer', minimum: 1 },
    channels: { enum: [1, 3, 4] },
    data: { type: 'string', contentEncoding: 'base64', description: 'bytes, rows from the top' },
  },
  required: ['height', 'width', 'channels', 'data'],
  additionalProperties: false,
};

/** A picture as JSON data, its bytes in base64. */
export function encodeImage({ data, height, width, channels }: Image): unknown {
  return { height, width, channels, data: toBase64(data) };
}

/** The inverse of `encodeImage`; may return a value that is not a picture. */
export function decodeImage(json: unknown): unknown {
  return isRecord(json) && typeof json.data === 'string' && { ...json, data: fromBase64(json.data) };
}

function isSide(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 0xffff;
}
