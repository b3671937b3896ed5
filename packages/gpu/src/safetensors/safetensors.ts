/**
 * Reading and writing safetensors files, the format of Hugging Face checkpoints.
 *
 * Reading maps the file: a tensor costs memory only for the pages that are touched, and writing into it changes
 * memory, never the file. Writing is atomic: after a crash or on a full disk the old file is still there, whole.
 */
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { GymError } from '@vlgym/core';
import { NativeSystemError } from '../native/errors.js';
import { native } from '../native/load.js';
import type { Mapping } from '../native/native.js';
import { dtypeCode } from '../tensor/dtype.js';
import { keep } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { wrap } from '../tensor/wrap.js';
import { buildHeader, dtypeOfEntry, type Header, readHeader, SafetensorsInvalidError } from './header.js';

/** The file could not be written; what was there before is untouched. */
export class SafetensorsWriteError extends GymError {
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(`"${path}" could not be written: ${(cause as Error).message.split('\n')[0]}`, {
      code: 'SAFETENSORS_WRITE_FAILED',
      value: path,
      hint: 'make room on the disk or choose another folder; the earlier file, if any, is intact',
      cause,
    });
  }
}

/** An open file. Tensors taken from it stay valid after `close`. */
export class SafetensorsFile {
  readonly path: string;
  readonly #header: Header;
  #mapping: Mapping | undefined;

  /** @throws {SafetensorsInvalidError} The file is truncated or breaks the format. */
  constructor(path: string) {
    this.path = path;
    this.#header = readHeader(path);
    this.#mapping = native().mapFile(path);
    const last = Math.max(0, ...Array.from(this.#header.entries.values(), ({ offset, bytes }) => offset + bytes));
    if (native().mappedBytes(this.#mapping) < last) {
      throw new SafetensorsInvalidError(path, 'it shrank while it was opened');
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
    const entry = this.#header.entries.get(name);
    if (!entry) throw new RangeError(`"${this.path}" has no tensor "${name}"`);
    return { dtype: entry.dtype, shape: entry.shape, bytes: entry.bytes };
  }

  /**
   * A CPU tensor over the mapped file; pages are read when they are first used.
   *
   * @throws {SafetensorsDtypeError} Its dtype is none of ours (8-bit floats, unsigned integers beyond uint8, …).
   */
  get(name: string): Tensor {
    const entry = this.#header.entries.get(name);
    if (!entry) throw new RangeError(`"${this.path}" has no tensor "${name}"`);
    if (!this.#mapping) throw new RangeError(`"${this.path}" is closed`);
    const code = dtypeCode(dtypeOfEntry(this.path, name, entry));
    return wrap(native().mappedTensor(this.#mapping, entry.offset, entry.shape, code));
  }

  /** Lets go of the file; the memory is unmapped when its last tensor is freed. */
  close(): void {
    this.#mapping = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * All tensors of a file by name.
 *
 * @throws {SafetensorsInvalidError} The file is truncated or breaks the format.
 */
export function load(path: string): Map<string, Tensor> {
  using file = new SafetensorsFile(path);
  return new Map(file.keys().map((name) => [name, file.get(name)]));
}

export interface SaveOptions {
  metadata?: Readonly<Record<string, string>>;
  /**
   * Copy the tensors before returning to JavaScript, so that training may go on while the file is written. Switch it
   * off for large models that nobody changes meanwhile; it saves their size in memory.
   */
  snapshot?: boolean;
}

type Tensors = ReadonlyMap<string, Tensor> | Readonly<Record<string, Tensor>>;

/**
 * Writes tensors on the native thread: to a temporary file beside `path`, fsync, rename, fsync of the folder.
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
  const handles = snapshot ? copies.map((each) => each.handle) : plan.handles;
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

function asWriteError(path: string, error: unknown): unknown {
  return error instanceof NativeSystemError ? new SafetensorsWriteError(path, error) : error;
}
