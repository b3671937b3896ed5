/**
 * The header of a safetensors file: 8 bytes little-endian length N, N bytes of JSON, then the data.
 *
 * The header is checked whole before any data is read: a truncated or hostile file is an error that names it.
 * Format: the README of huggingface/safetensors, section "Format".
 */
import { fstatSync, readSync } from 'node:fs';
import { GymError } from '@vlgym/core';
import { isRecord } from '@vlgym/core/internal';
import type { DType } from '../tensor/dtype.js';

/** The reference implementation refuses longer headers too (`MAX_HEADER_SIZE` of huggingface/safetensors). */
const MAX_HEADER_BYTES = 100_000_000;

/** The addon's limit for shapes. */
const MAX_DIMENSIONS = 64;

/** Name of the metadata among those of the tensors. */
const METADATA = '__metadata__';

/** Half of a surrogate pair, which UTF-8 cannot hold. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Bits of an entry, by the dtypes of safetensors 0.8. A file may hold any of them; `DTYPES` are those that can be read. */
const BITS: Readonly<Record<string, number>> = {
  ...{ F64: 64, F32: 32, F16: 16, BF16: 16, C64: 64, BOOL: 8 },
  ...{ I64: 64, I32: 32, I16: 16, I8: 8, U64: 64, U32: 32, U16: 16, U8: 8 },
  ...{ F8_E4M3: 8, F8_E5M2: 8, F8_E8M0: 8, F8_E4M3FNUZ: 8, F8_E5M2FNUZ: 8 },
  ...{ F6_E2M3: 6, F6_E3M2: 6, F4: 4 },
};

const DTYPES: Readonly<Record<string, DType>> = {
  ...{ F64: 'float64', F32: 'float32', F16: 'float16', BF16: 'bfloat16' },
  ...{ I64: 'int64', I32: 'int32', U8: 'uint8', BOOL: 'bool' },
};

const NAMES = new Map(Object.entries(DTYPES).map(([name, dtype]) => [dtype, name]));

/** The file is not a valid safetensors file, or ends too early. */
export class SafetensorsInvalidError extends GymError {
  constructor(
    readonly path: string,
    readonly reason: string,
    hint = 'fetch or write the file again; an interrupted copy is the usual cause',
  ) {
    super(`Invalid safetensors file "${path}": ${reason}.`, { code: 'SAFETENSORS_INVALID', value: path, hint });
  }
}

/** Names or metadata that would make a file that no reader opens. Nothing was written. */
export class SafetensorsHeaderError extends GymError {
  constructor(value: unknown, problem: string, expected: string) {
    super(`Cannot write a safetensors file: ${problem}.`, {
      code: 'SAFETENSORS_HEADER',
      value,
      expected,
      hint: 'rename the tensor, or write numbers of metadata as text',
    });
  }
}

/** The file is missing, or the system refuses to read it. */
export class SafetensorsReadError extends GymError {
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(`Cannot read "${path}": ${(cause as Error).message.split('\n')[0]}`, {
      code: 'SAFETENSORS_READ_FAILED',
      value: path,
      expected: 'a readable safetensors file',
      hint: 'check the path and its permissions',
      cause,
    });
  }
}

/** A tensor has a dtype that libtorch tensors here cannot carry. */
export class SafetensorsDtypeError extends GymError {
  constructor(
    readonly path: string,
    readonly tensor: string,
    readonly dtype: string,
  ) {
    super(`Unsupported dtype ${dtype} of the tensor "${tensor}" in "${path}".`, {
      code: 'SAFETENSORS_DTYPE',
      value: dtype,
      expected: Object.keys(DTYPES).join(', '),
      hint: 'convert the checkpoint to bfloat16 or float32',
    });
  }
}

export interface Entry {
  /** The format's name, for example `BF16`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly bytes: number;
}

export interface Header {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly metadata: Readonly<Record<string, string>>;
}

export function dtypeOfEntry(path: string, name: string, entry: Entry): DType {
  const dtype = DTYPES[entry.dtype];
  if (!dtype) throw new SafetensorsDtypeError(path, name, entry.dtype);
  return dtype;
}

/**
 * The header of an open file; `path` is for messages.
 *
 * @throws {SafetensorsInvalidError} Anything that the format does not allow.
 */
export function readHeader(path: string, descriptor: number): Header {
  const invalid: Invalid = (reason, hint) => new SafetensorsInvalidError(path, reason, hint);
  const status = fstatSync(descriptor);
  if (!status.isFile()) throw invalid('it is not a regular file');
  const { size } = status;
  const prefix = Buffer.alloc(8);
  if (readSync(descriptor, prefix, 0, 8, 0) < 8) throw invalid('it is shorter than 8 bytes');
  const length = Number(prefix.readBigUInt64LE());
  const start = 8 + length;
  if (length > MAX_HEADER_BYTES) throw invalid(`its header claims ${length} bytes`);
  if (start > size) throw invalid(`its header claims ${length} bytes, the file has ${size}`);
  const json = Buffer.alloc(length);
  if (readSync(descriptor, json, 0, length, 8) < length) throw invalid('it ends inside its header');
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw invalid('its header is not JSON');
  }
  if (!isRecord(parsed)) throw invalid('its header is not an object');
  const entries = new Map<string, Entry>();
  for (const [name, value] of Object.entries(parsed)) {
    if (name === METADATA) continue;
    const entry = checkEntry(name, value, start, invalid);
    if (entry.offset + entry.bytes > size) {
      throw invalid(`"${name}" ends at byte ${entry.offset + entry.bytes}, the file at ${size}`);
    }
    entries.set(name, entry);
  }
  checkLayout(entries, start, size, invalid);
  return { entries, metadata: checkMetadata(parsed[METADATA], invalid) };
}

