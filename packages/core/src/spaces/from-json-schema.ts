/**
 * JSON Schema → the space whose members satisfy it.
 *
 * Schemas written by `toJsonSchema` give the original space: the keyword `x-vlgym` carries what plain JSON Schema cannot
 * express. Other schemas are supported if a space describes exactly the same values.
 */

import { isRecord } from '../type-tests.js';
import type { BaseSpace } from './base-space.js';
import { BoxSpace } from './box.js';
import { DictSpace } from './dict.js';
import { DiscreteSpace } from './discrete.js';
import { UnsupportedSchemaError } from './errors.js';
import { fromJSON } from './from-json.js';
import { isPlainEqual } from './json-data.js';
import { OneOfSpace } from './one-of.js';
import { SequenceSpace } from './sequence.js';
import { TextSpace } from './text.js';
import { TupleSpace } from './tuple.js';

type Schema = Readonly<Record<string, unknown>>;

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
  if (!isRecord(schema)) throw new UnsupportedSchemaError(schema, 'an object');
  if (schema['x-vlgym'] !== undefined) return annotated(schema);
  if (Array.isArray(schema.anyOf)) return oneOf(schema, schema.anyOf);
  switch (schema.type) {
    case 'integer':
      return discrete(schema);
    case 'number':
      return number(schema);
    case 'string':
      return text(schema);
    case 'object':
      return dict(schema);
    case 'array':
      return Array.isArray(schema.prefixItems) || schema.items === false ? tuple(schema) : sequence(schema);
    default:
      throw new UnsupportedSchemaError(schema, 'an integer, number, string, object, array, or anyOf', JSON_HINT);
  }
}

function annotated(schema: Schema): BaseSpace<unknown> {
  const space = fromJSON(schema['x-vlgym']);
  if (isPlainEqual(space.toJsonSchema(), JSON.parse(JSON.stringify(schema)))) return space;
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
  return new BoxSpace({ low: minimum as number, high: maximum as number, shape: [], dtype: 'float64' });
}

function text(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'minLength', 'maxLength']);
  const { minLength = 0, maxLength } = schema;
  if (maxLength === undefined) throw new UnsupportedSchemaError(schema, 'a string with `maxLength`', 'add `maxLength`');
  return new TextSpace({ minLength: minLength as number, maxLength: maxLength as number });
}

function dict(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'properties', 'required', 'additionalProperties']);
  const { properties = {}, required = [], additionalProperties } = schema;
  const keys = isRecord(properties) ? Object.keys(properties).sort() : undefined;
  const exact = additionalProperties === false && Array.isArray(required) && isPlainEqual([...required].sort(), keys);
  if (!isRecord(properties) || !exact) {
    throw new UnsupportedSchemaError(
      schema,
      'an object with every property in `required` and `additionalProperties: false`',
      JSON_HINT,
    );
  }
  return new DictSpace(
    Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, fromJsonSchema(part)])),
  );
}

function tuple(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'prefixItems', 'items', 'minItems', 'maxItems']);
  const { prefixItems = [], items, minItems, maxItems } = schema;
  const places = prefixItems as unknown[];
  const closed = items === false || maxItems === places.length;
  if (!closed || (minItems ?? 0) !== places.length) {
    throw new UnsupportedSchemaError(schema, '`prefixItems`, all required (`minItems`) and no others (`items: false`)');
  }
  return new TupleSpace(places.map(fromJsonSchema));
}

function sequence(schema: Schema): BaseSpace<unknown> {
  onlyKeywords(schema, ['type', 'items', 'minItems', 'maxItems']);
  const { items, minItems, maxItems } = schema;
  return new SequenceSpace(fromJsonSchema(items), {
    ...(minItems === undefined ? {} : { minLength: minItems as number }),
    ...(maxItems === undefined ? {} : { maxLength: maxItems as number }),
  });
}

function oneOf(schema: Schema, options: readonly unknown[]): BaseSpace<unknown> {
  onlyKeywords(schema, ['anyOf']);
  return new OneOfSpace(
    options.map((option, index) => {
      const places = isRecord(option) && Array.isArray(option.prefixItems) ? option.prefixItems : [];
      if (places.length !== 2 || !isPlainEqual(places[0], { const: index })) {
        throw new UnsupportedSchemaError(option, `a pair of {"const": ${index}} and a schema`, JSON_HINT);
      }
      return fromJsonSchema(places[1]);
    }),
  );
}

function onlyKeywords(schema: Schema, understood: readonly string[]): void {
  const unknown = Object.keys(schema).filter((keyword) => !understood.includes(keyword) && !NOTES.includes(keyword));
  if (unknown.length > 0) {
    throw new UnsupportedSchemaError(schema, `no other keywords than ${understood.join(', ')}`, JSON_HINT);
  }
}
