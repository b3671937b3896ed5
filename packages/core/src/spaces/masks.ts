/** Validates sampling options: the allowed entries, or their probabilities. */
import { InvalidMaskError } from './errors.js';
import type { SampleOptions } from './space.js';

/** A list with 0 or 1 per entry, or a weight per entry. */
export type EntryMask = ArrayLike<number>;

/** `sample` options of a space whose mask and probability have the same layout. */
export interface MaskOptions<Mask> extends SampleOptions {
  readonly mask?: Mask | undefined;
  readonly probability?: Mask | undefined;
}

export type MaskKind = 'mask' | 'probability';

/** The given one of `mask` and `probability`, with its name. */
export function onlyOne(options: SampleOptions): { readonly kind: MaskKind; readonly value: unknown } | undefined {
  const { mask, probability } = options;
  const hasMask = mask !== undefined && mask !== null;
  const hasProbability = probability !== undefined && probability !== null;
  if (hasMask && hasProbability) {
    throw new InvalidMaskError('mask and probability', [mask, probability], 'only one of the two');
  }
  if (hasMask) return { kind: 'mask', value: mask };
  return hasProbability ? { kind: 'probability', value: probability } : undefined;
}

/** For spaces without masks. */
export function refuseMasks(space: string, options: SampleOptions): void {
  const given = onlyOne(options);
  if (given) {
    throw new InvalidMaskError(
      given.kind,
      given.value,
      `no mask: a ${space} space does not support them`,
      'call `sample()`',
    );
  }
}

/** `value` as a list of `length` numbers, each passing `test`. */
export function entries(
  kind: MaskKind,
  value: unknown,
  length: number,
  expected: string,
  test: (entry: number) => boolean,
): ArrayLike<number> {
  const list = value as ArrayLike<unknown> | null;
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  if (!isList || list!.length !== length || !Array.prototype.every.call(list, isNumberThat(test))) {
    throw new InvalidMaskError(kind, value, `${length} numbers, ${expected}`);
  }
  return list as ArrayLike<number>;
}

const isNumberThat = (test: (entry: number) => boolean) => (entry: unknown) => typeof entry === 'number' && test(entry);

/** Indices of the 1s in a mask of `length` entries 0 or 1. */
export function allowedIndices(mask: unknown, length: number): number[] {
  const checked = entries('mask', mask, length, 'each 0 or 1', (entry) => entry === 0 || entry === 1);
  return Array.from({ length }, (_, index) => index).filter((index) => checked[index] === 1);
}

/** Weights of `length` entries in [0, 1] whose sum is 1 within `tolerance`. */
export function checkedWeights(weights: unknown, length: number, tolerance = 2 ** -26): Float64Array {
  const checked = entries('probability', weights, length, 'each from 0 to 1', (entry) => entry >= 0 && entry <= 1);
  const list = Float64Array.from(checked);
  const sum = list.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > tolerance) {
    throw new InvalidMaskError('probability', sum, 'weights that sum to 1', 'divide the weights by their sum');
  }
  return list;
}
