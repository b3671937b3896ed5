/**
 * Arrays of numbers of one shape between bounds; a bound may be infinite.
 *
 * Rules of bounds, dtypes and sampling follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/box.py`. Members are
 * flat typed arrays in C order; the space holds the shape. Infinities and NaN are not members.
 */
import { checkNames, names } from '../options.js';
import {
  DTYPES,
  type DType,
  isDType,
  isShape,
  isTypedArray,
  makeArray,
  nest,
  placesOf,
  sizeOf,
  type TypedArray,
  type TypedArrays,
  unnest,
} from './arrays.js';
import { BaseSpace, reprTuple } from './base-space.js';
import { InvalidSpaceError } from './errors.js';
import { refuseTooLarge } from './limits.js';
import { refuseMasks } from './masks.js';
import { uniformSchema } from './serialization/nested-schema.js';
import type { JsonSchema, SampleOptions, SpaceJson } from './space.js';

export interface BoxOptions<D extends DType = 'float32'> {
  /** One bound for all elements, or one per element in C order. `-Infinity` for unbounded elements. */
  readonly low: number | ArrayLike<number>;
  readonly high: number | ArrayLike<number>;
  /** Default: one axis as long as the bounds, or of length 1. `[]` is a single number. */
  readonly shape?: readonly number[] | undefined;
  readonly dtype?: D | undefined;
}

/** A description in JSON has more. */
const BOX_SPACE_OPTIONS = [...names<BoxOptions<DType>>({ low: 0, high: 0, shape: 0, dtype: 0 }), 'type'];

const BOX_SPACE_SAMPLE_OPTIONS = names<SampleOptions>({ mask: 0, probability: 0 });

export class BoxSpace<D extends DType = 'float32'> extends BaseSpace<TypedArrays[D]> {
  readonly type = 'box';
  readonly dtype: D;
  readonly shape: readonly number[];
  /** Bounds per element; unbounded ones are infinite (floats) or the end of the dtype's range (integers). */
  readonly low: TypedArrays[D];
  readonly high: TypedArrays[D];
  /** 1 where the element has a finite lower bound, else 0; likewise above. */
  readonly boundedBelow: Uint8Array;
  readonly boundedAbove: Uint8Array;
  readonly #wholeRange: boolean;

  /**
   * @throws {InvalidSpaceError}  NaN or `low > high` in a bound, a bound outside the dtype, an infinite bound of an
   *   unsigned dtype, or lengths that do not fit the shape.
   */
  constructor(options: BoxOptions<D>) {
    checkNames('options', options, BOX_SPACE_OPTIONS);
    const { low, high, shape, dtype = 'float32' as D } = options;
    super();
    if (!isDType(dtype)) throw new InvalidSpaceError('box', dtype, `a dtype: ${Object.keys(DTYPES).join(', ')}`);
    this.dtype = dtype;
    this.shape = Object.freeze([...checkedShape(shape ?? inferredShape(low, high))]);
    const size = sizeOf(this.shape);
    refuseTooLarge('box', this.shape, placesOf(this.shape));
    const lows = checkedBounds('low', low, size, dtype);
    const highs = checkedBounds('high', high, size, dtype);
    this.boundedBelow = flags(lows, size, (bound) => bound > Number.NEGATIVE_INFINITY);
    this.boundedAbove = flags(highs, size, (bound) => bound < Number.POSITIVE_INFINITY);
    this.low = storedBounds(lows, size, dtype);
    this.high = storedBounds(highs, size, dtype);
    const wrong = this.low.findIndex((min, index) => !(min <= this.high[index]!));
    const { float, min, max } = DTYPES[dtype];
    this.#wholeRange = !float && this.low.every((low) => low === min) && this.high.every((high) => high === max);
    if (wrong >= 0)
      throw new InvalidSpaceError(
        'box',
        [lows[wrong] ?? lows[0], highs[wrong] ?? highs[0]],
        'low <= high for every element',
      );
  }

  /** Elements of one member. */
  get size(): number {
    return this.low.length;
  }

  /** True if every element is bounded. */
  get bounded(): boolean {
    return this.boundedBelow.every(Boolean) && this.boundedAbove.every(Boolean);
  }

