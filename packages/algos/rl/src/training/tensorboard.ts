/**
 * TensorBoard event files, written by hand: TFRecord framing around `tensorflow.Event` messages with scalar summaries.
 *
 * Record: uint64 length, masked CRC-32C of it, data, masked CRC-32C of the data, all little-endian
 * (`tensorflow/tensorflow`, `core/lib/io/record_writer.h`). Event: wall_time = 1 (double), step = 2 (int64),
 * file_version = 3 (string), summary = 5; Summary.value = 1; Value.tag = 1 (string), simple_value = 2 (float), image = 4;
 * Image.height = 1, width = 2, colorspace = 3, encoded_image_string = 4 (`core/framework/summary.proto`).
 */

/** The first record of a file. */
export function fileVersionRecord(wallTime = 0): Uint8Array {
  return frame(Buffer.concat([double(1, wallTime), bytes(3, Buffer.from('brain.Event:2'))]));
}

/** One record with all scalars of a step. @param wallTime Seconds since 1970; shown by TensorBoard only. */
export function scalarsRecord(step: number, scalars: Readonly<Record<string, number>>, wallTime: number): Uint8Array {
  const values = Object.entries(scalars).map(([tag, value]) =>
    bytes(1, Buffer.concat([bytes(1, Buffer.from(tag)), float(2, value)])),
  );
  const summary = bytes(5, Buffer.concat(values));
  return frame(Buffer.concat([double(1, wallTime), key(2, 0), varint(step), summary]));
}

/** A picture that TensorBoard shows under its tag. */
export interface ImageSummary {
  readonly tag: string;
  /** Pixels. */
  readonly height: number;
  readonly width: number;
  /** 1 gray, 3 RGB, 4 RGBA. */
  readonly channels: number;
  readonly png: Uint8Array;
}

/** One record with all pictures of a step. */
export function imagesRecord(step: number, images: readonly ImageSummary[], wallTime: number): Uint8Array {
  const values = images.map(({ tag, height, width, channels, png }) => {
    const sizes = [height, width, channels].flatMap((size, index) => [key(index + 1, 0), varint(size)]);
    const image = Buffer.concat([...sizes, bytes(4, Buffer.from(png))]);
    return bytes(1, Buffer.concat([bytes(1, Buffer.from(tag)), bytes(4, image)]));
  });
  return frame(Buffer.concat([double(1, wallTime), key(2, 0), varint(step), bytes(5, Buffer.concat(values))]));
}

/** Bytes of one record around `data`. */
function frame(data: Uint8Array): Uint8Array {
  const header = Buffer.alloc(12);
  header.writeBigUInt64LE(BigInt(data.length));
  header.writeUInt32LE(maskedCrc(header.subarray(0, 8)), 8);
  const footer = Buffer.alloc(4);
  footer.writeUInt32LE(maskedCrc(data));
  return Buffer.concat([header, data, footer]);
}

/** CRC-32C rotated and offset, as TFRecord stores it. */
export function maskedCrc(data: Uint8Array): number {
  const crc = crc32c(data);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32C (Castagnoli), reflected polynomial 0x82f63b78. */
export function crc32c(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...out, rest]);
}

const key = (field: number, type: number) => varint(field * 8 + type);

function bytes(field: number, data: Buffer): Buffer {
  return Buffer.concat([key(field, 2), varint(data.length), data]);
}

function double(field: number, value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleLE(value);
  return Buffer.concat([key(field, 1), data]);
}

function float(field: number, value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeFloatLE(value);
  return Buffer.concat([key(field, 5), data]);
}
