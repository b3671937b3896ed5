/**
 * Several choices at once: one whole number per element, each with its own count and start.
 *
 * Mask and sampling rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/multi_discrete.py`; members are
 * 32-bit here.
 */
import { checkNames, names } from '../options.js';
import { isShape, isTypedArray, nest, placesOf, sizeOf, unnest } from './arrays.js';
import { BaseSpace } from './base-space.js';
import { InvalidMaskError, InvalidSpaceError } from './errors.js';
import { refuseTooLarge } from './limits.js';
import { allowedIndices, checkedWeights, type EntryMask, type MaskOptions, onlyOne } from './masks.js';
import { nestedSchema } from './serialization/nested-schema.js';
import type { JsonSchema, SpaceJson } from './space.js';

export interface MultiDiscreteOptions {
  /** The smallest value of each element; default 0. */
  readonly start?: readonly number[] | undefined;
  /** Default: one axis. The counts are in C order. */
  readonly shape?: readonly number[] | undefined;
}

/** Gymnasium's tolerance for the sum of weights here (`numpy.isclose`); they are divided by their sum. */
const LOOSE = 1e-5 + 1e-8;
const MIN_INT32 = -2147483648;
const MAX_INT32 = 2147483647;

/** A description in JSON has more. */
const MULTI_DISCRETE_SPACE_OPTIONS = [...names<MultiDiscreteOptions>({ start: 0, shape: 0 }), 'type', 'counts'];

const MULTI_DISCRETE_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class MultiDiscreteSpace extends BaseSpace<Int32Array> {
  readonly type = 'multiDiscrete';
  /** Number of values of each element, C order. */
  readonly counts: readonly number[];
  readonly start: readonly number[];
  readonly shape: readonly number[];

  /**
   * @throws {InvalidSpaceError}  A count below 1, values beyond 32 bits, or lengths that do not fit.
   * @throws {SpaceTooLargeError}  More than 67 million elements, or empty lists, in the shape.
   */
  constructor(counts: readonly number[], options: MultiDiscreteOptions = {}) {
    checkNames('options', options, MULTI_DISCRETE_SPACE_OPTIONS);
    const { start, shape } = options;
    super();
    const starts = start ?? counts.map(() => 0);
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 1)) {
      throw new InvalidSpaceError('multiDiscrete', counts, 'counts of 1 or more');
    }
    if (starts.length !== counts.length || !starts.every((value, index) => fits(value, counts[index]!))) {
      throw new InvalidSpaceError('multiDiscrete', starts, `${counts.length} starts, all values within 32 bits`);
    }
    if (shape !== undefined && !(isShape(shape) && sizeOf(shape) === counts.length)) {
      throw new InvalidSpaceError('multiDiscrete', shape, `a shape of ${counts.length} elements`);
    }
    refuseTooLarge('multiDiscrete', shape, placesOf(shape ?? [counts.length]));
    this.counts = Object.freeze([...counts]);
    this.start = Object.freeze([...starts]);
    this.shape = Object.freeze([...(shape ?? [counts.length])]);
  }

  /**
   * @param options  `mask` and `probability` are lists with one list per element, C order; see `DiscreteSpace`.
   * @throws {InvalidMaskError}  A wrong layout, or both at once.
   */
  override sample(options: MaskOptions<readonly EntryMask[]> = {}): Int32Array {
    checkNames('options', options, MULTI_DISCRETE_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    if (given === undefined) {
      return Int32Array.from(this.counts, (count, index) => {
        return Math.floor(this.generator.random() * count) + this.start[index]!;
      });
    }
    const { kind, value: lists } = given;
    if (!Array.isArray(lists) || lists.length !== this.counts.length) {
      throw new InvalidMaskError(kind, lists, `${this.counts.length} lists, one per element`);
    }
    const draw = kind === 'mask' ? this.#masked : this.#weighted;
    return Int32Array.from(this.counts, (count, index) => draw.call(this, lists[index], count) + this.start[index]!);
  }

  toJSON(): SpaceJson {
    const { counts, start, shape } = this;
    return {
      type: this.type,
      counts,
      ...(start.some((value) => value !== 0) ? { start } : {}),
      ...(shape.length === 1 ? {} : { shape }),
    };
  }

  toJsonSchema(): JsonSchema {
    const bounds = this.counts.map((count, index): JsonSchema => {
      return { type: 'integer', minimum: this.start[index]!, maximum: this.start[index]! + count - 1 };
    });
    return { ...nestedSchema(bounds, this.shape), 'x-vlgym': this.toJSON() };
  }

  override toString(): string {
    const start = this.start.some((value) => value !== 0) ? `, start=${this.#repr(this.start)}` : '';
    return `MultiDiscrete(${this.#repr(this.counts)}${start})`;
  }

  /** Numbers in the space's shape, as NumPy prints them, on one line. */
  #repr(numbers: readonly number[]): string {
    const text = JSON.stringify(nest(numbers, this.shape));
    return text.replaceAll(',', ' ');
  }

  describe(): string {
    const ranges = this.counts.map((count, index) => `${this.start[index]!}..${this.start[index]! + count - 1}`);
    const shown = ranges.length > 6 ? [...ranges.slice(0, 5), '…'] : ranges;
    const shape = this.shape.length === 1 ? '' : `, shape ${this.shape.join(' x ')}`;
    return `${this.counts.length} integers in ${shown.join(', ')}${shape} (int32)`;
  }

  clone(): MultiDiscreteSpace {
    return new MultiDiscreteSpace(this.counts, { start: this.start, shape: this.shape });
  }

  protected includes(value: unknown): boolean {
    return (
      isTypedArray(value, 'int32', this.counts.length) &&
      this.counts.every((count, index) => {
        const offset = value[index]! - this.start[index]!;
        return offset >= 0 && offset < count;
      })
    );
  }

  protected write(value: Int32Array): unknown {
    return nest(value, this.shape);
  }

  protected read(json: unknown): unknown {
    return unnest(json, this.shape, 'int32');
  }

  #masked(mask: unknown, count: number): number {
    const allowed = allowedIndices(mask, count);
    return allowed.length === 0 ? 0 : this.generator.choice(allowed);
  }

  #weighted(weights: unknown, count: number): number {
    const checked = checkedWeights(weights, count, LOOSE);
    const sum = checked.reduce((total, weight) => total + weight, 0);
    const likely = [...checked.keys()].filter((index) => checked[index]! > 0);
    return this.generator.choice(likely, { p: likely.map((index) => checked[index]! / sum) });
  }
}

function fits(start: number, count: number): boolean {
  return Number.isSafeInteger(start) && start >= MIN_INT32 && start + count - 1 <= MAX_INT32;
}
