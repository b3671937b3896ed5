/** Schemas of strangers: a space or an error with a code, whatever stands in them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spaces } from '../../index.js';

const refusal = expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' });
const withConstructor = Object.assign([{ prefixItems: [] }], { constructor: { [Symbol.species]: 1 } });
const cyclic: Record<string, unknown> = { type: 'array' };
cyclic.items = cyclic;
const deep = (depth: number): unknown =>
  JSON.parse(`${'{"type":"array","items":'.repeat(depth)}{"type":"number"}${'}'.repeat(depth)}`);

it.each([
  ['options with a constructor of their own', { anyOf: withConstructor }],
  ['names that are no texts', { type: 'object', required: [{ toString: 1 }], additionalProperties: false }],
  ['places that are no list', { type: 'array', prefixItems: '', items: false }],
  ['places with a length', { type: 'array', prefixItems: { length: 0 }, items: false }],
  ['a bound of null', { type: 'number', minimum: null }],
  ['a bound of lists', { type: 'number', maximum: ['a', { toString: [] }] }],
  ['a schema that contains itself', cyclic],
  ['a bound of BigInt', { type: 'integer', minimum: 0n, maximum: 1n }],
  ['a thousand schemas inside each other', deep(1_000)],
  ['a hundred thousand of them', deep(100_000)],
])('%s: a refusal with a code, not a TypeError', (_, schema) => {
  expect(() => spaces.fromJsonSchema(schema)).toThrow(refusal);
});

it('anything at any place of a schema is a space or an error with a code', () => {
  const words = ['type', 'minimum', 'maximum', 'minLength', 'maxLength', 'properties', 'required', 'items', 'minItems'];
  const more = [
    'prefixItems',
    'maxItems',
    'anyOf',
    'additionalProperties',
    'x-vlgym',
    '__proto__',
    'toString',
    'length',
  ];
  const leaf = fc.constantFrom(
    'integer',
    'number',
    'string',
    'object',
    'array',
    '',
    null,
    true,
    false,
    0,
    1,
    -1,
    1e308,
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { depthSize: 'large' },
      leaf,
      fc.array(tie('schema'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...words, ...more), tie('schema'), { maxKeys: 6 }),
    ),
  }));
  const typed = fc.tuple(
    fc.constantFrom('number', 'string', 'object', 'array'),
    fc.dictionary(fc.constantFrom(...words, ...more), schema),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        schema,
        typed.map(([type, rest]) => ({ ...rest, type })),
      ),
      (given) => {
        try {
          spaces.fromJsonSchema(given);
        } catch (error) {
          expect(error).toHaveProperty('code', expect.stringMatching(/^[A-Z_]+$/));
        }
      },
    ),
    { numRuns: 500 },
  );
});
