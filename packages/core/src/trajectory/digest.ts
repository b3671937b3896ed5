/**
 * A digest of any observation, equal if and only if the observations are equal; replays compare it.
 *
 * A picture has the hash of its pixels (`hashImage`). Anything else: sha256 of the line `observation/1` and canonical
 * JSON (RFC 8785), in which a picture is `{"$image": hash}` and a typed array `{"$array": [type, length,
 * sha256 of its little-endian bytes]}`. `digest.test.ts` pins both.
 */
import { builtin } from '../files/builtin.js';
import { hashImage } from '../images/hash-image.js';
import { isImage } from '../images/is-image.js';
import type { ContentHash, JsonValue } from './schema.js';
import { type TypedArray, toJson } from './to-json.js';

/** @returns `sha256:` and 64 hexadecimal digits; also usable as the key of a state that several episodes visit. */
export function digestObservation(observation: unknown): ContentHash {
  if (isImage(observation)) return hashImage(observation);
  const json = toJson(observation, { image: (image) => ({ $image: hashImage(image) }), array: digestArray });
  return `sha256:${sha256(`observation/1\n${canonicalJson(json)}`)}`;
}

/** JSON text with sorted keys and no spaces: equal data gives equal text (RFC 8785). */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`).join(',')}}`;
}

function digestArray(array: TypedArray): JsonValue {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return { $array: [Object.prototype.toString.call(array).slice(8, -1), array.length, sha256(bytes)] };
}

function sha256(data: string | Uint8Array): string {
  return builtin('node:crypto').createHash('sha256').update(data).digest('hex');
}
