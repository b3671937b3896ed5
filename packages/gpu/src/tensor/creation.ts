/** Functions that make tensors, and those that take several. */
import { checkNames, names } from '@vlgym/core/internal';
import { native } from '../native/load.js';
import type { TensorCore } from './core.js';
import { type TensorData, type TensorOptions, tensorFrom } from './data.js';
import { getDefaultDevice } from './default-device.js';
import { type DType, dtypeCode } from './dtype.js';
import type { Generator } from './generator.js';
import { type Tensor, wrap } from './tensor.js';

type Shape = readonly number[];
export interface RandomOptions extends TensorOptions {
  /**
   * Default: libtorch's global generator of the device, seeded by `manualSeed`. One of another device draws there, and the
   * numbers are copied: those of a seed are the same on every device.
   */
  generator?: Generator | undefined;
}

export { fromBuffer } from './data.js';

const TENSOR_OPTIONS = ['dtype', 'device', 'requiresGrad', 'shape'];

/** A tensor with a copy of `data`; see `TensorData`. float32 for plain numbers unless `dtype` says otherwise. */
export function tensor(data: TensorData, options: TensorOptions & { shape?: Shape | undefined } = {}): Tensor {
  checkNames('options', options, TENSOR_OPTIONS);

  return tensorFrom(data, options);
}

function made(handle: number, requiresGrad = false): Tensor {
  const result = wrap(handle);
  return requiresGrad ? result.requiresGrad_() : result;
}

function kind({ dtype = 'float32', device = getDefaultDevice() }: TensorOptions, fallback?: DType): [number, string] {
  return [dtypeCode(fallback ?? dtype), device];
}

const ZEROS_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

export function zeros(shape: Shape, options: TensorOptions = {}): Tensor {
  checkNames('options', options, ZEROS_OPTIONS);

  return made(native().zeros(shape, ...kind(options)), options.requiresGrad);
}

const ONES_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

export function ones(shape: Shape, options: TensorOptions = {}): Tensor {
  checkNames('options', options, ONES_OPTIONS);

  return made(native().ones(shape, ...kind(options)), options.requiresGrad);
}

const EMPTY_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

/** Uninitialized memory; fill it before reading. */
export function empty(shape: Shape, options: TensorOptions = {}): Tensor {
  checkNames('options', options, EMPTY_OPTIONS);

  return made(native().empty(shape, ...kind(options)), options.requiresGrad);
}

const FULL_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

export function full(shape: Shape, value: number, options: TensorOptions = {}): Tensor {
  checkNames('options', options, FULL_OPTIONS);

  return made(native().full(shape, value, ...kind(options)), options.requiresGrad);
}

const ARANGE_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

/** Numbers from `start` to before `end`; `arange(n)` counts from 0. int64 unless `dtype` says otherwise. */
export function arange(start: number, end?: number, step = 1, options: TensorOptions = {}): Tensor {
  checkNames('options', options, ARANGE_OPTIONS);

  const [from, to] = end === undefined ? [0, start] : [start, end];
  const whole = [from, to, step].every(Number.isInteger);
  return made(
    native().arange(from, to, step, ...kind(options, options.dtype ?? (whole ? 'int64' : 'float32'))),
    options.requiresGrad,
  );
}

const LINSPACE_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

/** `steps` numbers evenly from `start` to `end`, both included. */
export function linspace(start: number, end: number, steps: number, options: TensorOptions = {}): Tensor {
  checkNames('options', options, LINSPACE_OPTIONS);

  return made(native().linspace(start, end, steps, ...kind(options)), options.requiresGrad);
}

const EYE_OPTIONS = names<TensorOptions>({ dtype: 0, device: 0, requiresGrad: 0 });

export function eye(rows: number, columns = rows, options: TensorOptions = {}): Tensor {
  checkNames('options', options, EYE_OPTIONS);

  return made(native().eye(rows, columns, ...kind(options)), options.requiresGrad);
}

export function zerosLike(like: TensorCore): Tensor {
  return wrap(native().zerosLike(like.handle));
}

