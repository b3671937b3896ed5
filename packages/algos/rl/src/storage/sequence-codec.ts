/**
 * Labeled sequences as bytes: a length, a JSON header, then ids, mask and pixels as they are.
 *
 * Layout, little-endian: uint32 bytes of header; header `{ prompt, response, images: [[height, width, channels]] }`, with
 * the constraint of the response if there is one; int32 prompt ids; int32 response ids; uint8 label mask; uint8 pixels of each picture.
 */
import type { AnswerConstraint, Image } from '@vlgym/core';
import type { LabeledSequence } from '../update/supervise.js';

interface Header {
  readonly prompt: number;
  readonly response: number;
  readonly images: readonly [height: number, width: number, channels: 1 | 3 | 4][];
  readonly constraint?: AnswerConstraint;
}

export function encodeSequence({ input, responseIds, labelMask }: LabeledSequence): Uint8Array {
  const header: Header = {
    prompt: input.promptIds.length,
    response: responseIds.length,
    images: input.images.map(({ height, width, channels }) => [height, width, channels]),
    ...(input.constraint && { constraint: input.constraint }),
  };
  const json = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  return Buffer.concat([
    size,
    json,
    int32(input.promptIds),
    int32(responseIds),
    labelMask,
    ...input.images.map((image) => image.data),
  ]);
}

/** The record that fills `bytes`. */
export function decodeSequence(bytes: Uint8Array): LabeledSequence {
  let offset = 0;
  const take = (length: number) => {
    const part = Buffer.from(bytes.subarray(offset, offset + length));
    if (part.length < length) throw new RangeError('a stored sequence ends in the middle');
    offset += length;
    return part;
  };
  const header = JSON.parse(take(take(4).readUInt32LE()).toString()) as Header;
  const ids = (count: number) => {
    const part = take(count * 4);
    return Int32Array.from({ length: count }, (_, i) => part.readInt32LE(i * 4));
  };
  const promptIds = ids(header.prompt);
  const responseIds = ids(header.response);
  const labelMask = new Uint8Array(take(header.response));
  const images = header.images.map(([height, width, channels]): Image => {
    return { data: new Uint8Array(take(height * width * channels)), height, width, channels };
  });
  const { constraint } = header;
  return { input: { promptIds, images, ...(constraint && { constraint }) }, responseIds, labelMask };
}

function int32(values: Int32Array): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    bytes.writeInt32LE(value, i * 4);
  });
  return bytes;
}
