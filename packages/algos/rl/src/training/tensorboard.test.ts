/** Event files are parsed back by hand here; the check value of CRC-32C is that of RFC 3720, appendix B.4. */
import { describe, expect, it } from 'vitest';
import { crc32c, fileVersionRecord, maskedCrc, scalarsRecord } from './tensorboard.js';

/** The data of each record, its checksums verified. */
function records(file: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset < file.length; ) {
    const length = Number(file.readBigUInt64LE(offset));
    expect(file.readUInt32LE(offset + 8)).toBe(maskedCrc(file.subarray(offset, offset + 8)));
    const data = file.subarray(offset + 12, offset + 12 + length);
    expect(file.readUInt32LE(offset + 12 + length)).toBe(maskedCrc(data));
    found.push(data);
    offset += 16 + length;
  }
  return found;
}

/** Fields of a protobuf message: numbers for varint, double and float, bytes for the rest. */
function fields(message: Buffer): [field: number, value: number | Buffer][] {
  const found: [number, number | Buffer][] = [];
  let offset = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[offset++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    offset += length;
    return message.subarray(offset - length, offset);
  };
  while (offset < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    const type = key % 8;
    if (type === 0) found.push([field, varint()]);
    else if (type === 1) found.push([field, take(8).readDoubleLE()]);
    else if (type === 5) found.push([field, take(4).readFloatLE()]);
    else found.push([field, take(varint())]);
  }
  return found;
}

describe('TensorBoard events', () => {
  it('has the checksum of RFC 3720', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  });

  it('is read back: file version, steps, tags and values', () => {
    const scalars = { 'loss/policy': -0.25, 'train/success-rate': 0.5 };
    const [version, event] = records(Buffer.concat([fileVersionRecord(), scalarsRecord(300_000, scalars, 1e9)]));
    expect(fields(version!)).toContainEqual([3, Buffer.from('brain.Event:2')]);
    const [[, wallTime], [, step], [, summary]] = fields(event!) as [[1, number], [2, number], [5, Buffer]];
    expect([wallTime, step]).toEqual([1e9, 300_000]);
    const values = fields(summary).map(([, value]) => fields(value as Buffer).map(([, entry]) => entry));
    expect(values.map(([tag, value]) => [tag!.toString(), value])).toEqual(Object.entries(scalars));
  });

  it('finds a flipped bit', () => {
    const file = Buffer.from(fileVersionRecord());
    file[20]! ^= 1;
    expect(() => records(file)).toThrow();
  });
});
