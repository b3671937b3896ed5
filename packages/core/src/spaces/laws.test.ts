/** Laws of spaces, on randomly generated and nested spaces. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DTYPES, type DType } from './arrays.js';
import type { BaseSpace } from './base-space.js';
import * as spaces from './spaces.js';

const dtype = fc.constantFrom(...(Object.keys(DTYPES) as DType[]));
const shape = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 });

/** Two bounds within the dtype, the lower first; infinite ones if the dtype allows them. */
const bounds = (kind: DType): fc.Arbitrary<[number, number]> => {
  const { float, min, max } = DTYPES[kind];
  const finite = float
    ? fc.double({ min: -1e30, max: 1e30, noNaN: true }).map(kind === 'float32' ? Math.fround : (value) => value)
    : fc.integer({ min, max });
  const ordered = fc.tuple(finite, finite).map(([a, b]): [number, number] => (a <= b ? [a, b] : [b, a]));
  if (min === 0) return ordered;
  return fc
    .tuple(ordered, fc.boolean(), fc.boolean())
    .map(([[low, high], below, above]) => [
      below ? Number.NEGATIVE_INFINITY : low,
      above ? Number.POSITIVE_INFINITY : high,
    ]);
};

const box = fc.tuple(dtype, shape).chain(([kind, sides]) => {
  const size = sides.reduce((product, side) => product * side, 1);
  return fc
    .array(bounds(kind), { minLength: size, maxLength: size })
    .map((pairs) =>
      spaces.box({ low: pairs.map(([low]) => low), high: pairs.map(([, high]) => high), shape: sides, dtype: kind }),
    );
});
const discrete = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -1000, max: 1000 }), fc.boolean())
  .map(([n, start, named]) =>
    spaces.discrete(n, { start, ...(named ? { labels: Array.from({ length: n }, (_, i) => `label ${i}`) } : {}) }),
  );
const counts = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -99, max: 99 })), { maxLength: 5 });
const multiDiscrete = counts.map((pairs) =>
  spaces.multiDiscrete(
    pairs.map(([count]) => count),
    { start: pairs.map(([, start]) => start) },
  ),
);
const text = fc
  .tuple(fc.nat(6), fc.nat(6), fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), { nil: undefined }))
  .map(([min, more, charset]) =>
    spaces.text({ minLength: min, maxLength: min + more, ...(charset === undefined ? {} : { charset }) }),
  );
const image = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(1 as const, 3 as const, 4 as const),
  )
  .map(([height, width, channels]) => spaces.image({ height, width, channels }));

const { anySpace, flatSpace } = fc.letrec<{ anySpace: BaseSpace<unknown>; flatSpace: BaseSpace<unknown> }>((tie) => {
  const leaf: fc.Arbitrary<BaseSpace<unknown>> = fc.oneof(
    box,
    discrete,
    multiDiscrete,
    shape.filter((sides) => sides.length > 0).map(spaces.multiBinary),
    text,
    image,
  );
  const structured = (inner: fc.Arbitrary<BaseSpace<unknown>>) => [
    fc.array(inner, { maxLength: 3 }).map((parts) => spaces.tuple(parts)),
    fc
      .dictionary(fc.string({ unit: 'binary', maxLength: 5 }), inner, { maxKeys: 3 })
      .map((parts) => spaces.dict(parts)),
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((parts) => spaces.oneOf(parts)),
  ];
  const any = tie('anySpace');
  return {
    flatSpace: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, ...structured(tie('flatSpace'))),
    anySpace: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.nat(9).map((maxLength) => spaces.chat({ maxLength })),
      ...structured(any),
      fc.tuple(any, fc.nat(3), fc.nat(3)).map(([element, minLength, more]) => {
        return spaces.sequence(element, { minLength, maxLength: minLength + more });
      }),
      fc.tuple(leaf, fc.option(leaf, { nil: undefined })).map(([nodes, edges]) => {
        return spaces.graph({ nodes, ...(edges ? { edges } : {}) });
      }),
    ),
  };
});

const seed = fc.nat();
const asText = (data: unknown) => JSON.parse(JSON.stringify(data)) as unknown;
const drawn = (space: BaseSpace<unknown>, from: number, count = 2) => {
  space.seed(from);
  return Array.from({ length: count }, () => space.sample());
};
/** JSON text has no -0. */
function withoutNegativeZero(value: unknown): unknown {
  if (value instanceof Float32Array || value instanceof Float64Array) return value.map((number) => number + 0);
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutNegativeZero(part)]));
}
const law = (claim: (space: BaseSpace<unknown>, from: number) => void, on = anySpace) =>
  fc.assert(fc.property(on, seed, claim), { numRuns: 150 });

describe('every space', () => {
  it('contains its samples, and repeats them from a seed', () => {
    law((space, from) => {
      const values = drawn(space, from);
      for (const value of values) expect(space.contains(value)).toBe(true);
      expect(drawn(space.clone(), from)).toEqual(values);
    });
  });

  it('round-trips through JSON and JSON Schema', () => {
    law((space, from) => {
      for (const back of [spaces.fromJSON(asText(space)), spaces.fromJsonSchema(asText(space.toJsonSchema()))]) {
        expect(back.toJSON()).toEqual(space.toJSON());
        expect(drawn(back, from)).toEqual(drawn(space, from));
      }
    });
  });

  it('encodes members to data that its schema accepts, and decodes them', () => {
    law((space, from) => {
      const schema = z.fromJSONSchema(asText(space.toJsonSchema()) as Parameters<typeof z.fromJSONSchema>[0]);
      for (const value of drawn(space, from)) {
        const json = asText(space.encode(value));
        expect(schema.safeParse(json).error).toBeUndefined();
        expect(space.encode(space.decode(json))).toEqual(json);
        expect(withoutNegativeZero(space.decode(json))).toEqual(withoutNegativeZero(value));
      }
    });
  });

  it('never throws in `contains`, and encodes only members', () => {
    fc.assert(
      fc.property(
        anySpace,
        fc.anything({ withTypedArray: true, withNullPrototype: true, withSparseArray: true }),
        (space, value) => {
          if (space.contains(value)) expect(space.contains(space.decode(asText(space.encode(value))))).toBe(true);
          else expect(() => space.encode(value)).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('continues from a saved state', () => {
    law((space, from) => {
      drawn(space, from);
      const state = asText(space.getState());
      const next = space.sample();
      const other = space.clone();
      other.setState(state);
      expect(other.sample()).toEqual(next);
    });
  });

  it('batches and unbatches members', () => {
    law((space, from) => {
      const members = drawn(space, from, 3);
      const batch = spaces.concatenate(space, members);
      expect(spaces.batchSpace(space, 3).contains(batch)).toBe(true);
      expect(spaces.iterate(space, batch, 3)).toEqual(members);
    });
  });
});

describe('every space of a fixed number of numbers', () => {
  it('flattens and unflattens members', () => {
    law((space, from) => {
      const flat = spaces.flattenSpace(space);
      for (const value of drawn(space, from)) {
        const numbers = spaces.flatten(space, value);
        expect(flat.contains(numbers)).toBe(true);
        expect(spaces.unflatten(space, numbers)).toEqual(value);
      }
    }, flatSpace);
  });
});
