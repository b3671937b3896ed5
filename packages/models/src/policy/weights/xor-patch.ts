/**
 * Other numbers for some weights of a model, kept once and outside of memory: a file of their bits, combined by exclusive
 * or with those of the model's own. Reading it in changes the weights to the others; reading it in again brings the
 * model's own back, bit for bit. One matrix at a time is in memory next to the model.
 *
 * The file is in the system's folder for temporary files (`TMPDIR`), has the size of the weights, and has no name: it is
 * gone when the process ends, however it does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noGrad, safetensors, type Tensor, tidy } from '@vlgym/gpu';
import type { PublishedWeight } from '../../adapters/published-weights.js';

export class XorPatch {
  readonly #weights: ReadonlyMap<string, PublishedWeight>;
  readonly #file: safetensors.SafetensorsFile;
  /** Names of the weights that differ. */
  readonly names: readonly string[];
  /** Those of them that hold the other numbers right now. */
  readonly #applied = new Set<string>();

  private constructor(
    weights: ReadonlyMap<string, PublishedWeight>,
    file: safetensors.SafetensorsFile,
    names: readonly string[],
  ) {
    this.#weights = weights;
    this.#file = file;
    this.names = names;
  }

  /**
   * @param numbers  Names and other numbers, in the dtype of the weight; each is asked for when the one before is written.
   * @returns Null where there are none.
   * @throws {SafetensorsWriteError} The disk is full, or the folder for temporary files is not writable.
   */
  static write(
    weights: ReadonlyMap<string, PublishedWeight>,
    numbers: Iterable<readonly [name: string, tensor: Tensor]>,
  ): XorPatch | null {
    const folder = mkdtempSync(join(tmpdir(), 'vlgym-weights-'));
    try {
      const path = join(folder, 'bits.safetensors');
      const writer = new safetensors.SafetensorsWriter(path, layoutOf(weights));
      const names: string[] = [];
      try {
        for (const [name, tensor] of numbers) {
          const weight = weights.get(name)!;
          noGrad(() => tidy(() => writer.write(name, tensor.clone().xorBits_(weight.in(weight.parameter)))));
          names.push(name);
        }
      } finally {
        writer.close();
      }
      // opened before its name is removed
      return names.length === 0 ? null : new XorPatch(weights, new safetensors.SafetensorsFile(path), names);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Computes with the other numbers in place, or with the model's own; then puts back what was there. */
  during<T>(others: boolean, compute: () => T): T {
    const before = this.#applied.size > 0;
    this.put(others);
    try {
      return compute();
    } finally {
      this.put(before);
    }
  }

  /** @throws The file cannot be read. What was exchanged by then is known, so that the next call finishes the rest. */
  put(others: boolean): void {
    for (const name of this.names) {
      if (this.#applied.has(name) === others) continue;
      const weight = this.#weights.get(name)!;
      noGrad(() =>
        tidy(() => {
          const target = weight.in(weight.parameter);
          const bits = this.#file.get(name);
          target.xorBits_(bits.to(target.device));
        }),
      );
      if (others) this.#applied.add(name);
      else this.#applied.delete(name);
    }
  }

  /** The other numbers of all weights as a file that `write` could have been given. */
  save(path: string): void {
    const writer = new safetensors.SafetensorsWriter(path, layoutOf(this.#weights));
    try {
      this.during(true, () => {
        for (const [name, weight] of this.#weights) tidy(() => writer.write(name, weight.in(weight.parameter)));
      });
      writer.sync();
    } finally {
      writer.close();
    }
  }

  dispose(): void {
    this.put(false);
    this.#file.close();
  }
}

function layoutOf(weights: ReadonlyMap<string, PublishedWeight>): safetensors.TensorLayout[] {
  return Array.from(weights, ([name, { parameter, shape }]) => ({ name, shape, dtype: parameter.dtype }));
}
