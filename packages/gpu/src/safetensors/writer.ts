/** A safetensors file written tensor by tensor, in any order, so that it may hold more than fits into memory. */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { DType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import { buildHeader } from './header.js';
import { SafetensorsTensorError, SafetensorsWriteError } from './safetensors.js';

export interface TensorLayout {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

const BYTES = { float64: 8, int64: 8, float32: 4, int32: 4, float16: 2, bfloat16: 2, uint8: 1, bool: 1 } as const;

interface Place {
  readonly position: number;
  readonly kind: string;
  readonly bytes: number;
  readonly entryBytes: number;
}

export class SafetensorsWriter {
  readonly #places = new Map<string, Place>();
  readonly #file: number;

  /**
   * Replaces what is at `path`. Tensors that are never written are zero.
   *
   * @throws {SafetensorsWriteError} No permission, no such folder.
   */
  constructor(
    readonly path: string,
    layout: Iterable<TensorLayout>,
    metadata: Readonly<Record<string, string>> = {},
  ) {
    const sized = Array.from(layout, ({ name, dtype, shape }) => {
      return { name, dtype, shape, bytes: shape.reduce((product, size) => product * size, BYTES[dtype]) };
    });
    const header = Buffer.from(buildHeader(sized, metadata));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    let position = 8 + header.length;
    for (const { name, dtype, shape, bytes } of sized) {
      this.#places.set(name, { position, kind: kindOf(dtype, shape), bytes, entryBytes: BYTES[dtype] });
      position += bytes;
    }
    this.#file = this.#guarded(() => openSync(path, 'w', 0o600));
    try {
      this.#writeAt(Buffer.concat([length, header]), 0);
      this.#guarded(() => ftruncateSync(this.#file, position));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * @throws {SafetensorsTensorError} The layout has no tensor of this name, dtype and shape.
   * @throws {SafetensorsWriteError}  Disk full.
   */
  write(name: string, tensor: Tensor): void {
    const place = this.#places.get(name);
    if (place?.kind !== kindOf(tensor.dtype, tensor.shape)) {
      throw new SafetensorsTensorError(this.path, name, [...this.#places.keys()]);
    }
    const { buffer, byteOffset, byteLength } = tensor.detach().toArray();
    this.#writeAt(new Uint8Array(buffer, byteOffset, byteLength), place.position);
  }

  /**
   * Writes a part of a tensor that is too large for memory.
   *
   * @param first  Its first entry, in row-major order.
   * @param bytes  Whole entries in the dtype of the layout, little-endian.
   * @throws {SafetensorsTensorError} The layout has no tensor of this name with these entries.
   * @throws {SafetensorsWriteError}  Disk full.
   */
  writePart(name: string, first: number, bytes: Uint8Array): void {
    const place = this.#places.get(name);
    const start = first * (place?.entryBytes ?? 1);
    const fits = place && start >= 0 && start + bytes.length <= place.bytes && bytes.length % place.entryBytes === 0;
    if (!fits) throw new SafetensorsTensorError(this.path, name, [...this.#places.keys()]);
    this.#writeAt(bytes, place.position + start);
  }

  /** Makes what was written durable. */
  sync(): void {
    this.#guarded(() => fsyncSync(this.#file));
  }

  close(): void {
    closeSync(this.#file);
  }

  #writeAt(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + 2 ** 30);
      done += this.#guarded(() => writeSync(this.#file, part, 0, part.length, position + done));
    }
  }

  #guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      throw new SafetensorsWriteError(this.path, cause);
    }
  }
}

function kindOf(dtype: string, shape: readonly number[]): string {
  return `${dtype} [${shape}]`;
}