type Invalid = (reason: string, hint?: string) => SafetensorsInvalidError;

function checkEntry(name: string, value: unknown, start: number, invalid: Invalid): Entry {
  if (!isRecord(value)) throw invalid(`the entry "${name}" is not an object`);
  const { dtype, shape, data_offsets: offsets } = value;
  if (Array.isArray(shape) && shape.length > MAX_DIMENSIONS) {
    throw invalid(`"${name}" has ${shape.length} dimensions, more than ${MAX_DIMENSIONS}`);
  }
  const width = typeof dtype === 'string' && Object.hasOwn(BITS, dtype) ? BITS[dtype] : undefined;
  if (typeof dtype !== 'string' || width === undefined) {
    const hint = 'the file is damaged, or written by a newer version of safetensors: convert it to bfloat16 or float32';
    throw invalid(`"${name}" has the unknown dtype ${JSON.stringify(dtype)?.slice(0, 80)}`, hint);
  }
  if (!isSizes(shape)) throw invalid(`the shape of "${name}" is not a list of sizes`);
  if (!isSizes(offsets) || offsets.length !== 2) throw invalid(`the offsets of "${name}" are not two positions`);
  const [begin, end] = offsets as [number, number];
  const bits = shape.reduce((count, size) => count * size, width);
  if (!Number.isSafeInteger(bits)) throw invalid(`the shape of "${name}" is too large`);
  if (bits % 8 !== 0) throw invalid(`"${name}" ends inside a byte`);
  const bytes = bits / 8;
  if (end - begin !== bytes) throw invalid(`"${name}" has ${end - begin} bytes, its shape asks for ${bytes}`);
  return { dtype, shape, offset: start + begin, bytes };
}

/** The data must be covered from start to end, without holes and without overlap. */
function checkLayout(entries: ReadonlyMap<string, Entry>, start: number, size: number, invalid: Invalid): void {
  let position = start;
  const ordered = [...entries].sort(([, a], [, b]) => a.offset - b.offset || a.bytes - b.bytes);
  for (const [name, { offset, bytes }] of ordered) {
    if (offset < position) throw invalid(`"${name}" overlaps another tensor`);
    if (offset > position) throw invalid(`there is a hole before "${name}"`);
    position = offset + bytes;
  }
  if (position !== size) throw invalid(`${size - position} bytes at its end belong to no tensor`);
}

function checkMetadata(value: unknown, invalid: Invalid): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value) || Object.values(value).some((text) => typeof text !== 'string')) {
    throw invalid('its metadata is not text by name');
  }
  return value as Record<string, string>;
}

/**
 * The 8 bytes of length and the JSON, padded with spaces so that the data begins at a multiple of 8.
 *
 * @throws {SafetensorsHeaderError} Names or metadata that no reader would open.
 */
export function buildHeader(
  tensors: readonly { name: string; dtype: DType; shape: readonly number[]; bytes: number }[],
  metadata: Readonly<Record<string, string>>,
): string {
  // without a prototype: a tensor may be called `__proto__`
  const header: Record<string, unknown> = Object.create(null);
  for (const [key, text] of Object.entries(metadata)) {
    if (typeof text === 'string' && ![key, text].some((part) => HALF_CHARACTER.test(part))) continue;
    throw new SafetensorsHeaderError(text, `the metadata ${JSON.stringify(key)} is not text`, 'text by name');
  }
  if (Object.keys(metadata).length > 0) header[METADATA] = metadata;
  let position = 0;
  const names = new Set<string>();
  for (const { name, dtype, shape, bytes } of tensors) {
    if (name === METADATA || names.has(name) || HALF_CHARACTER.test(name)) {
      const expected = `a name of valid Unicode, other than ${METADATA} and those of the other tensors`;
      throw new SafetensorsHeaderError(name, `no tensor can be called ${JSON.stringify(name)}`, expected);
    }
    names.add(name);
    header[name] = { dtype: NAMES.get(dtype), shape, data_offsets: [position, position + bytes] };
    position += bytes;
  }
  const json = JSON.stringify(header);
  const length = Buffer.byteLength(json);
  if (length > MAX_HEADER_BYTES) {
    throw new SafetensorsHeaderError(length, `its header has ${length} bytes`, `at most ${MAX_HEADER_BYTES} bytes`);
  }
  return json + ' '.repeat((8 - (length % 8)) % 8);
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
