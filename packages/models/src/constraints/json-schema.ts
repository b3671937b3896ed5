/**
 * The texts that a JSON schema allows, as an expression: objects with their properties in the order of the schema, one
 * space after colons and commas, and none elsewhere.
 *
 * Covers type, enum, const, properties, required, items, minItems, maxItems, minLength, maxLength and anyOf. A schema
 * that asks for more is an error, since a text that breaks it would pass.
 */
import { GymError } from '@vlgym/core';
import { beyondAscii, bytes, choice, type Expression, literal, repeat, sequence } from './expression.js';

export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly [key: string]: unknown;
}

/** A part of a schema that has no meaning here. */
export class JsonSchemaError extends GymError {
  constructor(path: string, value: unknown, expected: string) {
    super(`Unsupported JSON schema at ${path}: ${JSON.stringify(value)?.slice(0, 80)}.`, {
      code: 'JSON_SCHEMA_UNSUPPORTED',
      value,
      expected,
      hint: 'leave the part out and check it in what comes back',
    });
  }
}

const KNOWN = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'properties', 'required', 'items', 'minItems', 'maxItems', 'minLength'],
  ...['maxLength', 'additionalProperties', 'title', 'description', 'default', 'examples', '$schema'],
]);

const digit = bytes(0x30, 0x39);
const integer = sequence(
  repeat(literal('-'), 0, 1),
  choice(literal('0'), sequence(bytes(0x31, 0x39), repeat(digit, 0, 14))),
);
const number = sequence(
  integer,
  repeat(sequence(literal('.'), digit, repeat(digit, 0, 14)), 0, 1),
  repeat(sequence(choice(literal('e'), literal('E')), repeat(choice(literal('+'), literal('-')), 0, 1), digit), 0, 1),
);
const hexDigit = choice(digit, bytes(0x41, 0x46), bytes(0x61, 0x66));
const isBelowSurrogates = choice(
  sequence(choice(digit, bytes(0x41, 0x43), bytes(0x61, 0x63)), hexDigit, hexDigit, hexDigit),
  sequence(choice(literal('d'), literal('D')), bytes(0x30, 0x37), hexDigit, hexDigit),
);
/** A character of a string: as it is, or escaped. */
const character = choice(
  bytes(0x20, 0x21),
  bytes(0x23, 0x5b),
  bytes(0x5d, 0x7e),
  beyondAscii,
  sequence(literal('\\'), choice(...['"', '\\', '/', 'b', 'f', 'n', 'r', 't'].map(literal))),
  sequence(literal('\\u'), isBelowSurrogates),
);

/** @throws {JsonSchemaError} The schema asks for something that is not covered. */
export function jsonExpression(schema: JsonSchema, path = '#'): Expression {
  for (const key of Object.keys(schema)) {
    if (!KNOWN.has(key)) throw new JsonSchemaError(`${path}/${key}`, schema[key], `one of ${[...KNOWN].join(', ')}`);
  }
  if (schema.const !== undefined) return literal(spaced(schema.const));
  if (schema.enum) return choice(...schema.enum.map((value) => literal(spaced(value))));
  if (schema.anyOf) return choice(...schema.anyOf.map((option, i) => jsonExpression(option, `${path}/anyOf/${i}`)));
  switch (schema.type) {
    case 'object':
      return object(schema, path);
    case 'array':
      return array(schema, path);
    case 'string':
      return sequence(literal('"'), repeat(character, schema.minLength ?? 0, schema.maxLength), literal('"'));
    case 'integer':
      return integer;
    case 'number':
      return number;
    case 'boolean':
      return choice(literal('true'), literal('false'));
    case 'null':
      return literal('null');
    default:
      throw new JsonSchemaError(`${path}/type`, schema.type, 'a type, or an enum, a const or anyOf in its place');
  }
}

function object({ properties = {}, required = Object.keys(properties) }: JsonSchema, path: string): Expression {
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw new JsonSchemaError(`${path}/required`, unknown, 'a name of `properties`');
  const members = Object.entries(properties).map(([name, schema]) => ({
    isRequired: required.includes(name),
    text: sequence(literal(`${JSON.stringify(name)}: `), jsonExpression(schema, `${path}/properties/${name}`)),
  }));
  return sequence(literal('{'), listOf(members), literal('}'));
}

/** Members in order, with commas between those that are there. */
function listOf(members: readonly { readonly isRequired: boolean; readonly text: Expression }[]): Expression {
  let [none, some]: [Expression | null, Expression | null] = [sequence(), null];
  for (const { isRequired, text } of members) {
    const first = none && text;
    const later: Expression | null = some && sequence(some, literal(', '), text);
    const present = [first, later].filter((option) => option !== null);
    const kept: Expression[] = isRequired || !some ? present : [...present, some];
    some = kept.length === 1 ? kept[0]! : choice(...kept);
    if (isRequired) none = null;
  }
  const options = [none, some].filter((option) => option !== null);
  return options.length === 1 ? options[0]! : choice(...options);
}

function array({ items, minItems = 0, maxItems }: JsonSchema, path: string): Expression {
  if (!items) throw new JsonSchemaError(`${path}/items`, items, 'a schema for the items');
  const item = jsonExpression(items, `${path}/items`);
  if (maxItems !== undefined && maxItems < Math.max(minItems, 0)) {
    throw new JsonSchemaError(`${path}/maxItems`, maxItems, 'at least minItems');
  }
  if (maxItems === 0) return literal('[]');
  const rest = repeat(sequence(literal(', '), item), Math.max(minItems - 1, 0), maxItems && maxItems - 1);
  const filled = sequence(literal('['), item, rest, literal(']'));
  return minItems > 0 ? filled : choice(literal('[]'), filled);
}

/** As Python's `json.dumps` writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
