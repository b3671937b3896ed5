/** The key-value pairs of a GGUF header, typed and bounded. Format: GGUF of ggml-org/ggml, "gguf_metadata_value_type". */
import { GgufInvalidError } from './errors.js';
import type { FileReader } from './file-reader.js';

/** Entries of one array. The vocabularies of published models have up to 262,144. */
const MAX_ELEMENTS = 2 ** 20;
/** Published files have about fifty. */
const MAX_ENTRIES = 2 ** 16;
/** A key of one byte with its length, a type, and a value of one byte. */
const LEAST_ENTRY_BYTES = 8 + 1 + 4 + 1;

const STRING = 8;
const ARRAY = 9;

type NumberArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;
type Scalar = number | bigint | boolean | string;
export type MetadataValue = Scalar | readonly string[] | NumberArray;
export type Metadata = ReadonlyMap<string, MetadataValue>;

interface ScalarType {
  readonly bytes: number;
  readonly read: (reader: FileReader, key: string) => Scalar;
  readonly list: (buffer: ArrayBuffer) => NumberArray;
}

const SCALARS: Readonly<Record<number, ScalarType>> = {
  0: { bytes: 1, read: (reader) => reader.u8(), list: (buffer) => new Uint8Array(buffer) },
  1: { bytes: 1, read: (reader) => reader.i8(), list: (buffer) => new Int8Array(buffer) },
  2: { bytes: 2, read: (reader) => reader.u16(), list: (buffer) => new Uint16Array(buffer) },
  3: { bytes: 2, read: (reader) => reader.i16(), list: (buffer) => new Int16Array(buffer) },
  4: { bytes: 4, read: (reader) => reader.u32(), list: (buffer) => new Uint32Array(buffer) },
  5: { bytes: 4, read: (reader) => reader.i32(), list: (buffer) => new Int32Array(buffer) },
  6: { bytes: 4, read: (reader) => reader.f32(), list: (buffer) => new Float32Array(buffer) },
  7: { bytes: 1, read: readFlag, list: (buffer) => new Uint8Array(buffer) },
  10: { bytes: 8, read: (reader) => plain(reader.u64()), list: (buffer) => new BigUint64Array(buffer) },
  11: { bytes: 8, read: (reader) => plain(reader.i64()), list: (buffer) => new BigInt64Array(buffer) },
  12: { bytes: 8, read: (reader) => reader.f64(), list: (buffer) => new Float64Array(buffer) },
};

export const metadataCount = (reader: FileReader): number =>
  reader.count('metadata entries', LEAST_ENTRY_BYTES, MAX_ENTRIES);

/** @throws {GgufInvalidError} A key twice, an unknown type, a value that is longer than the file. */
export function readMetadata(reader: FileReader, count: number): Map<string, MetadataValue> {
  const metadata = new Map<string, MetadataValue>();
  for (let index = 0; index < count; index += 1) {
    const key = reader.text('a key');
    if (key === '' || metadata.has(key)) {
      const problem =
        key === '' ? 'a metadata key is empty' : `the metadata key ${JSON.stringify(shorten(key))} is twice`;
      throw new GgufInvalidError(reader.path, problem, { value: key, expected: 'keys with a name, each once' });
    }
    metadata.set(key, readValue(reader, key, reader.u32()));
  }
  return metadata;
}

function readValue(reader: FileReader, key: string, type: number): MetadataValue {
  if (type === STRING) return reader.text(shorten(key));
  if (type === ARRAY) return readArray(reader, key);
  return scalarType(reader, key, type).read(reader, key);
}

function readArray(reader: FileReader, key: string): MetadataValue {
  const type = reader.u32();
  const what = `elements of ${shorten(key)}`;
  if (type === STRING) {
    const count = reader.count(what, 8, MAX_ELEMENTS);
    return Array.from({ length: count }, () => reader.text(shorten(key)));
  }
  const { bytes, list } = scalarType(reader, key, type);
  const count = reader.count(what, bytes, MAX_ELEMENTS);
  return list(reader.bytes(count * bytes).buffer);
}

function scalarType(reader: FileReader, key: string, type: number): ScalarType {
  const known = Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined;
  if (known) return known;
  throw new GgufInvalidError(reader.path, `the metadata value ${shorten(key)} has the unknown type ${type}`, {
    value: type,
    expected: 'a number, a flag, text, or a list of these',
  });
}

function readFlag(reader: FileReader, key: string): boolean {
  const value = reader.u8();
  if (value > 1) {
    throw new GgufInvalidError(reader.path, `the flag ${shorten(key)} is ${value}`, { value, expected: '0 or 1' });
  }
  return value === 1;
}

/** Integers that a double holds exactly as numbers. */
function plain(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
