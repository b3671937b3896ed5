import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameError, FrameReader, NdArray } from './codec.js';

const whole = (value: unknown) => Buffer.concat(encodeFrame(value));

describe('frames', () => {
  it('come back as they were sent, in pieces of any size', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.double(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n }),
        fc.float64Array().map((data) => new NdArray('<f8', [data.length], data)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.record({ value }), fc.integer({ min: 1, max: 50 }), (sent, size) => {
        const [bytes, reader] = [whole(sent), new FrameReader()];
        const received: unknown[] = [];
        for (let at = 0; at < bytes.length; at += size) received.push(...reader.push(bytes.subarray(at, at + size)));
        expect(received).toEqual([sent]);
      }),
    );
  });

  it('that point outside of their body, are too large or are not JSON are refused', () => {
    const frame = (header: string, body = 0) => {
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32LE(Buffer.byteLength(header), 0);
      lengths.writeUInt32LE(body, 4);
      return Buffer.concat([lengths, Buffer.from(header), Buffer.alloc(Math.min(body, 64))]);
    };
    const hostile = [
      frame('{"a":{"$nd":["<f8",[2],0,16]}}', 8),
      frame('{"a":{"$nd":["<f8",[-1],0,8]}}', 8),
      frame('{"a":{"$nd":["|O",[1],0,8]}}', 8),
      frame('{oops'),
      frame('{}', 2 ** 32 - 1),
    ];
    for (const bytes of hostile) expect(() => new FrameReader().push(bytes)).toThrow(FrameError);
  });
});
