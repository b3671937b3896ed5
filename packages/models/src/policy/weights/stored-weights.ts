/** Tensors of a file by name, each read when it is asked for. */
import { safetensors, type Tensor } from '@vlgym/gpu';

export class StoredWeights implements ReadonlyMap<string, Tensor> {
  readonly #file: safetensors.SafetensorsFile;

  /** @throws {SafetensorsReadError | SafetensorsInvalidError} The file is missing, truncated or breaks the format. */
  constructor(path: string) {
    this.#file = new safetensors.SafetensorsFile(path);
  }

  get size(): number {
    return this.#file.keys().length;
  }

  has(name: string): boolean {
    return this.#file.has(name);
  }

  /** A new tensor at every call; the surrounding `tidy` disposes it. */
  get(name: string): Tensor | undefined {
    return this.has(name) ? this.#file.get(name) : undefined;
  }

  *keys(): Generator<string, undefined, unknown> {
    yield* this.#file.keys();
    return undefined;
  }

  *values(): Generator<Tensor, undefined, unknown> {
    for (const name of this.#file.keys()) yield this.#file.get(name);
    return undefined;
  }

  *entries(): Generator<[string, Tensor], undefined, unknown> {
    for (const name of this.#file.keys()) yield [name, this.#file.get(name)];
    return undefined;
  }

  [Symbol.iterator](): Generator<[string, Tensor], undefined, unknown> {
    return this.entries();
  }

  forEach(callback: (value: Tensor, key: string, map: ReadonlyMap<string, Tensor>) => void): void {
    for (const [name, tensor] of this) callback(tensor, name, this);
  }

  /** Lets go of the file; tensors taken from it stay. */
  dispose(): void {
    this.#file.close();
  }
}
