/**
 * The life of tensors. JavaScript's garbage collector does not see libtorch's memory, so every tensor is freed by
 * `dispose()`, by `using`, or by the `tidy` it was made in.
 *
 * Tensors that an autograd graph needs stay alive inside libtorch; disposing a handle never breaks a later `backward`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TorchError } from '../native/errors.js';
import { native } from '../native/load.js';
import type { TensorCore } from './core.js';

type Scope = TensorCore[];

/** The innermost running `tidy`; synchronous, so a plain variable is right. */
let current: Scope | undefined;

/** Scopes of `tidyAsync`; read only while one is open, because the look-up costs as much as a small operation. */
const asyncScopes = new AsyncLocalStorage<Scope | undefined>();
let openAsyncScopes = 0;

let leaks: FinalizationRegistry<string> | undefined;
let leakTokens = new WeakMap<TensorCore, object>();

function scope(): Scope | undefined {
  return current ?? (openAsyncScopes > 0 ? asyncScopes.getStore() : undefined);
}

/** Called by the constructor of every tensor. */
export function track(tensor: TensorCore): void {
  if (current !== undefined) current.push(tensor);
  else if (openAsyncScopes > 0) asyncScopes.getStore()?.push(tensor);
  if (leaks !== undefined) watch(tensor);
}

/**
 * Runs `fn` and frees every tensor made in it, except those it returns (in arrays, objects or maps) or keeps.
 *
 * @throws {TorchError} `fn` returns a promise; use `tidyAsync`.
 *
 * @example const loss = tidy(() => prediction.sub(target).square().mean());
 */
export function tidy<T>(fn: () => T): T {
  const outer = current;
  const outerAsync = outer === undefined ? scope() : undefined;
  const made: Scope = [];
  current = made;
  let result: T;
  try {
    result = fn();
  } catch (error) {
    current = outer;
    release(made, undefined);
    throw error;
  }
  current = outer;
  release(made, result, outer ?? outerAsync);
  if (result instanceof Promise) {
    throw new TorchError('tidy', 'the function returned a promise', { hint: 'use `await tidyAsync(fn)`' });
  }
  return result;
}

/** `tidy` for asynchronous functions: covers what `fn` makes across its awaits, and nothing that other tasks make in the meantime. */
export async function tidyAsync<T>(fn: () => Promise<T>): Promise<T> {
  const outer = scope();
  const made: Scope = [];
  const synchronous = current;
  openAsyncScopes += 1;
  // the part of `fn` before its first await runs here: hide the surrounding synchronous scope from it
  current = undefined;
  let running: Promise<T>;
  try {
    running = asyncScopes.run(made, fn);
  } finally {
    current = synchronous;
  }
  try {
    const result = await running;
    release(made, result, outer);
    return result;
  } catch (error) {
    release(made, undefined);
    throw error;
  } finally {
    openAsyncScopes -= 1;
  }
}

/** Runs `fn` and keeps every tensor made in it, those inside other objects included, until `dispose`. */
export function keepAll<T>(fn: () => T): { readonly result: T; readonly dispose: () => void } {
  const outer = current;
  const made: Scope = [];
  const dispose = () => {
    for (const tensor of made) tensor.dispose();
  };
  current = made;
  try {
    return { result: fn(), dispose };
  } catch (error) {
    dispose();
    throw error;
  } finally {
    current = outer;
  }
}

/** Takes a tensor out of the surrounding `tidy`; the caller frees it. */
export function keep<T extends TensorCore>(tensor: T): T {
  tensor.kept = true;
  return tensor;
}

/** Frees what `made` holds, except kept tensors and those found in `result`, which pass to the `outer` scope. */
function release(made: Scope, result: unknown, outer?: Scope): void {
  const returned = new Set<unknown>();
  collect(result, returned);
  for (const tensor of made) {
    if (tensor.kept) continue;
    if (returned.has(tensor)) outer?.push(tensor);
    else tensor.dispose();
  }
}

function collect(value: unknown, into: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || into.has(value) || ArrayBuffer.isView(value)) return;
  into.add(value);
  if ('handle' in value && 'dispose' in value) return;
  if (value instanceof Map || value instanceof Set || Array.isArray(value)) {
    for (const item of value) collect(item, into);
  } else {
    for (const item of Object.values(value)) collect(item, into);
  }
}

export interface Memory {
  /** Live tensors of this JavaScript thread. */
  readonly tensors: number;
  /** Bytes of the distinct storages behind them; views count once. */
  readonly bytes: number;
}

export function memory(): Memory {
  const addon = native();
  return { tensors: addon.aliveTensors(), bytes: addon.aliveBytes() };
}

export interface MemoryUse {
  /** Bytes held right now: tensors, autograd graphs, working memory of kernels. Weights of all threads count. */
  readonly bytes: number;
  /** The most since the start of the process, or since the last `resetPeakMemory`. */
  readonly peak: number;
}

/** Memory that libtorch has allocated on a device. On CUDA both are 0 before libtorch 2.9. */
export function memoryUse(device = 'cpu'): MemoryUse {
  const addon = native();
  return { bytes: addon.allocatedBytes(device), peak: addon.peakBytes(device) };
}

/** The peak starts again from what is held now. */
export function resetPeakMemory(device = 'cpu'): void {
  native().resetPeakBytes(device);
}

/**
 * For finding leaks: calls `report` with the place where a tensor was made that the garbage collector took before it was
 * disposed. Slow (a stack trace per tensor); null switches it off.
 */
export function reportLeaks(report: ((madeAt: string) => void) | null): void {
  leaks = report ? new FinalizationRegistry(report) : undefined;
  leakTokens = new WeakMap();
}

function watch(tensor: TensorCore): void {
  const token = {};
  leakTokens.set(tensor, token);
  leaks?.register(tensor, new Error('made here').stack ?? '', token);
}

/** Called when a tensor is disposed. */
export function forget(tensor: TensorCore): void {
  const token = leaks && leakTokens.get(tensor);
  if (token) leaks?.unregister(token);
}
