/**
 * Reading and writing safetensors files, the format of Hugging Face checkpoints.
 *
 * Reading copies each tensor into separate memory when it is asked for, so that later changes to the file cannot reach
 * it: truncating a mapped file would end the process with SIGBUS. Writing is atomic: after a crash or on a full disk the
 * old file is still there, whole.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GymError } from '@vlgym/core';
import { NativeSystemError } from '../native/errors.js';
import { native } from '../native/load.js';
import type { NativeFile } from '../native/native.js';
import { dtypeCode } from '../tensor/dtype.js';
import { keep } from '../tensor/scope.js';
import { type Tensor, wrap } from '../tensor/tensor.js';
import {
  buildHeader,
  dtypeOfEntry,
  type Entry,
  type Header,
  readHeader,
  SafetensorsInvalidError,
  SafetensorsReadError,
} from './header.js';

/** The file could not be written; what was there before is untouched. */
export class SafetensorsWriteError extends GymError {
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(`Cannot write "${path}": ${(cause as Error).message.split('\n')[0]}`, {
      code: 'SAFETENSORS_WRITE_FAILED',
      value: path,
      hint: 'make room on the disk or choose another folder; the earlier file, if any, is intact',
      cause,
    });
  }
}

/** The file has no tensor of that name. */
export class SafetensorsTensorError extends GymError {
  constructor(
    readonly path: string,
    readonly tensor: string,
    names: readonly string[],
  ) {
    super(`Unknown tensor "${tensor}" in "${path}".`, {
      code: 'SAFETENSORS_TENSOR',
      value: tensor,
      expected: `one of ${names.length} names, for example ${names.slice(0, 3).join(', ') || 'none'}`,
      hint: 'list them with `keys()`',
    });
  }
}

/** An open file. Tensors taken from it stay valid after `close`. */
export class SafetensorsFile {
  readonly path: string;
  readonly #header: Header;
  #file: NativeFile | undefined;

  /**
   * @throws {SafetensorsReadError}    The file is missing, or the system refuses to read it.
   * @throws {SafetensorsInvalidError} The file is truncated or breaks the format.
   */
  constructor(path: string) {
    this.path = path;
    const descriptor = open(path);
    try {
      this.#header = readHeader(path, descriptor);
      this.#file = native().openFile(descriptor);
    } catch (error) {
      throw asReadError(path, error);
    } finally {
      closeSync(descriptor);
    }
  }

  keys(): string[] {
    return [...this.#header.entries.keys()];
  }

  has(name: string): boolean {
    return this.#header.entries.has(name);
  }

  get metadata(): Readonly<Record<string, string>> {
    return this.#header.metadata;
  }

  /** Shape, dtype (the format's name) and place of a tensor, without touching its data. */
  entry(name: string): { dtype: string; shape: readonly number[]; bytes: number } {
    const { dtype, shape, bytes } = this.#entry(name);
    return { dtype, shape, bytes };
  }

  /**
   * A CPU tensor with a copy of the numbers in the file.
   *
   * @throws {SafetensorsDtypeError}   Its dtype is not supported (8-bit floats, unsigned integers beyond uint8, …).
   * @throws {SafetensorsInvalidError} The file was truncated after it was opened.
   */
  get(name: string): Tensor {
    const entry = this.#entry(name);
    if (!this.#file) throw new SafetensorsReadError(this.path, new Error('the file was closed'));
    const code = dtypeCode(dtypeOfEntry(this.path, name, entry));
    try {
      return wrap(native().readTensor(this.#file, entry.offset, entry.shape, code));
    } catch (error) {
      throw asReadError(this.path, error);
    }
  }

  #entry(name: string): Entry {
    const entry = this.#header.entries.get(name);
    if (entry) return entry;
    throw new SafetensorsTensorError(this.path, name, this.keys());
  }

  /** Lets go of the file; tensors taken from it stay. */
  close(): void {
    this.#file = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * All tensors of a file by name.
 *
 * @throws {SafetensorsReadError}    The file is missing, or the system refuses to read it.
 * @throws {SafetensorsInvalidError} The file is truncated or breaks the format.
 */
export function load(path: string): Map<string, Tensor> {
  using file = new SafetensorsFile(path);
  const tensors = new Map<string, Tensor>();
  try {
    for (const name of file.keys()) tensors.set(name, file.get(name));
  } catch (error) {
    for (const tensor of tensors.values()) tensor.dispose();
    throw error;
  }
  return tensors;
}

export interface SaveOptions {
  metadata?: Readonly<Record<string, string>>;
  /**
   * Copy the tensors before returning to JavaScript, so that training may continue while the file is written. Switch it
   * off for large models that do not change in the meantime; it saves their size in memory.
   */
  snapshot?: boolean;
}

type Tensors = ReadonlyMap<string, Tensor> | Readonly<Record<string, Tensor>>;

/**
 * Writes tensors on the native thread: to a temporary file next to `path`, fsync, rename, fsync of the folder.
 *
 * @throws {SafetensorsWriteError} Disk full, no permission, no such folder; an earlier file is intact.
 */
export async function save(
  path: string,
  tensors: Tensors,
  { metadata = {}, snapshot = true }: SaveOptions = {},
): Promise<void> {
  const plan = prepare(path, tensors, metadata);
  const copies = snapshot ? plan.handles.map((handle) => keep(wrap(native().clone(handle)))) : [];
  const handles = snapshot ? copies.map(({ handle }) => handle) : plan.handles;
  try {
    await native().writeFileAsync(path, plan.temporary, plan.header, handles);
  } catch (error) {
    throw asWriteError(path, error);
  } finally {
    for (const copy of copies) copy.dispose();
  }
}

/** As `save`, on this thread. */
export function saveSync(path: string, tensors: Tensors, { metadata = {} }: Pick<SaveOptions, 'metadata'> = {}): void {
  const plan = prepare(path, tensors, metadata);
  try {
    native().writeFile(path, plan.temporary, plan.header, plan.handles);
  } catch (error) {
    throw asWriteError(path, error);
  }
}

function prepare(path: string, tensors: Tensors, metadata: Readonly<Record<string, string>>) {
  const named = tensors instanceof Map ? [...tensors] : Object.entries(tensors as Record<string, Tensor>);
  const header = buildHeader(
    named.map(([name, tensor]) => ({ name, dtype: tensor.dtype, shape: tensor.shape, bytes: byteLength(tensor) })),
    metadata,
  );
  return {
    header,
    handles: named.map(([, tensor]) => tensor.handle),
    temporary: join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`),
  };
}

const BYTES = { float64: 8, int64: 8, float32: 4, int32: 4, float16: 2, bfloat16: 2, uint8: 1, bool: 1 } as const;

function byteLength(tensor: Tensor): number {
  return tensor.numel * BYTES[tensor.dtype];
}

/** Without waiting: opening a named pipe would wait for its writer. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new SafetensorsReadError(path, error);
  }
}

function asReadError(path: string, error: unknown): unknown {
  if (error instanceof NativeSystemError) {
    if (error.errno === 0) return new SafetensorsInvalidError(path, 'it was truncated while it was open');
    return new SafetensorsReadError(path, error);
  }
  return typeof (error as NodeJS.ErrnoException).errno === 'number' ? new SafetensorsReadError(path, error) : error;
}

function asWriteError(path: string, error: unknown): unknown {
  return error instanceof NativeSystemError ? new SafetensorsWriteError(path, error) : error;
}
