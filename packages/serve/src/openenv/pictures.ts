/** Pictures on the wire: PNG in base64 by default, raw bytes, or an address under which the server holds the PNG. */
import type { Image } from '@vlgym/core';
import { encodePng, hashImage } from '@vlgym/core/images';
import type { JsonObject } from './endpoint.js';

export const PICTURE_FORMS = ['png', 'raw', 'url'] as const;
export type PictureForm = (typeof PICTURE_FORMS)[number];

/** PNG files that a server holds for `?images=url`; older ones are forgotten. */
const MAX_HELD = 512;

export class Pictures {
  readonly #held = new Map<string, Uint8Array>();

  get(hash: string): Uint8Array | undefined {
    return this.#held.get(hash);
  }

  /** `sha256` is the content hash of the pixels, as in trajectories (`hashImage`). */
  write(image: Image, form: PictureForm): JsonObject {
    const { width, height, channels, data } = image;
    const sha256 = hashImage(image).replace('sha256:', '');
    if (form === 'raw') {
      return { media_type: 'application/octet-stream', data: base64(data), width, height, channels, sha256 };
    }
    const png = this.#held.get(sha256) ?? encodePng(image);
    if (form === 'png') return { media_type: 'image/png', data: base64(png), width, height, sha256 };
    this.#held.delete(sha256);
    this.#held.set(sha256, png);
    if (this.#held.size > MAX_HELD) this.#held.delete(this.#held.keys().next().value!);
    return { media_type: 'image/png', url: `images/${sha256}.png`, width, height, sha256 };
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export const PICTURE_SCHEMA: JsonObject = {
  type: 'object',
  title: 'Picture',
  properties: {
    media_type: { type: 'string', description: 'image/png, or application/octet-stream for rows of raw bytes' },
    data: { type: 'string', contentEncoding: 'base64' },
    url: { type: 'string', description: 'relative to the address of the environment' },
    width: { type: 'integer', minimum: 1 },
    height: { type: 'integer', minimum: 1 },
    channels: { type: 'integer' },
    sha256: { type: 'string', description: 'content hash of the pixels, as in vlgym trajectories' },
  },
  required: ['media_type', 'width', 'height', 'sha256'],
};
