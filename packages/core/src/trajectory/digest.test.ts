import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Image } from '../image.js';
import { hashImage } from '../images/hash-image.js';
import { canonicalJson, digestObservation } from './digest.js';
import { toJson } from './to-json.js';

const picture: Image = { data: Uint8Array.of(1, 2, 3, 4, 5, 6), height: 1, width: 2, channels: 3 };

describe('digestObservation', () => {
  it.each([
    ['a number', 7, 'b5cea02447e3482cd31cacfa4d466f79577528944e6d73039dfe1e66036e31e5'],
    ['a text', 'né\n', '9e87122a4f73dc3817bfa40e411f116b225de8b6460b089dbc55d5f8af3d532f'],
    [
      'a record',
      { b: [1, 2.5, null], a: { z: true, y: 'x' } },
      '954c3aeeef655a8a7175662d25e2b5c85bf6056288a68cc6781355cba7f35db2',
    ],
    ['a typed array', Float32Array.of(0.5, -1, 2), 'eb2649b69f50b461009fd5641b7845e9b51e9c53396c9c518250fdfbfb2af3d3'],
    ['a picture', picture, '16bbc372488373a403e855ffc700ac6c974c73fa850688a2801829f1f5de5f81'],
    [
      'a picture inside other data',
      { rgb: picture, step: 3 },
      'fac0497aacf3e004f6dd22781ed580d82c11a8f411d4053291dbf187793ef7be',
    ],
  ])('of %s equals that of hashlib and json in Python', (_, observation, digest) => {
    expect(digestObservation(observation)).toBe(`sha256:${digest}`);
  });

  it('ignores only the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [x, y] = [a, b].map((value) => JSON.parse(JSON.stringify(value)));
        expect(digestObservation(reversed(x))).toBe(digestObservation(x));
        expect(digestObservation(x) === digestObservation(y)).toBe(canonicalJson(x) === canonicalJson(y));
      }),
    );
  });

  it('distinguishes arrays by type, values and view', () => {
    const arrays = [
      Float32Array.of(1, 2),
      Float64Array.of(1, 2),
      Int32Array.of(1, 2),
      Int32Array.of(1, 2, 3),
      Int32Array.of(2, 1),
      BigInt64Array.of(1n, 2n),
    ];
    expect(new Set(arrays.map(digestObservation)).size).toBe(arrays.length);
    expect(digestObservation(Int32Array.of(9, 1, 2, 9).subarray(1, 3))).toBe(digestObservation(Int32Array.of(1, 2)));
  });
});

describe('toJson', () => {
  const options = { image: (image: Image) => ({ $image: hashImage(image) }) };

  it('does not change plain JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(toJson(plain, options)).toEqual(plain);
      }),
    );
  });

  it('makes JSON of any value', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true, withDate: true }),
        (value) => {
          const json = toJson(value, options);
          expect(JSON.parse(JSON.stringify(json))).toEqual(JSON.parse(canonicalJson(json)));
        },
      ),
    );
  });

  it.each([
    ['values without a JSON form', { a: Number.NaN, b: 10n, c: undefined, d: () => 1 }, { a: 'NaN', b: '10' }],
    ['typed arrays', { a: Float32Array.of(0.5) }, { a: [0.5] }],
    ['collections', { a: new Set([1]), b: new Map([['k', 2]]) }, { a: [1], b: [['k', 2]] }],
    ['errors', { e: new RangeError('far') }, { e: { name: 'RangeError', message: 'far' } }],
    ['values with `toJSON`', { u: new URL('https://example.org/') }, { u: 'https://example.org/' }],
    ['pictures', { p: [picture] }, { p: [{ $image: hashImage(picture) }] }],
  ])('turns %s into data', (_, value, expected) => {
    expect(toJson(value, options)).toEqual(expected);
  });

  it('marks values that are cyclic, too deep or unreadable', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const trap = {
      get a() {
        throw new Error('boom');
      },
    };
    expect(toJson(circle, options)).toEqual({ self: '[circular]' });
    expect(JSON.stringify(toJson(deep, options))).toContain('[too deep]');
    expect(toJson({ trap }, options)).toEqual({ trap: '[unreadable: Error: boom]' });
  });

  it('keeps a key named __proto__ as a key', () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}}');
    const json = toJson(hostile, options);
    expect(JSON.stringify(json)).toBe('{"__proto__":{"polluted":true}}');
    expect((json as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversed(entry)]),
  );
}
