/**
 * JSON Schema → the space whose members satisfy it.
 *
 * Schemas written by `toJsonSchema` give the original space: the keyword `x-vlgym` carries what plain JSON Schema cannot
 * express. Other schemas are supported if a space describes exactly the same values.
 */

import { isRecord } from '../../type-tests.js';
import type { BaseSpace } from '../base-space.js';
import { BoxSpace } from '../box.js';
import { DictSpace } from '../composite/dict.js';
import { OneOfSpace } from '../composite/one-of.js';
import { SequenceSpace } from '../composite/sequence.js';
import { TupleSpace } from '../composite/tuple.js';
import { DiscreteSpace } from '../discrete.js';
import { UnsupportedSchemaError } from '../errors.js';
import { TextSpace } from '../text.js';
import { fromJSON, MAX_DEPTH } from './from-json.js';
import { isPlainEqual } from './json-data.js';

type Schema = Readonly<Record<string, unknown>>;
/** The space of a schema inside of another. */
type Inner = (part: unknown) => BaseSpace<unknown>;

/** Annotations, which do not affect the members. */
const NOTES = ['title', 'description', 'default', 'examples', '$schema', '$id', '$comment', 'deprecated'];
const JSON_HINT = 'for any other JSON data: `spaces.json(z.fromJSONSchema(schema))`';

/**
 * | schema | space |
 * |---|---|
 * | with `x-vlgym` | the space it came from |
 * | `integer` with both bounds | discrete |
 * | `number` | box of shape [], float64 |
 * | `string` with `maxLength` | text |
 * | `object`, all properties required, no others | dict |
 * | `array` with `prefixItems` and no others | tuple |
 * | `array` with `items` | sequence |
 * | `anyOf` of `[0, …]`, `[1, …]`, … | oneOf |
 *
 * @throws {UnsupportedSchemaError} Anything else; or `x-vlgym` and the schema around it disagree.
 */
export function fromJsonSchema(schema: unknown): BaseSpace<unknown> {
  return read(plainCopy(schema), 0);
}

/** Schemas come from strangers: what is not JSON (cycles, values with methods of their own) ends here. */
function plainCopy(schema: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(schema));
  } catch (cause) {
    throw new UnsupportedSchemaError(schema, 'JSON data', undefined, cause);
  }
}

function read(schema: unknown, depth: number): BaseSpace<unknown> {
  if (depth > MAX_DEPTH) throw new UnsupportedSchemaError(schema, `at most ${MAX_DEPTH} schemas inside each other`);
  if (!isRecord(schema)) throw new UnsupportedSchemaError(schema, 'an object');
  if (schema['x-vlgym'] !== undefined) return annotated(schema);
  const inner: Inner = (part) => read(part, depth + 1);
  if (Array.isArray(schema.anyOf)) return oneOf(schema, schema.anyOf, inner);
  switch (schema.type) {
    case 'integer':
      return discrete(schema);
    case 'number':
      return number(schema);
    case 'string':
      return text(schema);
    case 'object':
      return dict(schema, inner);
    case 'array':
      return Array.isArray(schema.prefixItems) || schema.items === false
        ? tuple(schema, inner)
        : sequence(schema, inner);
    default:
      throw new UnsupportedSchemaError(schema, 'an integer, number, string, object, array, or anyOf', JSON_HINT);
  }
}

function annotated(schema: Schema): BaseSpace<unknown> {
  const space = fromJSON(schema['x-vlgym']);
  if (isPlainEqual(space.toJsonSchema(), schema)) return space;
  throw new UnsupportedSchemaError(
    schema,
    'the schema that belongs to its `x-vlgym`',
    'change both, or remove `x-vlgym`',
  );
}

function discrete(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'minimum', 'maximum']);
  const { minimum, maximum } = schema;
  if (!Number.isSafeInteger(minimum) || !Number.isSafeInteger(maximum) || (maximum as number) < (minimum as number)) {
    throw new UnsupportedSchemaError(schema, 'an integer with whole `minimum` <= `maximum`', 'give both bounds');
  }
  return new DiscreteSpace((maximum as number) - (minimum as number) + 1, { start: minimum as number });
}

function number(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'minimum', 'maximum']);
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (typeof minimum !== 'number' || typeof maximum !== 'number') {
    throw new UnsupportedSchemaError(schema, 'numbers for `minimum` and `maximum`');
  }
  return new BoxSpace({ low: minimum, high: maximum, shape: [], dtype: 'float64' });
}

function text(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'minLength', 'maxLength']);
  const { minLength = 0, maxLength } = schema;
  if (maxLength === undefined) throw new UnsupportedSchemaError(schema, 'a string with `maxLength`', 'add `maxLength`');
  return new TextSpace({ minLength: minLength as number, maxLength: maxLength as number });
}

function dict(schema: Schema, inner: Inner): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'properties', 'required', 'additionalProperties']);
  const { properties = {}, required = [], additionalProperties } = schema;
  const keys = isRecord(properties) ? Object.keys(properties).sort() : undefined;
  const isNames = Array.isArray(required) && required.every((name) => typeof name === 'string');
  const exact = additionalProperties === false && isNames && isPlainEqual([...required].sort(), keys);
  if (!isRecord(properties) || !exact) {
    throw new UnsupportedSchemaError(
      schema,
      'an object with every property in `required` and `additionalProperties: false`',
      JSON_HINT,
    );
  }
  return new DictSpace(Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, inner(part)])));
}

function tuple(schema: Schema, inner: Inner): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'prefixItems', 'items', 'minItems', 'maxItems']);
  const { prefixItems = [], items, minItems, maxItems } = schema;
  const count = Array.isArray(prefixItems) ? prefixItems.length : undefined;
  const closed = items === false || maxItems === count;
  if (!Array.isArray(prefixItems) || !closed || (minItems ?? 0) !== count) {
    throw new UnsupportedSchemaError(schema, '`prefixItems`, all required (`minItems`) and no others (`items: false`)');
  }
  return new TupleSpace(prefixItems.map(inner));
}

function sequence(schema: Schema, inner: Inner): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'items', 'minItems', 'maxItems']);
  const { items, minItems, maxItems } = schema;
  return new SequenceSpace(inner(items), {
    ...(minItems === undefined ? {} : { minLength: minItems as number }),
    ...(maxItems === undefined ? {} : { maxLength: maxItems as number }),
  });
}

function oneOf(schema: Schema, options: readonly unknown[], inner: Inner): BaseSpace<unknown> {
  onlyKeywords(schema, ['anyOf']);
  return new OneOfSpace(
    options.map((option, index) => {
      const places = isRecord(option) && Array.isArray(option.prefixItems) ? option.prefixItems : [];
      if (places.length !== 2 || !isPlainEqual(places[0], { const: index })) {
        throw new UnsupportedSchemaError(option, `a pair of {"const": ${index}} and a schema`, JSON_HINT);
      }
      return inner(places[1]);
    }),
  );
}

function onlyKeywords(schema: Schema, understood: readonly string[]): void {
  const unknown = Object.keys(schema).filter((keyword) => !understood.includes(keyword) && !NOTES.includes(keyword));
  if (unknown.length > 0) {
    throw new UnsupportedSchemaError(schema, `no other keywords than ${understood.join(', ')}`, JSON_HINT);
  }
}