export function onesLike(like: TensorCore): Tensor {
  return wrap(native().onesLike(like.handle));
}

export function emptyLike(like: TensorCore): Tensor {
  return wrap(native().emptyLike(like.handle));
}

export function fullLike(like: TensorCore, value: number): Tensor {
  return wrap(native().fullLike(like.handle, value));
}

const RAND_OPTIONS = names<RandomOptions>({ generator: 0, dtype: 0, device: 0, requiresGrad: 0 });

/** Uniform in [0, 1). */
export function rand(shape: Shape, options: RandomOptions = {}): Tensor {
  checkNames('options', options, RAND_OPTIONS);

  return made(native().rand(shape, options.generator?.raw ?? null, ...kind(options)), options.requiresGrad);
}

const RANDN_OPTIONS = names<RandomOptions>({ generator: 0, dtype: 0, device: 0, requiresGrad: 0 });

/** Standard normal. */
export function randn(shape: Shape, options: RandomOptions = {}): Tensor {
  checkNames('options', options, RANDN_OPTIONS);

  return made(native().randn(shape, options.generator?.raw ?? null, ...kind(options)), options.requiresGrad);
}

const RANDINT_OPTIONS = names<RandomOptions>({ generator: 0, dtype: 0, device: 0, requiresGrad: 0 });

/** Whole numbers in [low, high), int64 unless `dtype` says otherwise. */
export function randint(low: number, high: number, shape: Shape, options: RandomOptions = {}): Tensor {
  checkNames('options', options, RANDINT_OPTIONS);

  return wrap(
    native().randint(low, high, shape, options.generator?.raw ?? null, ...kind(options, options.dtype ?? 'int64')),
  );
}

const RANDPERM_OPTIONS = names<RandomOptions>({ generator: 0, dtype: 0, device: 0, requiresGrad: 0 });

/** The numbers 0 to before `count` in random order, int64. */
export function randperm(count: number, options: RandomOptions = {}): Tensor {
  checkNames('options', options, RANDPERM_OPTIONS);

  return wrap(native().randperm(count, options.generator?.raw ?? null, ...kind(options, options.dtype ?? 'int64')));
}

/** Joined along an existing dimension. */
export function cat(tensors: readonly TensorCore[], dim = 0): Tensor {
  return wrap(
    native().cat(
      tensors.map(({ handle }) => handle),
      dim,
    ),
  );
}

/** Joined along a new dimension. */
export function stack(tensors: readonly TensorCore[], dim = 0): Tensor {
  return wrap(
    native().stack(
      tensors.map(({ handle }) => handle),
      dim,
    ),
  );
}

/** `x` where the bool `condition` is true, else `y`; numbers take the dtype of the other side. */
export function where(condition: TensorCore, x: TensorCore | number, y: TensorCore | number): Tensor {
  const addon = native();
  if (typeof x !== 'number' && typeof y !== 'number') return wrap(addon.where(condition.handle, x.handle, y.handle));
  const like = typeof x !== 'number' ? x : typeof y !== 'number' ? y : undefined;
  const code = dtypeCode(like?.dtype ?? 'float32');
  const device = condition.device;
  const scalars: number[] = [];
  const handle = (side: TensorCore | number) => {
    if (typeof side !== 'number') return side.handle;
    const made = addon.full([], side, code, device);
    scalars.push(made);
    return made;
  };
  try {
    return wrap(addon.where(condition.handle, handle(x), handle(y)));
  } finally {
    for (const scalar of scalars) addon.dispose(scalar);
  }
}

/** Sums of products in Einstein's notation, `bij,bjk->bik`. */
export function einsum(equation: string, ...tensors: readonly TensorCore[]): Tensor {
  return wrap(
    native().einsum(
      equation,
      tensors.map(({ handle }) => handle),
    ),
  );
}

/** Insertion positions of `values` in `sorted`, int64; `right` inserts after equal values. */
export function searchsorted(sorted: TensorCore, values: TensorCore, { right = false } = {}): Tensor {
  return wrap(native().searchsorted(sorted.handle, values.handle, right));
}
