/**
 * The frames between Node and Python, in both directions: two little-endian lengths of 32 bits, a JSON header, raw bytes.
 *
 * In the header, an array is `{"$nd": [dtype, shape, offset, bytes]}` with NumPy's dtype string and its place in the body,
 * a number without a JSON form is `{"$float": "nan"}`, and an integer beyond 2^53 is `{"$int": "…"}`.
 */
import { GymError } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';

export const PROTOCOL = 'vlgym.env/1';
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
const MAX_BODY_BYTES = 1024 * 1024 * 1024;
/** NumPy's own limit. */
const MAX_AXES = 64;
/** Python's own limit for an integer in words; longer ones take a time that grows with the square of their length. */
const MAX_DIGITS = 4300;
const ALIGNMENT = 8;
/** Bytes of the two lengths. */
const LENGTHS = 8;

type Bytes = ArrayBufferView & { readonly length: number };

/** An array with NumPy's dtype and a shape. */
export class NdArray {
  constructor(
    readonly dtype: string,
    readonly shape: readonly number[],
    readonly data: Bytes,
  ) {}
}

type ArrayClass = {
  new (buffer: ArrayBuffer, offset: number, length: number): Bytes;
  readonly BYTES_PER_ELEMENT: number;
};

const CLASSES: Readonly<Record<string, ArrayClass>> = {
  '|b1': Uint8Array,
  '|u1': Uint8Array,
  '|i1': Int8Array,
  '<u2': Uint16Array,
  '<i2': Int16Array,
  '<u4': Uint32Array,
  '<i4': Int32Array,
  '<f4': Float32Array,
  '<f8': Float64Array,
  '<i8': BigInt64Array,
  '<u8': BigUint64Array,
};

const DTYPES = new Map<string, string>(
  Object.entries(CLASSES)
    .filter(([dtype]) => dtype !== '|b1')
    .map(([dtype, { name }]) => [name, dtype]),
);

export class FrameError extends GymError {
  constructor(message: string, value?: unknown) {
    super(message, { code: 'FRAME_INVALID', value, hint: 'both ends must be of the same release' });
  }
}

/** The pieces of one frame, to be written in order. */
export function encodeFrame(value: unknown): Uint8Array[] {
  const body: Uint8Array[] = [];
  let used = 0;
  const place = ({ dtype, shape, data }: NdArray) => {
    const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
    const entry = { $nd: [dtype, shape, used, bytes.length] };
    const padding = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
    body.push(bytes);
    if (padding > 0) body.push(new Uint8Array(padding));
    used += bytes.length + padding;
    return entry;
  };
  const plain = (part: unknown): unknown => {
    if (typeof part === 'number') {
      if (Number.isFinite(part)) return Object.is(part, -0) ? { $float: '-0.0' } : part;
      return { $float: Number.isNaN(part) ? 'nan' : part > 0 ? 'inf' : '-inf' };
    }
    if (typeof part === 'bigint') return { $int: part.toString() };
    if (typeof part !== 'object' || part === null) return part;
    if (part instanceof NdArray) return place(part);
    if (isImage(part)) return place(new NdArray('|u1', [part.height, part.width, part.channels], part.data));
    const array = arrayOf(part);
    if (array) return place(array);
    if (Array.isArray(part)) return part.map(plain);
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, plain(inner)]));
  };
  const header = Buffer.from(JSON.stringify(plain(value)), 'utf8');
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32LE(header.length, 0);
  lengths.writeUInt32LE(used, 4);
  return [lengths, header, ...body];
}

function arrayOf(value: object): NdArray | undefined {
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return undefined;
  const dtype = DTYPES.get(Object.prototype.toString.call(value).slice(8, -1));
  const array = value as unknown as Bytes;
  return dtype === undefined ? undefined : new NdArray(dtype, [array.length], array);
}

/** @param body  Owned by the result: arrays are views into it. @throws {FrameError} */
function decodeFrame(header: string, body: ArrayBuffer): unknown {
  const revive = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { $nd: nd, $float: float, $int: int } = value as { $nd?: unknown; $float?: unknown; $int?: unknown };
    if (nd !== undefined) return readArray(nd, body);
    if (float !== undefined) return float === 'nan' ? Number.NaN : Number(String(float).replace('inf', 'Infinity'));
    return int === undefined ? value : readInteger(String(int));
  };
  try {
    return JSON.parse(header, revive);
  } catch (error) {
    if (error instanceof FrameError) throw error;
    throw new FrameError('A frame has a header that is not JSON.', header.slice(0, 200));
  }
}

function readInteger(digits: string): bigint {
  if (digits.length > MAX_DIGITS) throw new FrameError('A frame has an integer of too many digits.', digits.length);
  return BigInt(digits);
}

function readArray(nd: unknown, body: ArrayBuffer): NdArray {
  const [dtype, shape, offset, bytes] = Array.isArray(nd) ? nd : [];
  const arrayClass = Object.hasOwn(CLASSES, String(dtype)) ? CLASSES[String(dtype)] : undefined;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  const isShape = Array.isArray(shape) && shape.length <= MAX_AXES && shape.every(isCount);
  if (!arrayClass || !isShape || !isCount(offset) || !isCount(bytes))
    throw new FrameError('A frame has an array of an unknown kind.', nd);
  const sizes: readonly number[] = shape;
  const size = sizes.reduce((product, each) => product * each, 1);
  if (size * arrayClass.BYTES_PER_ELEMENT !== bytes || offset + bytes > body.byteLength) {
    throw new FrameError('A frame has an array outside of its body.', nd);
  }
  return new NdArray(String(dtype), sizes, new arrayClass(body, offset, size));
}

/** Collects the bytes of a stream into frames. */
export class FrameReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Bytes of the frame that is being collected: until they are there, pieces are only kept. */
  #needed = LENGTHS;

  /** @param maxBytes  Maximum size of one frame; lower it for untrusted peers. */
  constructor(maxBytes = MAX_BODY_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @returns The frames that are complete now. @throws {FrameError} */
  push(piece: Uint8Array): unknown[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const frames: unknown[] = [];
    while (this.#length >= this.#needed) {
      const lengths = this.#take(LENGTHS, false);
      const [header, body] = [lengths.readUInt32LE(0), lengths.readUInt32LE(4)];
      if (header > MAX_HEADER_BYTES || header + body > this.#maxBytes)
        throw new FrameError('A frame is too large.', { header, body });
      this.#needed = LENGTHS + header + body;
      if (this.#length < this.#needed) break;
      this.#needed = LENGTHS;
      this.#take(LENGTHS, true);
      const text = this.#take(header, true).toString('utf8');
      const bytes = this.#take(body, true);
      // an own, aligned buffer: results keep it
      const own = new ArrayBuffer(bytes.length);
      new Uint8Array(own).set(bytes);
      frames.push(decodeFrame(text, own));
    }
    return frames;
  }

  #take(count: number, remove: boolean): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    const [all = new Uint8Array(0)] = this.#pieces;
    const taken = Buffer.from(all.buffer, all.byteOffset, count);
    if (remove) {
      this.#pieces = [all.subarray(count)];
      this.#length -= count;
    }
    return taken;
  }
}
