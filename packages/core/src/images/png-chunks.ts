/** The frame of a PNG file: signature and chunks with their CRC (W3C PNG, third edition, section 5). */
import { ImageInvalidError } from './image-error.js';

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface PngChunk {
  /** Four letters, e.g. `IDAT`. */
  readonly type: string;
  readonly data: Uint8Array;
}

/** Length, type, data and CRC as stored in the file. */
export function writePngChunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** All chunks up to and including `IEND`. @throws {ImageInvalidError} for a torn file or a wrong CRC. */
export function readPngChunks(bytes: Uint8Array): PngChunk[] {
  if (!PNG_SIGNATURE.every((byte, i) => bytes[i] === byte)) {
    throw new ImageInvalidError('Not a PNG file: the first 8 bytes differ.', { value: bytes.length });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: PngChunk[] = [];
  let offset = PNG_SIGNATURE.length;
  while (chunks.at(-1)?.type !== 'IEND') {
    const length = offset + 12 <= bytes.length ? view.getUint32(offset) : Number.POSITIVE_INFINITY;
    if (offset + 12 + length > bytes.length) {
      throw new ImageInvalidError(`The PNG file is torn at byte ${offset} of ${bytes.length}.`, { value: offset });
    }
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (crc32(bytes.subarray(offset + 4, offset + 8 + length)) !== view.getUint32(offset + 8 + length)) {
      throw new ImageInvalidError(`The PNG chunk ${type} at byte ${offset} is damaged: its CRC differs.`, {
        value: type,
      });
    }
    chunks.push({ type, data: bytes.subarray(offset + 8, offset + 8 + length) });
    offset += 12 + length;
  }
  return chunks;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 of PNG, zlib and gzip, as an unsigned integer. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
