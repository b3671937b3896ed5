/**
 * Several members of one space as one value, as vector environments return them.
 *
 * Numbers become arrays with an extra axis, objects and tuples are batched inside, everything else becomes a list.
 * Rules, generators included, follow `Farama-Foundation/Gymnasium`, `gymnasium/vector/utils/space_utils.py`.
 */
import { Generator } from '../../random/index.js';
import { isRecord } from '../../type-tests.js';
import { DTYPES, type DType, makeArray, type TypedArray } from '../arrays.js';
import type { BaseSpace } from '../base-space.js';
import { BoxSpace } from '../box.js';
import { DictSpace } from '../composite/dict.js';
import { asBaseSpace } from '../composite/parts.js';
import { TupleSpace } from '../composite/tuple.js';
import type { DiscreteSpace } from '../discrete.js';
import { InvalidSpaceError, InvalidValueError } from '../errors.js';
import { isKind } from '../kinds.js';
import { refuseTooLarge } from '../limits.js';
import { MultiDiscreteSpace } from '../multi-discrete.js';
import type { Space } from '../space.js';

/** Upper bound of sub-seeds of lists, as in Gymnasium. */
const SUB_SEEDS = 1e8;

/**
 * The space of `count` members of `space`; its generators start in the current state of those of `space`.
 *
 * | space | batch |
 * |---|---|
 * | box, shape s | box, shape [count, ...s] |
 * | discrete within 32 bits | multiDiscrete of `count` |
 * | multiDiscrete, multiBinary, shape s | box of the same dtype, shape [count, ...s] |
 * | tuple, dict | the same with every part batched |
 * | any other | tuple of `count` copies, each with its own seed |
 *
 * @throws {InvalidSpaceError} `count` is not a positive integer.
 */
export function batchSpace(space: Space, count: number): BaseSpace<unknown> {
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidSpaceError('batched', count, 'a count of 1 or more');
  if (isKind(space, 'tuple')) return new TupleSpace(space.spaces.map((part: Space) => batchSpace(part, count)));
  if (isKind(space, 'dict')) {
    return new DictSpace(Object.fromEntries(space.keys.map((key) => [key, batchSpace(space.spaces[key]!, count)])));
  }
  refuseTooLarge('batched', count, count * numbersIn(space));
  const batched = batchNumbers(space, count);
  if (batched) {
    batched.setState(space.getState());
    return batched;
  }
  const original = asBaseSpace(space);
  const generator = new Generator(0);
  generator.setState(original.ownState());
  const copies = new TupleSpace(Array.from({ length: count }, () => original.clone()));
  copies.seed(generator.integersArray(0, SUB_SEEDS, count));
  return copies;
}

/**
 * Members of `space` → one member of `batchSpace(space, values.length)`.
 *
 * @throws {InvalidValueError} A value is not a member, or `values` is empty.
 */
export function concatenate<T>(space: Space<T>, values: readonly T[]): unknown {
  const wrong = values.findIndex((value) => !space.contains(value));
  if (wrong >= 0) throw new InvalidValueError(values[wrong], space.describe());
  if (values.length === 0) throw new InvalidValueError(values, 'at least one member');
  return join(space, values);
}

/**
 * One member of `batchSpace(space, count)` → copies of the members it was made of.
 *
 * @param count  Expected number of members; needed only if the batch has no arrays that show it.
 * @throws {InvalidValueError} `batch` does not have the layout of a batch of `space`, or a part is not a member.
 */
export function iterate<T>(space: Space<T>, batch: unknown, count?: number): T[] {
  const values = split(space, batch, count);
  if (count !== undefined && values.length !== count) throw new InvalidValueError(batch, `a batch of ${count}`);
  return values.map((value) => {
    if (!space.contains(value)) throw new InvalidValueError(value, space.describe());
    return value;
  });
}

function isSmallDiscrete(space: Space): space is DiscreteSpace {
  if (!isKind(space, 'discrete')) return false;
  const { min, max } = DTYPES.int32;
  return space.start >= min && space.start + space.n - 1 <= max;
}

/** Numbers in one member: a batch that is too large is refused before its bounds are allocated. */
function numbersIn(space: Space): number {
  if (isKind(space, 'box') || isKind(space, 'multiBinary')) return space.size;
  return isKind(space, 'multiDiscrete') ? space.counts.length : 1;
}

