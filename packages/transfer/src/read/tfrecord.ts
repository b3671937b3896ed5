/**
 * TFRecord files of `tf.train.Example`, as ERQA is published: framed records with checksums, each a map of lists.
 *
 * Layout: `tensorflow/core/lib/io/record_writer.h`, `tensorflow/core/example/feature.proto`. Features of one value become that
 * value; `image/encoded` becomes `images`, and a record without a name is named by its place.
 */
import { openRegularFile, type RegularFile } from '@vlgym/core/internal';
import type { Row } from '../benchmark.js';
import { QuestionFileError } from '../errors.js';

/** Bytes of one record. */
const MAX_BYTES = 512 * 2 ** 20;
/** Length, its checksum; the record's checksum follows it. */
const HEAD_BYTES = 12;
const CUT = 'the file ends in the middle of it';
const PICTURES = 'image/encoded';
/** Lists, however many values they have. */
const LISTS = new Set([PICTURES, 'visual_indices']);

/** @throws {QuestionFileError} */
export async function* readTfRecords(file: string): AsyncGenerator<Row> {
  const handle = await openRegularFile(file);
  try {
    for (let index = 0; ; index += 1) {
      const place = `${file}, row ${index}`;
      const record = await recordOf(handle, place);
      if (!record) return;
      yield rowOf(record, index, place);
    }
  } finally {
    await handle.close();
  }
}

async function recordOf(file: RegularFile, place: string): Promise<Buffer | undefined> {
  const head = await read(file, HEAD_BYTES, place);
  if (head.length === 0) return undefined;
  const length = head.readBigUInt64LE(0);
  if (head.readUInt32LE(8) !== maskedChecksum(head.subarray(0, 8))) {
    throw new QuestionFileError(
      place,
      'the checksum of its length is wrong: the file is damaged, or not a TFRecord file',
    );
  }
  if (length > MAX_BYTES) throw new QuestionFileError(place, `it has ${length} bytes, more than ${MAX_BYTES}`);
  const body = await read(file, Number(length) + 4, place);
  const record = body.subarray(0, -4);
  if (body.length === 0) throw new QuestionFileError(place, CUT);
  if (body.readUInt32LE(record.length) !== maskedChecksum(record)) {
    throw new QuestionFileError(place, 'its checksum is wrong: the file is damaged');
  }
  return record;
}

/** Empty at the end of the file. */
async function read(file: RegularFile, length: number, place: string): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  if (filled > 0 && filled < length) throw new QuestionFileError(place, CUT);
  return bytes.subarray(0, filled);
}

function rowOf(record: Buffer, index: number, place: string): Row {
  const columns: [name: string, value: unknown][] = [['question_id', String(index)]];
  try {
    for (const features of messages(record, 1)) {
      for (const entry of messages(features, 1)) {
        const name = Buffer.concat([...messages(entry, 1)]).toString();
        const values = [...messages(entry, 2)].flatMap((feature) => valuesOf(feature, name === PICTURES));
        const value = values.length === 1 && !LISTS.has(name) ? values[0] : values;
        columns.push([name === PICTURES ? 'images' : name, value]);
      }
    }
  } catch (cause) {
    throw new QuestionFileError(place, 'it is not a tf.train.Example', cause);
  }
  return Object.fromEntries(columns);
}

/** A `Feature`: a list of bytes (texts, unless they are pictures), of 32-bit floats, or of whole numbers. */
function valuesOf(feature: Buffer, arePictures: boolean): unknown[] {
  const values: unknown[] = [];
  for (const list of messages(feature, 1)) {
    for (const bytes of messages(list, 1)) values.push(arePictures ? new Uint8Array(bytes) : bytes.toString());
  }
  for (const list of messages(feature, 2)) {
    for (const packed of messages(list, 1)) {
      for (let at = 0; at < packed.length; at += 4) values.push(packed.readFloatLE(at));
    }
  }
  for (const list of messages(feature, 3)) {
    for (const packed of messages(list, 1)) {
      for (let at = 0; at < packed.length; ) {
        const [value, next] = varint(packed, at);
        values.push(Number(BigInt.asIntN(64, value)));
        at = next;
      }
    }
  }
  return values;
}

/** Wire types of Protocol Buffers: number, 64 bits, bytes with their length, 32 bits. */
const [NUMBER, LONG, BYTES, WORD] = [0, 1, 2, 5];

/** The fields of a message with a number and bytes; a field of a bare number is given as its bytes. */
function* messages(bytes: Buffer, field: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const [key, start] = varint(bytes, at);
    const wire = Number(key & 7n);
    let [from, end] = [start, start];
    if (wire === NUMBER) [, end] = varint(bytes, start);
    else if (wire === LONG) end = start + 8;
    else if (wire === WORD) end = start + 4;
    else if (wire === BYTES) {
      const [length, body] = varint(bytes, start);
      [from, end] = [body, body + Number(length)];
    } else throw new RangeError(`wire type ${wire}`);
    if (end > bytes.length) throw new RangeError('a field is longer than its message');
    if (Number(key >> 3n) === field) yield bytes.subarray(from, end);
    at = end;
  }
}

function varint(bytes: Buffer, start: number): [value: bigint, next: number] {
  let value = 0n;
  for (let at = start; at < start + 10; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return [value, at + 1];
  }
  throw new RangeError('a number does not end');
}

/** CRC-32C (Castagnoli), reflected. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit += 1) word = word & 1 ? (word >>> 1) ^ 0x82f63b78 : word >>> 1;
  return word;
});

/** Rotated and moved, so that checksums of bytes that hold checksums are as strong. */
function maskedChecksum(bytes: Uint8Array): number {
  let word = 0xffffffff;
  for (const byte of bytes) word = TABLE[(word ^ byte) & 0xff]! ^ (word >>> 8);
  const checksum = ~word >>> 0;
  return (((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0;
}
