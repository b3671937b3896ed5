/**
 * Adapters of earlier updates, oldest first: what the teacher is merged from. Each is a file of its own that never changes.
 *
 * θ_0 is not in it (`docs/specs/algorithms.md` 7.1 and 7.2). Weights stay in memory; files are only read to resume.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '@vlgym/core';
import { CheckpointDamagedError, disposeAll, type Policy, type WeightMap } from '@vlgym/rl';
import { z } from 'zod';

interface Entry {
  readonly name: string;
  readonly weights: WeightMap;
  /** Digest of its file; absent until it is saved. */
  sha256?: string | undefined;
}

/** The history as JSON data; the weights stand in files of these names. */
export const adapterHistoryState = z.object({
  appended: z.number().int().nonnegative(),
  names: z.array(z.string().regex(/^[\w-]+\.safetensors$/)),
  /** Digests of the files, in the order of `names`. */
  sha256: z.array(z.string()),
});
export type AdapterHistoryState = z.output<typeof adapterHistoryState>;

export class AdapterHistory {
  #entries: Entry[] = [];
  #appended = 0;

  constructor(
    readonly policy: Policy,
    /** Adapters kept; the oldest go first. */
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
    this.#entries.push({ name, weights: this.policy.adapterState() });
    this.#appended += 1;
    while (this.#entries.length > this.capacity) disposeAll(this.#entries.shift()!.weights);
  }

  /** Writes what is not in `folder` yet. */
  async save(folder: string): Promise<AdapterHistoryState> {
    await mkdir(folder, { recursive: true });
    for (const entry of this.#entries) {
      if (entry.sha256 !== undefined) continue;
      await this.policy.saveWeights(join(folder, entry.name), entry.weights);
      entry.sha256 = await sha256OfFile(join(folder, entry.name));
    }
    const names = this.#entries.map(({ name }) => name);
    return { appended: this.#appended, names, sha256: this.#entries.map(({ sha256 = '' }) => sha256) };
  }

  /** @throws {CheckpointDamagedError} A file is missing, or is not the one that was saved. */
  async load(folder: string, state: AdapterHistoryState): Promise<void> {
    this.dispose();
    for (const [index, name] of state.names.entries()) {
      const path = join(folder, name);
      const sha256 = await sha256OfFile(path).catch((cause) => {
        throw new CheckpointDamagedError(path, 'it is missing or unreadable', cause);
      });
      if (sha256 !== state.sha256[index]) throw new CheckpointDamagedError(path, 'it is not what was written');
      this.#entries.push({ name, weights: await this.policy.loadWeights(path), sha256 });
    }
    this.#appended = state.appended;
  }

  dispose(): void {
    for (const { weights } of this.#entries) disposeAll(weights);
    this.#entries = [];
  }
}