  /**
   * Each element by its interval: uniform between two bounds, exponential away from one, normal without bounds; whole
   * numbers are the floor of that. Takes no mask.
   */
  override sample(options: SampleOptions = {}): TypedArrays[D] {
    checkNames('options', options, BOX_SPACE_SAMPLE_OPTIONS);

    refuseMasks(this.type, options);
    const { float } = DTYPES[this.dtype];
    const values = new Float64Array(this.size);
    const topOf = (index: number) => this.high[index]! + (float ? 0 : 1);
    // Gymnasium draws kind by kind, not element by element
    this.#fill(values, false, false, () => this.generator.normal());
    this.#fill(values, true, false, (index) => this.generator.exponential() + this.low[index]!);
    this.#fill(values, false, true, (index) => -this.generator.exponential() + topOf(index));
    this.#fill(values, true, true, (index) => {
      const low = this.low[index]!;
      const range = topOf(index) - low;
      const share = this.generator.random();
      // a range wider than the largest double is interpolated from both ends
      return Number.isFinite(range) ? low + range * share : low * (1 - share) + this.high[index]! * share;
    });
    const member = makeArray(this.dtype, this.size);
    for (let index = 0; index < member.length; index += 1) {
      const value = values[index]!;
      member[index] = float ? value : Math.min(Math.max(Math.floor(value), this.low[index]!), this.high[index]!);
    }
    return member;
  }

  toJSON(): SpaceJson {
    return {
      type: this.type,
      dtype: this.dtype,
      shape: this.shape,
      low: writeBounds(this.low, this.boundedBelow, '-Infinity'),
      high: writeBounds(this.high, this.boundedAbove, 'Infinity'),
    };
  }

  toJsonSchema(): JsonSchema {
    const min = extreme(this.low, Math.min);
    const max = extreme(this.high, Math.max);
    const element: JsonSchema = {
      type: DTYPES[this.dtype].float ? 'number' : 'integer',
      ...(Number.isFinite(min) ? { minimum: min } : {}),
      ...(Number.isFinite(max) ? { maximum: max } : {}),
    };
    return { ...uniformSchema(element, this.shape), 'x-vlgym': this.toJSON() };
  }

  override toString(): string {
    const { low, high, dtype, shape } = this;
    return `Box(${reprBounds(low, dtype)}, ${reprBounds(high, dtype)}, ${reprTuple(shape)}, ${dtype})`;
  }

  describe(): string {
    const what = DTYPES[this.dtype].float ? 'numbers' : 'integers';
    const shape = this.shape.length === 0 ? 'one of them' : `shape ${this.shape.join(' x ')}`;
    return `${what} from ${shortBounds(this.low)} to ${shortBounds(this.high)}, ${shape} (${this.dtype})`;
  }

  clone(): BoxSpace<D> {
    return new BoxSpace({ ...this.openBounds(), shape: this.shape, dtype: this.dtype });
  }

  /** The bounds as numbers, an infinity for unbounded elements, also of integers. */
  openBounds(): { low: number[]; high: number[] } {
    return {
      low: Array.from(this.low, (bound, index) => (this.boundedBelow[index] ? bound : Number.NEGATIVE_INFINITY)),
      high: Array.from(this.high, (bound, index) => (this.boundedAbove[index] ? bound : Number.POSITIVE_INFINITY)),
    };
  }

  protected includes(value: unknown): boolean {
    if (!isTypedArray(value, this.dtype, this.size)) return false;
    if (this.#wholeRange) return true;
    for (let index = 0; index < value.length; index += 1) {
      const element = value[index]!;
      if (!(element >= this.low[index]! && element <= this.high[index]! && Number.isFinite(element))) return false;
    }
    return true;
  }

  protected write(value: TypedArrays[D]): unknown {
    return nest(value, this.shape);
  }

  protected read(json: unknown): unknown {
    return unnest(json, this.shape, this.dtype);
  }

  #fill(values: Float64Array, below: boolean, above: boolean, draw: (index: number) => number): void {
    for (let index = 0; index < values.length; index += 1) {
      if (Boolean(this.boundedBelow[index]) === below && Boolean(this.boundedAbove[index]) === above) {
        values[index] = draw(index);
      }
    }
  }
}