function batchNumbers(space: Space, count: number): BaseSpace<TypedArray> | undefined {
  const repeat = (values: ArrayLike<number>) => {
    return Array.from({ length: count * values.length }, (_, index) => values[index % values.length]!);
  };
  if (isSmallDiscrete(space)) {
    return new MultiDiscreteSpace(new Array(count).fill(space.n), { start: new Array(count).fill(space.start) });
  }
  if (isKind(space, 'box')) {
    const { low, high } = space.openBounds();
    const { shape, dtype } = space;
    return new BoxSpace({ low: repeat(low), high: repeat(high), shape: [count, ...shape], dtype });
  }
  if (isKind(space, 'multiDiscrete')) {
    const high = space.counts.map((values, index) => space.start[index]! + values - 1);
    const shape = [count, ...space.shape];
    return new BoxSpace({ low: repeat(space.start), high: repeat(high), shape, dtype: 'int32' });
  }
  if (isKind(space, 'multiBinary')) {
    return new BoxSpace({ low: 0, high: 1, shape: [count, ...space.shape], dtype: 'uint8' });
  }
  return undefined;
}

function join(space: Space, values: readonly unknown[]): unknown {
  if (isKind(space, 'tuple')) {
    return space.spaces.map((part: Space, place: number) =>
      join(
        part,
        values.map((value) => (value as unknown[])[place]),
      ),
    );
  }
  if (isKind(space, 'dict')) {
    const column = (key: string) => values.map((value) => (value as Record<string, unknown>)[key]);
    return Object.fromEntries(space.keys.map((key) => [key, join(space.spaces[key]!, column(key))]));
  }
  if (isSmallDiscrete(space)) return Int32Array.from(values as readonly number[]);
  const layout = arrayLayout(space);
  if (layout === undefined) return [...values];
  const joined = makeArray(layout.dtype, values.length * layout.size);
  for (const [index, value] of values.entries()) joined.set(value as TypedArray, index * layout.size);
  return joined;
}

function split(space: Space, batch: unknown, count: number | undefined): unknown[] {
  if (isKind(space, 'tuple')) {
    if (!Array.isArray(batch) || batch.length !== space.spaces.length) throw wrongLayout(space, batch);
    const columns: unknown[][] = space.spaces.map((part: Space, place: number) => split(part, batch[place], count));
    return rows(space, columns, count).map((index) => columns.map((column) => column[index]));
  }
  if (isKind(space, 'dict')) {
    if (!isRecord(batch)) throw wrongLayout(space, batch);
    const columns = space.keys.map((key) => split(space.spaces[key]!, batch[key], count));
    const row = (index: number) => space.keys.map((key, at) => [key, columns[at]![index]]);
    return rows(space, columns, count).map((index) => Object.fromEntries(row(index)));
  }
  if (isSmallDiscrete(space) && batch instanceof Int32Array) return [...batch];
  const layout = arrayLayout(space);
  if (layout === undefined) {
    if (Array.isArray(batch)) return [...batch];
  } else if (batch instanceof DTYPES[layout.dtype].make) {
    const { size } = layout;
    const length = size === 0 ? count : batch.length / size;
    if (length !== undefined && Number.isInteger(length)) {
      return Array.from({ length }, (_, index) => batch.slice(index * size, (index + 1) * size));
    }
  }
  throw wrongLayout(space, batch);
}

function wrongLayout(space: Space, batch: unknown): InvalidValueError {
  return new InvalidValueError(batch, `a batch of: ${space.describe()}`);
}

function rows(space: Space, columns: readonly (readonly unknown[])[], count: number | undefined): number[] {
  const length = columns[0]?.length ?? count;
  if (length === undefined || columns.some((column) => column.length !== length)) throw wrongLayout(space, columns);
  return Array.from({ length }, (_, index) => index);
}

/** The layout of members that are typed arrays. */
function arrayLayout(space: Space): { readonly dtype: DType; readonly size: number } | undefined {
  if (isKind(space, 'box')) return { dtype: space.dtype, size: space.size };
  if (isKind(space, 'multiDiscrete')) return { dtype: 'int32', size: space.counts.length };
  if (isKind(space, 'multiBinary')) return { dtype: 'uint8', size: space.size };
  return undefined;
}
