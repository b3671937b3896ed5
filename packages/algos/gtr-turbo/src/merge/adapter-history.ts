/**
 * Adapters of earlier updates, oldest first: what the teacher is merged from. Each is in a separate file that never changes.
 *
 * θ_0 is not in it (`docs/specs/algorithms.md` 7.1 and 7.2). Weights are in files alone and are read matrix by matrix
 * when they are merged: those that no checkpoint of the run holds yet, in the system's folder for temporary files.
 */
import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileProblem, sha256OfFile } from '@vlgym/core/internal';
import { CheckpointDamagedError, disposeAll, type WeightMap } from '@vlgym/rl';
import { z } from 'zod';
import type { MergeablePolicy } from '../mergeable-policy.js';

interface Entry {
  readonly name: string;
  readonly path: string;
  /** Read when asked for. */
  readonly weights: WeightMap;
  /** Digest of its file; absent until it is saved. */
  readonly sha256?: string | undefined;
}

/** The history as JSON data; the weights are in files of these names. */
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
  /** For files that are not saved yet. */
  #scratch: string | undefined;

  constructor(
    readonly policy: MergeablePolicy,
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
  async append(): Promise<void> {
    const name = `adapter-${String(this.#appended).padStart(6, '0')}.safetensors`;
    this.#scratch ??= await mkdtemp(join(tmpdir(), 'vlgym-adapters-'));
    const path = join(this.#scratch, name);
    const state = this.policy.adapterState();
    try {
      await this.policy.saveWeights(path, state);
    } finally {
      disposeAll(state);
    }
    this.#entries.push({ name, path, weights: await this.policy.loadWeights(path) });
    this.#appended += 1;
    while (this.#entries.length > this.capacity) await this.#drop(this.#entries.shift()!);
  }

  /** Writes what is not in `folder` yet. */
  async save(folder: string): Promise<AdapterHistoryState> {
    await mkdir(folder, { recursive: true });
    for (const [index, entry] of this.#entries.entries()) {
      if (entry.sha256 !== undefined) continue;
      const path = join(folder, entry.name);
      await copyDurably(entry.path, path);
      const sha256 = await sha256OfFile(path);
      this.#entries[index] = { name: entry.name, path, weights: await this.policy.loadWeights(path), sha256 };
      await this.#drop(entry);
    }
    const names = this.#entries.map(({ name }) => name);
    return { appended: this.#appended, names, sha256: this.#entries.map(({ sha256 = '' }) => sha256) };
  }

  /** @throws {CheckpointDamagedError} A file is missing, or is not the one that was saved. */
  async load(folder: string, state: AdapterHistoryState): Promise<void> {
    this.dispose();
    for (const [index, name] of state.names.entries()) {
      const path = join(folder, name);
      const sha256 = state.sha256[index]!;
      const problem = await fileProblem(folder, { path: name, sha256 });
      if (problem) throw new CheckpointDamagedError(path, problem);
      this.#entries.push({ name, path, weights: await this.policy.loadWeights(path), sha256 });
    }
    this.#appended = state.appended;
  }

  dispose(): void {
    for (const { weights } of this.#entries) disposeAll(weights);
    this.#entries = [];
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
    this.#scratch = undefined;
  }

  /** Lets go of the file, and removes it where no checkpoint of the run knows it. */
  async #drop({ path, weights, sha256 }: Entry): Promise<void> {
    disposeAll(weights);
    if (sha256 === undefined) await rm(path, { force: true });
  }
}

/** Readers see all of it or nothing. */
async function copyDurably(from: string, to: string): Promise<void> {
  const temporary = `${to}.partial`;
  await copyFile(from, temporary);
  const file = await open(temporary, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, to);
}
