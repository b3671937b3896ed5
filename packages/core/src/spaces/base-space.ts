/**
 * The common base of spaces: a generator, created on first use, and the conversion of failed checks into errors.
 *
 * Seeding rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/space.py`.
 */
import { freshSeed, Generator, type GeneratorState } from '../random/index.js';
import { checkSeed } from '../random/seed-sequence.js';
import { InvalidValueError } from './errors.js';
import { SPACE_MARKER } from './kinds.js';
import { isPlainEqual } from './serialization/json-data.js';
import type { JsonSchema, SampleOptions, Space, SpaceJson } from './space.js';

/** A list of numbers as Python writes a tuple: `(60, 80, 3)`, `(5,)`, `()`. */
export function reprTuple(numbers: readonly number[]): string {
  return `(${numbers.join(', ')}${numbers.length === 1 ? ',' : ''})`;
}

export abstract class BaseSpace<T> implements Space<T> {
  abstract readonly type: string;
  #generator: Generator | undefined;

  get [SPACE_MARKER](): true {
    return true;
  }

  abstract sample(options?: SampleOptions): T;
  abstract toJSON(): SpaceJson;
  abstract toJsonSchema(): JsonSchema;
  abstract describe(): string;
  /** As Gymnasium prints such a space: `Discrete(3)`, `Box(0, 255, (60, 80, 3), uint8)`. */
  abstract toString(): string;
  /** A space with the same definition and its own, unseeded generator. */
  abstract clone(): BaseSpace<T>;

  /** Membership; may throw on hostile values. */
  protected abstract includes(value: unknown): boolean;
  /** JSON data for a member. */
  protected abstract write(value: T): unknown;
  /** A candidate from JSON data; may throw, and may return a value that is not a member. */
  protected abstract read(json: unknown): unknown;

  contains(value: unknown): value is T {
    try {
      return this.includes(value);
    } catch {
      return false; // a getter or a proxy threw, or the nesting is deeper than the stack
    }
  }

  /** @throws {InvalidValueError} `value` is not a member. */
  encode(value: T): unknown {
    if (!this.contains(value)) throw new InvalidValueError(value, this.describe());
    return this.write(value);
  }

  /** @throws {InvalidValueError} `json` does not encode a member. */
  decode(json: unknown): T {
    let value: unknown;
    try {
      value = this.read(json);
    } catch (cause) {
      throw new InvalidValueError(json, this.describe(), cause);
    }
    if (!this.contains(value)) throw new InvalidValueError(json, this.describe());
    return value;
  }

  seed(seed?: unknown): unknown {
    return this.seedOwn(seed);
  }

  getState(): unknown {
    return this.generator.getState();
  }

  setState(state: unknown): void {
    this.generator.setState(state as GeneratorState);
  }

  /** State of this space's own generator, without those of inner spaces. */
  ownState(): GeneratorState {
    return this.generator.getState();
  }

  /** Advances this space's own generator by one double. */
  skipOne(): void {
    this.generator.random();
  }

  equals(other: Space): boolean {
    return other.type === this.type && isPlainEqual(this.toJSON(), other.toJSON());
  }

  protected get generator(): Generator {
    this.#generator ??= new Generator();
    return this.#generator;
  }

  /** Restarts this space's own generator; returns the seed used. */
  protected seedOwn(seed: unknown = freshSeed()): number | bigint {
    const checked = checkSeed(seed);
    this.#generator = new Generator(checked);
    return checked;
  }
}
