/**
 * JSON data of any shape that a schema accepts: zod, or any other library that speaks Standard Schema.
 *
 * Members are JSON data that the schema accepts and leaves as they are; what it would change (defaults, coercions) is
 * no member, but `decode` takes it and returns the changed value. Interface: https://standardschema.dev, version 1.
 */
import { z } from 'zod';
import type { Generator } from '../random/index.js';
import { BaseSpace } from './base-space.js';
import { InvalidSpaceError, InvalidValueError, SamplerMissingError, UnsupportedSchemaError } from './errors.js';
import { isJsonData, isPlainEqual } from './json-data.js';
import { refuseMasks } from './masks.js';
import type { JsonSchema, SampleOptions, SpaceJson } from './space.js';

interface SchemaIssue {
  readonly message: string;
}
type SchemaResult<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** What this space needs of a Standard Schema. */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    /** Standard JSON Schema, where the library knows it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

export type SchemaValue<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

export interface JsonOptions<T> {
  /** Draws one member; without it `sample` is an error. */
  readonly sampler?: (generator: Generator) => T;
  /** The JSON Schema of members, for libraries that cannot tell it themselves. */
  readonly jsonSchema?: JsonSchema;
}

export class JsonSpace<T> extends BaseSpace<T> {
  readonly type = 'json';
  readonly schema: StandardSchema<T>;
  readonly #options: JsonOptions<T>;

  /** @throws {InvalidSpaceError} `schema` is no Standard Schema. */
  constructor(schema: StandardSchema<T>, options: JsonOptions<T> = {}) {
    super();
    const standard = schema?.['~standard'];
    if (typeof standard?.validate !== 'function' || standard.version !== 1) {
      throw new InvalidSpaceError(this.type, schema, 'a zod schema or another Standard Schema, version 1');
    }
    this.schema = schema;
    this.#options = options;
  }

  /**
   * One member from the `sampler` this space was made with. Takes no mask.
   *
   * @throws {SamplerMissingError} There is no sampler.
   * @throws {InvalidValueError} The sampler returned what is no member.
   */
  override sample(options: SampleOptions = {}): T {
    refuseMasks(this.type, options);
    const { sampler } = this.#options;
    if (!sampler) throw new SamplerMissingError(this.type);
    const value = sampler(this.generator);
    if (!this.contains(value)) throw new InvalidValueError(value, this.describe());
    return value;
  }

  /** Without the sampler, which is no data. */
  toJSON(): SpaceJson {
    return { type: this.type, schema: this.toJsonSchema() };
  }

  /** @throws {UnsupportedSchemaError} The library of the schema cannot tell it as JSON Schema. */
  toJsonSchema(): JsonSchema {
    return this.#options.jsonSchema ?? jsonSchemaOf(this.schema);
  }

  /** Not in Gymnasium. */
  override toString(): string {
    return `Json(${this.describe()})`;
  }

  describe(): string {
    try {
      const { description, title, type } = this.toJsonSchema();
      const told = [description, title, typeof type === 'string' ? `JSON data: ${type}` : undefined];
      return String(told.find((text) => typeof text === 'string') ?? 'JSON data that its schema accepts');
    } catch {
      return 'JSON data that its schema accepts';
    }
  }

  clone(): JsonSpace<T> {
    return new JsonSpace(this.schema, this.#options);
  }

  protected includes(value: unknown): boolean {
    if (!isJsonData(value)) return false;
    const result = this.#validate(value);
    return result.issues === undefined && isPlainEqual(result.value, value);
  }

  protected write(value: T): unknown {
    return structuredClone(value);
  }

  protected read(json: unknown): unknown {
    const result = this.#validate(json);
    if (result.issues === undefined) return result.value;
    throw new InvalidValueError(json, result.issues.map((issue) => issue.message).join('; '));
  }

  #validate(value: unknown): SchemaResult<T> {
    const result = this.schema['~standard'].validate(value);
    if (!('then' in result)) return result;
    result.then(undefined, () => {}); // nobody waits for it
    throw new InvalidSpaceError(this.type, 'a promise', 'a schema that answers at once', 'drop its async refinements');
  }
}

const SCHEMA_HINT = 'give the JSON Schema: `spaces.json(schema, { jsonSchema })`';

/** Libraries that know Standard JSON Schema tell it themselves; older zod is asked through its own function. */
function jsonSchemaOf(schema: StandardSchema): JsonSchema {
  const standard = schema['~standard'];
  const target = 'draft-2020-12';
  try {
    // the input side: members are what the schema accepts
    if (standard.jsonSchema) return embeddable(standard.jsonSchema.input({ target }));
    if (standard.vendor === 'zod')
      return embeddable(z.toJSONSchema(schema as unknown as z.ZodType, { io: 'input', target }));
  } catch (cause) {
    throw new UnsupportedSchemaError(standard.vendor, 'a schema of JSON data', SCHEMA_HINT, cause);
  }
  throw new UnsupportedSchemaError(standard.vendor, 'zod or another library that knows JSON Schema', SCHEMA_HINT);
}

/** Plain data that can stand inside another schema. */
function embeddable(told: unknown): JsonSchema {
  const text = JSON.stringify(told);
  const { $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>;
  // a reference such as `#/$defs/node` must lead into this schema, wherever it stands
  return text.includes('"$ref":"#') ? { $id: `urn:vlgym:schema:${checksum(text)}`, ...schema } : schema;
}

/** FNV-1a, 32 bits: the same schema gets the same name everywhere. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * The space of JSON data that a JSON Schema accepts, as `fromJSON` needs it; it has no sampler.
 *
 * @throws {UnsupportedSchemaError} zod cannot read the schema, or is too old to read any.
 */
export function jsonSpaceOf(jsonSchema: JsonSchema): JsonSpace<unknown> {
  const readSchema = z.fromJSONSchema as typeof z.fromJSONSchema | undefined;
  if (!readSchema) {
    throw new UnsupportedSchemaError(jsonSchema, 'zod 4.2 or newer, which reads JSON Schema', 'update zod');
  }
  try {
    return new JsonSpace<unknown>(readSchema(jsonSchema as Parameters<typeof readSchema>[0]), { jsonSchema });
  } catch (cause) {
    throw new UnsupportedSchemaError(jsonSchema, 'a JSON Schema that zod can read', 'use fewer keywords', cause);
  }
}
