/**
 * Publishes adapters: a new name and a new folder per version, on all replicas, before anybody is told.
 *
 * A name that is used again meets the prefix cache of the old weights. A folder that is removed too early kills the server
 * under a running request, because engines read an evicted adapter again. So files stay while an open order may ask for
 * them, and a replica that fails to load leaves the rotation instead of stopping the run.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Filled } from '@vlgym/core/internal';
import type { Engine } from './engine.js';
import { NoHealthyReplicaError } from './errors.js';
import type { Replicas } from './replicas.js';

const LOAD_TRIES = 3;
const LOAD_LIMIT_MS = 30_000;
const NAME = /^policy-\d{6,}$/;

export const adapterName = (version: number): string => `policy-${String(version).padStart(6, '0')}`;

export interface AdapterPublisherOptions {
  readonly replicas: Replicas;
  /** Seen under the same path by every server. */
  readonly folder: string;
  /** Versions kept besides those in use: `maxStaleness + 2`. Default 2. */
  readonly keep?: number | undefined;
}

export class AdapterPublisher {
  readonly #options: Filled<AdapterPublisherOptions>;
  readonly #published: number[] = [];
  readonly #users = new Map<number, number>();

  constructor({ keep = 2, ...options }: AdapterPublisherOptions) {
    this.#options = { keep, ...options };
  }

  /**
   * @param write  Fills an empty folder with the adapter's files.
   * @returns the name that requests give.
   * @throws {NoHealthyReplicaError} No replica could load it.
   */
  async publish(version: number, write: (folder: string) => Promise<void>): Promise<string> {
    const { replicas, folder } = this.#options;
    const name = adapterName(version);
    const path = join(folder, name);
    const temporary = join(folder, `.${name}.tmp`);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    await write(temporary);
    await rename(temporary, path);
    const problems = await Promise.all(replicas.engines.map((engine) => this.#load(engine, name, path)));
    if (!problems.includes(undefined)) {
      throw new NoHealthyReplicaError(
        replicas.engines.map((engine) => engine.name),
        problems[0],
      );
    }
    this.#published.push(version);
    await this.#retire();
    return name;
  }

  /** An order started with this version. */
  use(version: number): void {
    this.#users.set(version, (this.#users.get(version) ?? 0) + 1);
  }

  /** It ended. */
  async release(version: number): Promise<void> {
    const users = (this.#users.get(version) ?? 1) - 1;
    if (users > 0) this.#users.set(version, users);
    else this.#users.delete(version);
    await this.#retire();
  }

  /** Versions whose files exist. */
  async kept(): Promise<string[]> {
    return (await readdir(this.#options.folder)).filter((name) => NAME.test(name)).sort();
  }

  /** @returns the problem of the last try; nothing where it was loaded. */
  async #load(engine: Engine, name: string, path: string): Promise<unknown> {
    const { replicas } = this.#options;
    let problem: unknown;
    for (let attempt = 0; attempt < LOAD_TRIES; attempt++) {
      try {
        await engine.loadAdapter?.(name, path, AbortSignal.timeout(LOAD_LIMIT_MS));
        replicas.setBehind(engine, false);
        return undefined;
      } catch (error) {
        problem = error; // tried again; a replica that stays behind is taken out below
      }
    }
    replicas.setBehind(engine, true);
    return problem;
  }

  async #retire(): Promise<void> {
    const { replicas, folder, keep } = this.#options;
    const newest = this.#published.slice(-(keep + 1));
    for (const version of this.#published.filter((entry) => !newest.includes(entry) && !this.#users.has(entry))) {
      const name = adapterName(version);
      // a server that is gone has forgotten it by itself
      const unloading = replicas.engines.map((engine) =>
        engine.unloadAdapter?.(name, AbortSignal.timeout(LOAD_LIMIT_MS)),
      );
      await Promise.allSettled(unloading);
      await rm(join(folder, name), { recursive: true, force: true });
      this.#published.splice(this.#published.indexOf(version), 1);
    }
  }
}
