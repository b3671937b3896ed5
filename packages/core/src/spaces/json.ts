/**
 * JSON data of any shape that a schema accepts: zod, or any other library that implements Standard Schema.
 *
 * Members are JSON data that the schema accepts unchanged. A value that it would change (defaults, coercions) is not a
 * member, but `decode` accepts it and returns the changed value. Interface: https://standardschema.dev, version 1.
 */
import { z } from 'zod';
import { checkNames, names } from '../options.js';
import type { Generator } from '../random/index.js';
import { BaseSpace } from './base-space.js';
import { InvalidSpaceError, InvalidValueError, SamplerMissingError, UnsupportedSchemaError } from './errors.js';
import { refuseMasks } from './masks.js';
import { isJsonData, isPlainEqual } from './serialization/json-data.js';
import type { JsonSchema, SampleOptions, SpaceJson } from './space.js';

interface SchemaIssue {
  readonly message: string;
}
type SchemaResult<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** The part of a Standard Schema that this space uses. */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    /** Standard JSON Schema, if the library supports it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

export type SchemaValue<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

export interface JsonOptions<T> {
  /** Draws one member; without it `sample` is an error. */
  readonly sampler?: ((generator: Generator) => T) | undefined;
  /** The JSON Schema of members, for libraries that cannot export it. */
  readonly jsonSchema?: JsonSchema | undefined;
}

const JSON_SPACE_OPTIONS = names<JsonOptions<unknown>>({ sampler: 0, jsonSchema: 0 });

const JSON_SPACE_SAMPLE_OPTIONS = names<SampleOptions>({ mask: 0, probability: 0 });

export class JsonSpace<T> extends BaseSpace<T> {
  readonly type = 'json';
  readonly schema: StandardSchema<T>;
  readonly #options: JsonOptions<T>;

  /** @throws {InvalidSpaceError} `schema` is not a Standard Schema. */
  constructor(schema: StandardSchema<T>, options: JsonOptions<T> = {}) {
    checkNames('options', options, JSON_SPACE_OPTIONS);
    super();
    const standard = schema?.['~standard'];
    if (typeof standard?.validate !== 'function' || standard.version !== 1) {
      throw new InvalidSpaceError(this.type, schema, 'a zod schema or another Standard Schema, version 1');
    }
    this.schema = schema;
    this.#options = options;
  }

  /**
   * One member from the `sampler` of this space. Takes no mask.
   *
   * @throws {SamplerMissingError} The space has no sampler.
   * @throws {InvalidValueError} The sampler returned a value that is not a member.
   */
  override sample(options: SampleOptions = {}): T {
    checkNames('options', options, JSON_SPACE_SAMPLE_OPTIONS);

    refuseMasks(this.type, options);
    const { sampler } = this.#options;
    if (!sampler) throw new SamplerMissingError(this.type);
    const value = sampler(this.generator);
    if (!this.contains(value)) throw new InvalidValueError(value, this.describe());
    return value;
  }

  /** Without the sampler, which is a function. */
  toJSON(): SpaceJson {
    return { type: this.type, schema: this.toJsonSchema() };
  }

  /** @throws {UnsupportedSchemaError} The schema's library cannot export it as JSON Schema. */
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
      const texts = [description, title, typeof type === 'string' ? `JSON data: ${type}` : undefined];
      return String(texts.find((text) => typeof text === 'string') ?? 'JSON data that its schema accepts');
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
    result.then(undefined, () => {}); // the promise is not awaited
    throw new InvalidSpaceError(this.type, 'a promise', 'a synchronous schema', 'remove its async refinements');
  }
}

const SCHEMA_HINT = 'pass the JSON Schema: `spaces.json(schema, { jsonSchema })`';

/** Libraries with Standard JSON Schema export it themselves; older zod has its own function. */
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
  throw new UnsupportedSchemaError(standard.vendor, 'zod or another library that exports JSON Schema', SCHEMA_HINT);
}

/** Plain data that can be embedded in another schema. */
function embeddable(jsonSchema: unknown): JsonSchema {
  const text = JSON.stringify(jsonSchema);
  const { $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>;
  // a reference such as `#/$defs/node` must resolve within this schema when it is embedded
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
