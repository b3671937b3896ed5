/** Claims about every space, checked on a list with each kind in several shapes. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Generator } from '../random/index.js';
import type { BaseSpace } from './base-space.js';
import * as spaces from './spaces.js';

const open = { low: -Infinity, high: Infinity };
const point = z.strictObject({ x: z.number(), tags: z.array(z.string()).max(3) });
const drawPoint = (generator: Generator) => ({
  x: generator.normal(),
  tags: generator.choice(['a', 'b', 'é🙂'], { size: generator.integers(4) }),
});

/** `not` are values that are similar to members but are not members. */
const SPACES: { name: string; space: BaseSpace<unknown>; not: unknown[] }[] = [
  {
    name: 'box',
    space: spaces.box({ low: -1, high: [0.1, 2, 3], shape: [3] }),
    not: [[0, 0, 0], new Float64Array(3), new Float32Array(2), Float32Array.of(0, 0, NaN), Float32Array.of(0, 0, 3.1)],
  },
  {
    name: 'box without bounds',
    space: spaces.box({ ...open, shape: [2, 2], dtype: 'float64' }),
    not: [Float64Array.of(0, 0, 0, Infinity), Float64Array.of(0, 0, NaN, 0), new Float64Array(3)],
  },
  {
    name: 'box, half open',
    space: spaces.box({ low: [-Infinity, 0.5], high: [1, Infinity], dtype: 'float64' }),
    not: [Float64Array.of(2, 1), Float64Array.of(0, 0)],
  },
  {
    name: 'box of bytes',
    space: spaces.box({ low: 3, high: 200, shape: [2, 3, 1], dtype: 'uint8' }),
    not: [new Uint8Array(6)],
  },
  { name: 'box of signed bytes', space: spaces.box({ ...open, shape: [3], dtype: 'int8' }), not: [new Uint8Array(3)] },
  {
    name: 'box of words',
    space: spaces.box({ low: 7, high: 4e9, shape: [2], dtype: 'uint32' }),
    not: [new Uint32Array(2)],
  },
  { name: 'box of one number', space: spaces.box({ low: 0, high: 1, shape: [], dtype: 'float64' }), not: [0.5, [0.5]] },
  { name: 'box of nothing', space: spaces.box({ low: 0, high: 1, shape: [0, 4] }), not: [new Float32Array(4)] },
  { name: 'discrete', space: spaces.discrete(5, { start: -2 }), not: [3, -3, 0.5, NaN, '0', 0n, null, [0]] },
  { name: 'discrete with labels', space: spaces.discrete(3, { labels: ['-', '+', '='] }), not: [3, '+', -1] },
  { name: 'discrete of 1', space: spaces.discrete(1), not: [1, -1] },
  { name: 'discrete beyond 32 bits', space: spaces.discrete(2 ** 40, { start: 2 ** 50 }), not: [0, 2 ** 51] },
  {
    name: 'multiDiscrete',
    space: spaces.multiDiscrete([3, 1, 7], { start: [0, -4, 2] }),
    not: [Int32Array.of(0, 0, 2), [0, -4, 2]],
  },
  {
    name: 'multiDiscrete in rows',
    space: spaces.multiDiscrete([2, 3, 4, 5], { shape: [2, 2] }),
    not: [Int32Array.of(2, 0, 0, 0)],
  },
  {
    name: 'multiBinary',
    space: spaces.multiBinary(5),
    not: [Uint8Array.of(0, 1, 2, 0, 0), new Int8Array(5), [0, 0, 0, 0, 0]],
  },
  { name: 'multiBinary in rows', space: spaces.multiBinary([2, 3]), not: [new Uint8Array(5)] },
  { name: 'text', space: spaces.text({ maxLength: 6 }), not: ['', '1234567', '🙂🙂🙂🙂🙂🙂🙂', 'a\ud800', 5, ['a']] },
  {
    name: 'text with a charset',
    space: spaces.text({ minLength: 0, maxLength: 5, charset: 'a^]-\\[🙂/"' }),
    not: ['b', '🙂🙂🙂🙂🙂🙂'],
  },
  { name: 'text that is empty', space: spaces.text({ minLength: 0, maxLength: 0 }), not: ['a'] },
  {
    name: 'image',
    space: spaces.image({ height: 4, width: 5 }),
    not: [new Uint8Array(60), { height: 4, width: 5, channels: 3 }],
  },
  {
    name: 'image in gray',
    space: spaces.image({ height: 2, width: 3, channels: 1 }),
    not: [
      { data: new Uint8Array(5), height: 2, width: 3, channels: 1 },
      { data: new Uint8Array(6), height: 3, width: 2, channels: 1 },
    ],
  },
  {
    name: 'tuple',
    space: spaces.tuple([spaces.discrete(3), spaces.text({ maxLength: 3 })]),
    not: [[0], [0, 'a', 0], ['a', 0], { 0: 0, 1: 'a', length: 2 }],
  },
  { name: 'tuple of nothing', space: spaces.tuple([]), not: [[0], {}] },
  {
    name: 'dict',
    space: spaces.dict({
      b: spaces.discrete(3),
      a: spaces.dict({ deep: spaces.multiBinary(2) }),
      ['__proto__']: spaces.discrete(2),
    }),
    not: [{ b: 0, a: { deep: new Uint8Array(2) } }, []],
  },
  {
    name: 'dict of one',
    space: spaces.dict({ move: spaces.discrete(3) }),
    not: [{}, { move: 3 }, { move: 0, more: 0 }, [0]],
  },
  { name: 'dict of nothing', space: spaces.dict({}), not: [{ a: 1 }, [], null] },
  { name: 'sequence', space: spaces.sequence(spaces.discrete(4)), not: [[4], sparse(3), sparse(1e9), { length: 0 }] },
  {
    name: 'sequence of bounded length',
    space: spaces.sequence(spaces.box({ low: 0, high: 1 }), { minLength: 1, maxLength: 3 }),
    not: [[]],
  },
  {
    name: 'graph',
    space: spaces.graph({ nodes: spaces.box({ low: 0, high: 1, shape: [2] }), edges: spaces.discrete(3) }),
    not: [
      { nodes: [], edges: [], edgeLinks: [[0, 0]] },
      { nodes: [new Float32Array(2)], edges: [0], edgeLinks: [[0, 1]] },
      { nodes: [new Float32Array(2)], edges: [0], edgeLinks: null },
      { nodes: null, edges: null, edgeLinks: null },
    ],
  },
  {
    name: 'graph without edges',
    space: spaces.graph({ nodes: spaces.tuple([spaces.discrete(3)]) }),
    not: [{ nodes: [], edges: [], edgeLinks: [] }],
  },
  {
    name: 'oneOf',
    space: spaces.oneOf([spaces.discrete(3), spaces.text({ maxLength: 2 })]),
    not: [[0, 'a'], [2, 0], [-1, 0], [0], 0],
  },
  { name: 'oneOf of one', space: spaces.oneOf([spaces.box({ low: 0, high: 1 })]), not: [[1, Float32Array.of(0)]] },
  {
    name: 'chat',
    space: spaces.chat(),
    not: [[{ role: 'tool', content: '' }], [{ role: 'user' }], [{ role: 'user', content: [{ type: 'text' }] }], 'hi'],
  },
  {
    name: 'chat of text',
    space: spaces.chat({ minMessages: 1, maxMessages: 2, roles: ['user'], images: false, maxLength: 9 }),
    not: [
      [],
      [{ role: 'assistant', content: '' }],
      [{ role: 'user', content: 'more than nine' }],
      [
        {
          role: 'user',
          content: [{ type: 'image', image: { data: new Uint8Array(1), height: 1, width: 1, channels: 1 } }],
        },
      ],
    ],
  },
  {
    name: 'json',
    space: spaces.json(point, { sampler: drawPoint }),
    not: [{ x: 1 }, { x: '1', tags: [] }, { x: NaN, tags: [] }, { x: 1, tags: [1] }],
  },
  {
    name: 'a bit of everything',
    space: spaces.dict({
      screen: spaces.image({ height: 3, width: 3 }),
      inventory: spaces.sequence(
        spaces.oneOf([spaces.discrete(2, { labels: ['coin', 'key'] }), spaces.text({ maxLength: 4 })]),
      ),
      pose: spaces.tuple([spaces.box({ ...open, shape: [3], dtype: 'float64' }), spaces.multiDiscrete([4, 4])]),
    }),
    not: [{}],
  },
];

