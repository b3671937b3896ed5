/**
 * The union of all steps that were ever corrected (DAgger): inputs with label tokens, drawn without replacement.
 *
 * Pictures are large and the set only grows, so it is kept on disk as a log that checkpoints point into: a checkpoint
 * remembers how long the log was, and resuming cuts off what came later. Rules: `docs/specs/algorithms.md` 4.3.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Generator } from '@vlgym/core';
import { CheckpointDamagedError, type LabeledSequence } from '@vlgym/rl';
import { z } from 'zod';
import { decodeSequence, encodeSequence } from './sequence-codec.js';

/** Where the log stood. */
export const daggerState = z.object({
  count: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Digest of these bytes. */
  sha256: z.string(),
});
export type DaggerState = z.output<typeof daggerState>;

export class DaggerSet {
  #samples: LabeledSequence[] = [];
  /** Samples already in the log. */
  #logged = 0;
  #bytes = 0;
  /** Digest of the log so far. The log only grows, so that no checkpoint reads it again. */
  #hash = createHash('sha256');
  #order: number[] = [];

  get size(): number {
    return this.#samples.length;
  }

  add(sample: LabeledSequence): void {
    this.#samples.push(sample);
  }

  /** Starts a fresh permutation; call at the start of an epoch. */
  shuffle(rng: Generator): void {
    this.#order = rng.permutation(this.#samples.length);
  }

  /** `count` samples without replacement, or fewer where the set is smaller; shuffled again when exhausted. */
  draw(count: number, rng: Generator): LabeledSequence[] {
    const drawn: LabeledSequence[] = [];
    const wanted = Math.min(count, this.#samples.length);
    while (drawn.length < wanted) {
      if (this.#order.length === 0) this.shuffle(rng);
      drawn.push(this.#samples[this.#order.pop()!]!);
    }
    return drawn;
  }

  /** Appends what is new to the log and makes it durable. */
  async save(path: string): Promise<DaggerState> {
    if (this.#logged < this.#samples.length) {
      const file = await open(path, this.#logged === 0 ? 'w' : 'r+');
      try {
        for (const sample of this.#samples.slice(this.#logged)) {
          const record = encodeSequence(sample);
          await file.write(record, 0, record.length, this.#bytes);
          this.#hash.update(record);
          this.#bytes += record.length;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      this.#logged = this.#samples.length;
    }
    return { count: this.#logged, bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }

  /**
   * Reads the first `state.bytes` of the log; what came later is forgotten.
   *
   * @throws {CheckpointDamagedError} They are not the ones that were written.
   */
  async load(path: string, state: DaggerState): Promise<void> {
    this.#samples = [];
    this.#order = [];
    this.#hash = createHash('sha256');
    if (state.count > 0) {
      const file = await open(path, 'r+').catch((cause) => {
        throw new CheckpointDamagedError(path, 'it is missing or unreadable', cause);
      });
      try {
        const bytes = (await file.readFile()).subarray(0, state.bytes);
        this.#hash.update(bytes);
        const sha256 = this.#hash.copy().digest('hex');
        if (bytes.length < state.bytes || sha256 !== state.sha256) {
          throw new CheckpointDamagedError(path, 'it is not what was written');
        }
        await file.truncate(state.bytes);
        for (let offset = 0; offset < state.bytes; ) {
          const { sample, end } = decodeSequence(bytes, offset);
          this.#samples.push(sample);
          offset = end;
        }
      } finally {
        await file.close();
      }
    }
    this.#logged = state.count;
    this.#bytes = state.bytes;
  }
}
