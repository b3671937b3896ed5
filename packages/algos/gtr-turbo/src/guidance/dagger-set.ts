/**
 * The union of all steps that were ever corrected (DAgger): inputs with label tokens, drawn without replacement.
 *
 * Pictures are large and the set only grows, so it is on disk; what is drawn is read. Rules: `docs/specs/algorithms.md` 4.3.
 */
import type { Generator } from '@vlgym/core';
import { decodeSequence, encodeSequence, RecordLog, type RecordLogState, recordLogState } from '@vlgym/rl/rollout';
import type { LabeledSequence } from '@vlgym/rl/update';

export const daggerState = recordLogState;
export type DaggerState = RecordLogState;

export class DaggerSet {
  readonly #log = new RecordLog();
  #order: number[] = [];

  get size(): number {
    return this.#log.size;
  }

  add(sample: LabeledSequence): void {
    this.#log.add(encodeSequence(sample));
  }

  /** Starts a fresh permutation; call at the start of an epoch. */
  shuffle(rng: Generator): void {
    this.#order = rng.permutation(this.size);
  }

  /** `count` samples without replacement, or fewer where the set is smaller; shuffled again when exhausted. */
  draw(count: number, rng: Generator): LabeledSequence[] {
    const drawn: LabeledSequence[] = [];
    const wanted = Math.min(count, this.size);
    while (drawn.length < wanted) {
      if (this.#order.length === 0) this.shuffle(rng);
      drawn.push(decodeSequence(this.#log.at(this.#order.pop()!)));
    }
    return drawn;
  }

  /** Appends what is new to the log and makes it durable. */
  save(path: string): Promise<DaggerState> {
    return this.#log.save(path);
  }

  /**
   * Keeps what the log held then and discards the rest.
   *
   * @throws {CheckpointDamagedError} Its digest differs from the saved one.
   */
  async load(path: string, state: DaggerState): Promise<void> {
    this.dispose();
    await this.#log.load(path, state);
  }

  /** Empties the set. */
  dispose(): void {
    this.#log.dispose();
    this.#order = [];
  }
}