/** A list of holes. */
function sparse(length: number): unknown[] {
  return new Array(length);
}
const samples = (space: BaseSpace<unknown>, count = 12) => Array.from({ length: count }, () => space.sample());
const asText = (data: unknown) => JSON.parse(JSON.stringify(data)) as unknown;
const seeded = (space: BaseSpace<unknown>, seed: unknown) => {
  const copy = space.clone();
  copy.seed(seed);
  return copy;
};
/** JSON spaces lose their sampler in JSON, and their schema is not readable by others. */
const isJson = (name: string) => name === 'json';

describe.each(SPACES)('$name', ({ name, space, not }) => {
  it('contains its samples', () => {
    for (const value of samples(seeded(space, 1), 40)) expect(space.contains(value)).toBe(true);
  });

  it('contains none of the near misses', () => {
    expect(not.filter((value) => space.contains(value))).toEqual([]);
  });

  it('does not throw on hostile values', () => {
    expect(hostileValues().filter((value) => space.contains(value))).toEqual([]);
  });

  it('draws the same from the same seed', () => {
    expect(samples(seeded(space, 123))).toEqual(samples(seeded(space, 123)));
  });

  it('returns seeds that repeat its draws, also after fresh entropy', () => {
    for (const seed of [7, 2n ** 70n, undefined]) {
      const first = space.clone();
      const used = first.seed(seed);
      expect(samples(seeded(space, used))).toEqual(samples(first));
    }
  });

  it('continues from a saved state', () => {
    const first = seeded(space, 3);
    samples(first, 3);
    const state = asText(first.getState());
    const expected = samples(first);
    const second = space.clone();
    second.setState(state);
    expect(samples(second)).toEqual(expected);
  });

  it('refuses invalid seeds and states', () => {
    for (const seed of [-1, 0.5, '7', Number.NaN]) expect(() => space.clone().seed(seed)).toThrow(/seed/);
    const junk = expect.objectContaining({ code: 'INVALID_STATE' });
    for (const state of [null, 3, { own: 1 }, { children: [1] }])
      expect(() => space.clone().setState(state)).toThrow(junk);
  });

  it('round-trips through its JSON', () => {
    const back = spaces.fromJSON(asText(space));
    expect(back.equals(space) && space.equals(back)).toBe(true);
    expect(back.describe()).toBe(space.describe());
    if (!isJson(name)) expect(samples(seeded(back, 5))).toEqual(samples(seeded(space, 5)));
  });

  it('round-trips through its JSON Schema', () => {
    const schema = asText(space.toJsonSchema());
    if (isJson(name))
      expect(() => spaces.fromJsonSchema(schema)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }));
    else expect(spaces.fromJsonSchema(schema).equals(space)).toBe(true);
  });

  it('encodes members as JSON that its schema accepts, and decodes them', () => {
    const schema = z.fromJSONSchema(asText(space.toJsonSchema()) as Parameters<typeof z.fromJSONSchema>[0]);
    for (const value of samples(seeded(space, 9))) {
      const json = asText(space.encode(value));
      expect(schema.safeParse(json).error).toBeUndefined();
      expect(space.decode(json)).toEqual(value);
    }
  });

  it('neither encodes nor decodes values that are not members', () => {
    const refusal = expect.objectContaining({ code: 'INVALID_VALUE' });
    for (const value of not) expect(() => space.encode(value)).toThrow(refusal);
    for (const json of [undefined, Symbol('x'), -7, 'not a member', { a: [] }, [[[[]]], 1]]) {
      expect(() => space.decode(json)).toThrow(refusal);
    }
  });

  it('equals only its copies', () => {
    expect(space.equals(space.clone())).toBe(true);
    expect(SPACES.filter((other) => other.space.equals(space)).map((other) => other.name)).toEqual([name]);
  });

  it('refuses mask and probability at once, and invalid masks', () => {
    const refusal = expect.objectContaining({ code: 'INVALID_MASK' });
    expect(() => space.sample({ mask: [1], probability: [1] })).toThrow(refusal);
    for (const options of [{ mask: 'nonsense' }, { probability: [0.5, 'nonsense'] }]) {
      expect(() => space.sample(options)).toThrow(refusal);
    }
  });

  it('batches and unbatches members', () => {
    const members = samples(seeded(space, 11), 3);
    const batched = spaces.batchSpace(space, 3);
    const batch = spaces.concatenate(space, members);
    expect(batched.contains(batch)).toBe(true);
    expect(batched.contains(batched.sample())).toBe(true);
    expect(spaces.iterate(space, batch, 3)).toEqual(members);
    const refusal = expect.objectContaining({ code: 'INVALID_VALUE' });
    if (!name.endsWith('of nothing')) expect(() => spaces.iterate(space, batch, 4)).toThrow(refusal);
    expect(() => spaces.iterate(space, 'no batch')).toThrow(refusal);
  });

  it('flattens and unflattens members, or refuses to', () => {
    if (/json|chat|beyond/.test(name)) {
      const refusal = expect.objectContaining({ code: 'NOT_FLATTENABLE' });
      expect(() => spaces.flattenSpace(space)).toThrow(refusal);
      expect(() => spaces.flatten(space, space.sample())).toThrow(refusal);
      return;
    }
    const flatSpace = spaces.flattenSpace(space);
    for (const value of samples(seeded(space, 13))) {
      const flat = spaces.flatten(space, value);
      expect(flatSpace.contains(flat)).toBe(true);
      expect(spaces.unflatten(space, flat)).toEqual(value);
    }
  });

  it('describes itself', () => {
    expect(space.describe()).toMatch(/\w{2}/);
  });
});

/** Values made to break a check: throwing getters and proxies, revoked proxies, cycles, deep nesting. */
function hostileValues(): unknown[] {
  const refuse = () => {
    throw new Error('hostile');
  };
  const trap = new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, has: refuse });
  const revoked = Proxy.revocable([], {});
  revoked.revoke();
  const getter = Object.defineProperty({}, 'move', { get: refuse, enumerable: true });
  const cycle: unknown[] = [];
  cycle.push(cycle);
  let deep: unknown = {};
  for (let level = 0; level < 20_000; level += 1) deep = level % 2 ? [deep] : { move: deep };
  const fakeArray = { length: 2, 0: 0, 1: 0, [Symbol.toStringTag]: 'Uint8Array', every: () => true };
  return [
    trap,
    [trap],
    revoked.proxy,
    getter,
    cycle,
    [cycle],
    deep,
    fakeArray,
    new Proxy(new Uint8Array(5), {}),
    () => 0,
    Symbol('x'),
    1n,
  ];
}
