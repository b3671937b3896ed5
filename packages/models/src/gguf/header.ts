/**
 * The header of a GGUF file: metadata, and where each tensor lies. Checked whole before any weight is read.
 *
 * Format: GGUF of ggml-org/ggml, "File Structure". `hostile-files.test.ts` pins what is refused.
 */
import { GgufInvalidError, GgufUnsupportedError } from './errors.js';
import type { FileReader } from './file-reader.js';
import { type Metadata, metadataCount, readMetadata, shorten } from './metadata.js';
import { type Quantization, quantization, supportedQuantizations } from './quantization.js';

const MAGIC = 'GGUF';
const VERSIONS = [2, 3];
const DEFAULT_ALIGNMENT = 32;
const MAX_ALIGNMENT = 2 ** 16;
const MAX_DIMENSIONS = 4;
/** Published files have up to some thousands. */
const MAX_TENSORS = 2 ** 16;
/** A name of one byte with its length, the number of dimensions, one dimension, a type, an offset. */
const LEAST_TENSOR_BYTES = 8 + 1 + 4 + 8 + 4 + 8;

export interface GgufTensor {
  readonly name: string;
  /** Rows first, as in safetensors; the file has the opposite order. */
  readonly shape: readonly number[];
  readonly entries: number;
  readonly quantization: Quantization;
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly bytes: number;
}

export interface GgufHeader {
  readonly version: number;
  readonly metadata: Metadata;
  readonly tensors: readonly GgufTensor[];
}

/** @throws {GgufInvalidError | GgufUnsupportedError} */
export function readHeader(reader: FileReader): GgufHeader {
  const version = readVersion(reader);
  const tensorCount = reader.count('tensors', LEAST_TENSOR_BYTES, MAX_TENSORS);
  const metadata = readMetadata(reader, metadataCount(reader));
  const alignment = readAlignment(reader.path, metadata);
  const tensors = Array.from({ length: tensorCount }, () => readTensor(reader));
  const start = Math.ceil(reader.position / alignment) * alignment;
  const placed = tensors.map((tensor) => place(reader, tensor, { start, alignment }));
  checkNames(reader.path, placed);
  checkOverlap(reader.path, placed);
  return { version, metadata, tensors: placed };
}

function readVersion(reader: FileReader): number {
  const magic = Buffer.from(reader.bytes(4)).toString('latin1');
  if (magic !== MAGIC) {
    throw new GgufInvalidError(reader.path, 'it does not start with "GGUF"', {
      value: magic,
      expected: MAGIC,
      hint: 'check that this is the model file, and not a page or a pointer to it',
    });
  }
  const version = reader.u32();
  if (VERSIONS.includes(version)) return version;
  const isBigEndian = (version & 0xffff) === 0 && version !== 0;
  throw new GgufUnsupportedError(reader.path, isBigEndian ? 'it is big-endian' : `it has version ${version}`, {
    value: version,
    expected: `little-endian, version ${VERSIONS.join(' or ')}`,
    hint: 'convert it with the tools of llama.cpp, or choose a newer file',
  });
}

function readAlignment(path: string, metadata: Metadata): number {
  const alignment = metadata.get('general.alignment') ?? DEFAULT_ALIGNMENT;
  const isPower = typeof alignment === 'number' && Number.isInteger(Math.log2(alignment)) && alignment >= 1;
  if (isPower && alignment <= MAX_ALIGNMENT) return alignment;
  throw new GgufInvalidError(path, `general.alignment is ${shorten(String(alignment))}`, {
    value: alignment,
    expected: `a power of two up to ${MAX_ALIGNMENT}`,
  });
}

type Unplaced = Omit<GgufTensor, 'offset'> & { readonly relative: bigint };

function readTensor(reader: FileReader): Unplaced {
  const { path } = reader;
  const name = reader.text('the name of a tensor');
  const shown = shorten(name);
  const dimensions = reader.u32();
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    const expected = `1 to ${MAX_DIMENSIONS}`;
    throw new GgufInvalidError(path, `${shown} has ${dimensions} dimensions`, { value: dimensions, expected });
  }
  const sizes = Array.from({ length: dimensions }, () => reader.u64());
  const entries = sizes.reduce((product, size) => product * size, 1n);
  if (entries < 1n || entries > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new GgufInvalidError(path, `${shown} has the sizes ${sizes.join(' x ')}`, {
      value: sizes,
      expected: 'positive sizes, and no more entries than fit into the file',
    });
  }
  const type = reader.u32();
  const known = quantization(type);
  if (typeof known === 'string') {
    throw new GgufUnsupportedError(path, `${shown} has the quantization ${known}`, {
      value: type,
      expected: supportedQuantizations.join(', '),
      hint: 'choose a file of the model in one of these, for example Q8_0 or Q4_K_M',
    });
  }
  const [row = 0n] = sizes;
  if (row % BigInt(known.blockEntries) !== 0n) {
    throw new GgufInvalidError(path, `${shown} is ${known.name} with rows of ${row} entries`, {
      value: row,
      expected: `a multiple of ${known.blockEntries}`,
    });
  }
  const bytes = (entries / BigInt(known.blockEntries)) * BigInt(known.blockBytes);
  return {
    name,
    shape: sizes.map(Number).reverse(),
    entries: Number(entries),
    quantization: known,
    bytes: Number(bytes),
    relative: reader.u64(),
  };
}

interface DataPlace {
  readonly start: number;
  readonly alignment: number;
}

function place({ path, size }: FileReader, tensor: Unplaced, { start, alignment }: DataPlace): GgufTensor {
  const { relative, ...rest } = tensor;
  if (relative % BigInt(alignment) !== 0n) {
    throw new GgufInvalidError(path, `${shorten(tensor.name)} begins at ${relative}`, {
      value: relative,
      expected: `a multiple of ${alignment}`,
    });
  }
  const end = BigInt(start) + relative + BigInt(tensor.bytes);
  if (end > BigInt(size)) {
    throw new GgufInvalidError(path, `${shorten(tensor.name)} ends at byte ${end}, the file has ${size}`, {
      value: size,
      expected: `at least ${end} bytes`,
    });
  }
  return { ...rest, offset: start + Number(relative) };
}

function checkNames(path: string, tensors: readonly GgufTensor[]): void {
  const names = new Set<string>();
  for (const { name } of tensors) {
    if (names.has(name)) {
      throw new GgufInvalidError(path, `the tensor ${JSON.stringify(shorten(name))} is twice`, {
        value: name,
        expected: 'each name once',
      });
    }
    names.add(name);
  }
}

function checkOverlap(path: string, tensors: readonly GgufTensor[]): void {
  let last: GgufTensor | undefined;
  for (const tensor of tensors.toSorted((a, b) => a.offset - b.offset)) {
    if (last && tensor.offset < last.offset + last.bytes) {
      throw new GgufInvalidError(path, `${shorten(last.name)} and ${shorten(tensor.name)} share bytes`, {
        value: tensor.offset,
        expected: `an offset of at least ${last.offset + last.bytes}`,
      });
    }
    last = tensor;
  }
}