function inferredShape(low: number | ArrayLike<number>, high: number | ArrayLike<number>): readonly number[] {
  const listed = typeof low === 'number' ? high : low;
  return [typeof listed === 'number' ? 1 : listed.length];
}

function checkedShape(shape: unknown): readonly number[] {
  if (isShape(shape)) return shape;
  throw new InvalidSpaceError('box', shape, 'a shape: a list of whole lengths');
}

/** One bound for all elements stays one: a large box should not need an additional array of doubles. */
function checkedBounds(
  side: 'low' | 'high',
  bound: number | ArrayLike<number>,
  size: number,
  dtype: DType,
): Float64Array {
  const bounds = typeof bound === 'number' ? Float64Array.of(bound) : Float64Array.from(bound);
  if (typeof bound !== 'number' && bounds.length !== size)
    throw new InvalidSpaceError('box', bound, `a number or ${size} numbers as ${side}`);
  const { float, min, max } = DTYPES[dtype];
  const open = side === 'low' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const mayBeOpen = min < 0;
  const wrong = bounds.find((value) =>
    value === open ? !mayBeOpen : !(value >= min && value <= max && (float || Number.isInteger(value))),
  );
  if (wrong !== undefined) {
    const kind = float ? 'a number' : 'an integer';
    const orOpen = mayBeOpen ? ` or ${open}` : '';
    throw new InvalidSpaceError('box', wrong, `${kind} from ${min} to ${max}${orOpen} as ${side} of ${dtype}`);
  }
  return bounds;
}

function storedBounds<D extends DType>(bounds: Float64Array, size: number, dtype: D): TypedArrays[D] {
  const { float, min, max } = DTYPES[dtype];
  const stored = makeArray(dtype, size);
  // integers have no infinity: the end of the range replaces it; -0 becomes 0, because JSON text has no -0
  const store = (bound: number) => (float ? bound + 0 : Math.min(Math.max(bound, min), max));
  if (bounds.length === size) for (const [index, bound] of bounds.entries()) stored[index] = store(bound);
  else stored.fill(store(bounds[0]!));
  return stored;
}

/** 1 where the bound passes. */
function flags(bounds: Float64Array, size: number, passes: (bound: number) => boolean): Uint8Array {
  if (bounds.length === size) return Uint8Array.from(bounds, (bound) => Number(passes(bound)));
  return new Uint8Array(size).fill(Number(passes(bounds[0]!)));
}

/** As Gymnasium writes bounds: one number if all are equal, otherwise a list, shortened in the middle if it is long. */
function reprBounds(bounds: TypedArray, dtype: DType): string {
  const { float } = DTYPES[dtype];
  const written = (bound: number) => (float ? reprFloat(bound, dtype) : String(bound));
  const first = bounds[0];
  if (first === undefined) return '[]';
  if (bounds.every((bound) => bound === first)) return written(first);
  const list = Array.from(bounds.slice(0, 6), written);
  return `[${list.join(' ')}${bounds.length > 6 ? ' ...' : ''}]`;
}

/** A float as Python prints it: `0.0`, `-inf`, the shortest digits that round-trip a `float32`. */
function reprFloat(value: number, dtype: DType): string {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  let short = value;
  for (let digits = 1; dtype === 'float32' && digits <= 9; digits += 1) {
    short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) break;
  }
  const text = String(short).replace(/e([+-])(\d)$/, 'e$10$2');
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** One number if all bounds are equal; a word if unbounded. */
function writeBounds(bounds: TypedArray, bounded: Uint8Array, open: string): unknown {
  const written = Array.from(bounds, (bound, index) => (bounded[index] ? bound : open));
  return written.length > 0 && written.every((bound) => bound === written[0]) ? written[0] : written;
}

function extreme(bounds: TypedArray, pick: (a: number, b: number) => number): number {
  let found = bounds[0] ?? 0;
  for (const bound of bounds) found = pick(found, bound);
  return found;
}

function shortBounds(bounds: TypedArray): string {
  const shown = [...new Set(bounds)];
  return shown.length <= 4 ? shown.join(' / ') : `${shown.slice(0, 3).join(' / ')} / …`;
}
