/** Spaces from data: what is accepted samples, contains what it sampled, and speaks JSON both ways. */
import { spaces } from '@vlgym/core';
import { bytesOf } from '@vlgym/core/internal';
import fc from 'fast-check';
import { BrokenLaw, type FuzzTarget, fuzzTarget, hostileValue } from '../support/fuzz-target.js';

const count = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -1, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, 1e5, 1e8, 2 ** 31, 2 ** 53) },
);
const shape = fc.array(fc.oneof({ weight: 8, arbitrary: fc.integer({ min: -1, max: 4 }) }, fc.constantFrom(1e4, 1e8)), {
  maxLength: 3,
});
const bound = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('Infinity', '-Infinity', 1e308, -1e308, 0.1));
const dtype = fc.constantFrom('float32', 'float64', 'int8', 'uint8', 'int32', 'int64', 'uint16', 'bool');

/** A definition with a field or two missing, unknown or of another type, in some of all cases. */
const nearly = <T extends object>(definition: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc
    .tuple(
      definition,
      fc.oneof(
        { weight: 9, arbitrary: fc.constant({}) },
        fc.dictionary(fc.constantFrom('type', 'shape', 'n', 'x', '__proto__'), hostileValue, { maxKeys: 1 }),
      ),
    )
    .map(([a, b]) => ({ ...a, ...b }));

const optional = { requiredKeys: ['type'] as never };

const definitions = fc.letrec<{ space: object }>((tie) => ({
  space: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    nearly(fc.record({ type: fc.constant('discrete'), n: count, start: count })),
    nearly(fc.record({ type: fc.constant('box'), dtype, shape, low: fc.oneof(bound, fc.array(bound)), high: bound })),
    nearly(
      fc.record(
        { type: fc.constant('multiDiscrete'), counts: fc.array(count), shape },
        { requiredKeys: ['type', 'counts'] },
      ),
    ),
    nearly(fc.record({ type: fc.constant('multiBinary'), shape })),
    nearly(
      fc.record(
        { type: fc.constant('text'), maxLength: count, minLength: count, charset: fc.string({ unit: 'binary' }) },
        { requiredKeys: ['type', 'maxLength'] },
      ),
    ),
    nearly(
      fc.record({ type: fc.constant('image'), height: count, width: count, channels: fc.constantFrom(1, 2, 3, 4) }),
    ),
    nearly(
      fc.record(
        { type: fc.constant('chat'), minMessages: count, maxMessages: count, images: fc.boolean(), maxLength: count },
        optional,
      ),
    ),
    nearly(fc.record({ type: fc.constant('tuple'), spaces: fc.array(tie('space'), { maxLength: 3 }) })),
    nearly(fc.record({ type: fc.constant('oneOf'), spaces: fc.array(tie('space'), { maxLength: 3 }) })),
    nearly(
      fc.record({
        type: fc.constant('dict'),
        spaces: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '1'), tie('space')),
      }),
    ),
    nearly(
      fc.record(
        { type: fc.constant('sequence'), element: tie('space'), minLength: count, maxLength: count },
        { requiredKeys: ['type', 'element'] },
      ),
    ),
    nearly(
      fc.record(
        { type: fc.constant('graph'), nodes: tie('space'), edges: tie('space') },
        { requiredKeys: ['type', 'nodes'] },
      ),
    ),
  ),
}));

/** Members beyond this are bounded by their size (`limits.test.ts`), not by a second of processor time. */
const MAX_BYTES = 2 ** 22;

function laws(json: unknown): void {
  const space = spaces.fromJSON(json);
  space.toJsonSchema();
  space.describe();
  if (bytesOf(space) > MAX_BYTES) return;
  space.seed(1);
  const member = space.sample();
  if (!space.contains(member)) throw new BrokenLaw('a space does not contain its sample');
  const back = space.decode(JSON.parse(JSON.stringify(space.encode(member))));
  if (!space.contains(back)) throw new BrokenLaw('an encoded member does not come back');
  if (!spaces.fromJSON(JSON.parse(JSON.stringify(space.toJSON()))).equals(space)) {
    throw new BrokenLaw('a space does not come back from its own data');
  }
}

export const spaceTargets: readonly FuzzTarget[] = [
  fuzzTarget({ name: 'core/space-from-json', input: definitions.space, call: laws }),
  fuzzTarget({
    name: 'core/space-values',
    input: fc.tuple(definitions.space, hostileValue),
    call: ([json, value]: [unknown, unknown]) => {
      const space = spaces.fromJSON(json);
      space.contains(value);
      space.decode(value);
    },
  }),
  fuzzTarget({
    name: 'core/space-from-json-schema',
    input: fc.oneof(
      definitions.space.map((json) => ({ 'x-vlgym': json, type: 'integer' })),
      fc.record(
        {
          type: fc.constantFrom('integer', 'number', 'string', 'object', 'array'),
          minimum: count,
          maximum: count,
          maxLength: count,
          items: hostileValue,
          prefixItems: fc.array(hostileValue, { maxLength: 2 }),
          properties: hostileValue,
          anyOf: fc.array(hostileValue, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    ),
    call: (schema: unknown) => {
      const space = spaces.fromJsonSchema(schema);
      if (bytesOf(space) <= MAX_BYTES) space.sample();
    },
  }),
];
