/** Metadata by key, with its type checked where it is asked for. */
import { show } from '@vlgym/core';
import { GgufInvalidError } from './errors.js';
import type { Metadata, MetadataValue } from './metadata.js';

export class Fields {
  constructor(
    readonly path: string,
    private readonly metadata: Metadata,
  ) {}

  keys(): string[] {
    return [...this.metadata.keys()];
  }

  text(key: string): string | undefined {
    return this.#typed(key, 'text', (value) => typeof value === 'string') as string | undefined;
  }

  flag(key: string): boolean | undefined {
    return this.#typed(key, 'true or false', (value) => typeof value === 'boolean') as boolean | undefined;
  }

  texts(key: string): readonly string[] {
    const isTexts = (value: MetadataValue) => Array.isArray(value);
    return (this.#typed(key, 'a list of texts', isTexts) ?? this.#missing(key)) as readonly string[];
  }

  /** A list of one number for each token. */
  integers(key: string): ArrayLike<number> {
    const isList = (value: MetadataValue) => value instanceof Int32Array || value instanceof Uint32Array;
    return (this.#typed(key, 'a list of 32-bit integers', isList) ?? this.#missing(key)) as ArrayLike<number>;
  }

  /** A list of one float32 for each token. */
  floats(key: string): Float32Array {
    const isList = (value: MetadataValue) => value instanceof Float32Array;
    return (this.#typed(key, 'a list of float32 numbers', isList) ?? this.#missing(key)) as Float32Array;
  }

  /** Positive. */
  optionalSize(key: string): number | undefined {
    const isSize = (value: MetadataValue) => typeof value === 'number' && Number.isInteger(value) && value > 0;
    return this.#typed(key, 'a positive integer', isSize) as number | undefined;
  }

  size(key: string): number {
    return this.optionalSize(key) ?? this.#missing(key);
  }

  /** Positive. A float32 as the shortest decimal that rounds to it: `1e-5`, as its author wrote it. */
  positive(key: string): number | undefined {
    const isPositive = (value: MetadataValue) => typeof value === 'number' && value > 0 && value < Infinity;
    const value = this.#typed(key, 'a positive number', isPositive) as number | undefined;
    return value === undefined ? undefined : shortest(value);
  }

  /** An id below `tokens`. */
  token(key: string, tokens: number): number | undefined {
    const isToken = (value: MetadataValue) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < tokens;
    return this.#typed(key, `an id from 0 to ${tokens - 1}`, isToken) as number | undefined;
  }

  get(key: string): MetadataValue | undefined {
    return this.metadata.get(key);
  }

  #typed(key: string, expected: string, isRight: (value: MetadataValue) => boolean): MetadataValue | undefined {
    const value = this.metadata.get(key);
    if (value === undefined || isRight(value)) return value;
    throw new GgufInvalidError(this.path, `${key} is ${show(value)}`, { value, expected });
  }

  #missing(key: string): never {
    throw new GgufInvalidError(this.path, `it has no ${key}`, {
      value: key,
      expected: 'the metadata of a whole language model',
      hint: 'choose the file of the model itself, not an adapter, a projector or a later part of a split file',
    });
  }
}

/** Also for doubles that are no float32: these stay as they are. */
function shortest(value: number): number {
  if (Math.fround(value) !== value) return value;
  for (let digits = 1; digits <= 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}
