/**
 * The checkpoint buffer: adapters of earlier updates, oldest first, each a file of its own that never changes.
 *
 * θ_0 is not in it (`algorithms.md` 7.1 and 7.2). Weights stay in memory; files are only read to resume.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../policy.js';
import { disposeAll, type WeightMap } from '../tensor.js';

interface Entry {
  readonly name: string;
  readonly weights: WeightMap;
  saved: boolean;
}

/** The buffer as JSON data; the weights stand in files of these names. */
export interface CheckpointBufferState {
  readonly appended: number;
  readonly names: readonly string[];
}

export class CheckpointBuffer {
  #entries: Entry[] = [];
  #appended = 0;

  constructor(
    readonly policy: Policy,
    /** Most checkpoints kept; the oldest go first. */
    readonly capacity: number,
  ) {}

  get size(): number {
    return this.#entries.length;
  }

  /** Oldest first. */
  get weights(): readonly WeightMap[] {
    return this.#entries.map((entry) => entry.weights);
  }

  /** Adds a copy of the current adapter. */
  append(): void {
    const name = `adapter-${String(this.#appended).padStart(6, '0')}.safetensors`;
    this.#entries.push({ name, weights: this.policy.adapterState(), saved: false });
    this.#appended += 1;
    while (this.#entries.length > this.capacity) disposeAll(this.#entries.shift()!.weights);
  }

  /** Writes what is not in `folder` yet. */
  async save(folder: string): Promise<CheckpointBufferState> {
    await mkdir(folder, { recursive: true });
    for (const entry of this.#entries) {
      if (entry.saved) continue;
      await this.policy.saveWeights(join(folder, entry.name), entry.weights);
      entry.saved = true;
    }
    return { appended: this.#appended, names: this.#entries.map((entry) => entry.name) };
  }

  async load(folder: string, state: CheckpointBufferState): Promise<void> {
    this.dispose();
    for (const name of state.names) {
      this.#entries.push({ name, weights: await this.policy.loadWeights(join(folder, name)), saved: true });
    }
    this.#appended = state.appended;
  }

  dispose(): void {
    for (const { weights } of this.#entries) disposeAll(weights);
    this.#entries = [];
  }
}
