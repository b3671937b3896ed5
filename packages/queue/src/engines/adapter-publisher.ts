/**
 * Publishes adapters: a new name and a new folder per version, on all replicas, before anybody uses it.
 *
 * A folder that is used again meets the prefix cache of the old weights. One that is removed too early kills the server
 * under a running request, because engines read an evicted adapter again. So files stay while an open order may ask for
 * them, and a replica that fails to load leaves the rotation instead of stopping the run.
 *
 * A run that was cut off may have published a version that it publishes again when it is resumed: the name then moves to a
 * separate folder. A server that was restarted has forgotten all names: `restore` gives them back.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Filled } from '@vlgym/core/internal';
import { checkNames, names } from '@vlgym/core/internal';
import type { Engine } from './engine.js';
import { EngineError, NoHealthyReplicaError } from './errors.js';
import type { Replicas } from './replicas.js';

const LOAD_TRIES = 3;
const LOAD_LIMIT_MS = 120_000;
const LOOK_LIMIT_MS = 10_000;
const ABSENT_PAUSE_MS = 1000;
const FOLDER_NAME = /^policy-\d{6,}(\.\d+)?$/;

export const adapterName = (version: number): string => `policy-${String(version).padStart(6, '0')}`;

export interface AdapterPublisherOptions {
  readonly replicas: Replicas;
  /** Seen under the same path by every server. */
  readonly folder: string;
  /** Versions kept besides those in use: `maxStaleness + 2`. Default 2. */
  readonly keep?: number | undefined;
  /** How long every publication but the first waits where no server can be reached, in milliseconds; default 0. */
  readonly absentMs?: number | undefined;
}

export interface PublishedAdapter {
  readonly version: number;
  /** The model name for requests. */
  readonly name: string;
  readonly path: string;
}

const ADAPTER_PUBLISHER_OPTIONS = names<AdapterPublisherOptions>({ replicas: 0, folder: 0, keep: 0, absentMs: 0 });

export class AdapterPublisher {
  readonly #options: Filled<AdapterPublisherOptions>;
  readonly #published: PublishedAdapter[] = [];
  /** The last of the works that change what servers have, which run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #restoring: Promise<void> | undefined;
  readonly #users = new Map<number, number>();

  constructor(given: AdapterPublisherOptions) {
    checkNames('options', given, ADAPTER_PUBLISHER_OPTIONS);
    const { keep = 2, absentMs = 0, ...options } = given;
    this.#options = { keep, absentMs, ...options };
  }

  /**
   * @param write  Fills an empty folder with the adapter's files.
   * @throws {NoHealthyReplicaError} No replica could load it.
   */
  publish(version: number, write: (folder: string) => Promise<void>): Promise<PublishedAdapter> {
    return this.#inTurn(async () => {
      const { folder } = this.#options;
      const name = adapterName(version);
      const temporary = join(folder, `.${name}.tmp`);
      await rm(temporary, { recursive: true, force: true });
      await mkdir(temporary, { recursive: true });
      await write(temporary);
      const adapter = { version, name, path: newFolder(join(folder, name)) };
      await rename(temporary, adapter.path);
      await this.#loadSomewhere(adapter);
      this.#published.push(adapter);
      await this.#retire();
      return adapter;
    });
  }

  /** Loads what is published into servers that lack it, such as those that were started again; those that are down wait. */
  restore(): Promise<void> {
    this.#restoring ??= this.#inTurn(async () => {
      await Promise.all(this.#options.replicas.engines.map((engine) => this.#restore(engine)));
      this.#restoring = undefined;
    });
    return this.#restoring;
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
    await this.#inTurn(() => this.#retire());
  }

  /** Folders of adapters that exist. */
  async kept(): Promise<string[]> {
    return (await readdir(this.#options.folder)).filter((name) => FOLDER_NAME.test(name)).sort();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #loadSomewhere(adapter: PublishedAdapter): Promise<void> {
    const { replicas, absentMs } = this.#options;
    const start = performance.now();
    const limit = this.#published.length === 0 ? 0 : absentMs;
    for (;;) {
      const problems = await Promise.all(replicas.engines.map((engine) => this.#load(engine, adapter)));
      if (problems.includes(undefined)) return;
      if (performance.now() - start >= limit || !problems.every(isAbsence)) {
        throw new NoHealthyReplicaError(
          replicas.engines.map((engine) => engine.name),
          problems[0],
        );
      }
      await sleep(ABSENT_PAUSE_MS);
    }
  }

  async #restore(engine: Engine): Promise<void> {
    try {
      const served = await engine.models(AbortSignal.timeout(LOOK_LIMIT_MS));
      const missing = this.#published.filter((adapter) => !served.some(({ name }) => name === adapter.name));
      for (const adapter of missing) if ((await this.#load(engine, adapter)) !== undefined) return;
      this.#options.replicas.setBehind(engine, false);
    } catch {
      // it is down: asked again at the next time
    }
  }

  /** @returns the problem of the last try; nothing if it was loaded. */
  async #load(engine: Engine, { name, path }: PublishedAdapter): Promise<unknown> {
    const { replicas } = this.#options;
    let problem: unknown;
    for (let attempt = 0; attempt < LOAD_TRIES; attempt++) {
      try {
        // it may have the name: by the try before, whose answer came too late, or by a run that was cut off
        const served = (await engine.models(AbortSignal.timeout(LOAD_LIMIT_MS))).find((model) => model.name === name);
        if (served && served.path !== path) await engine.unloadAdapter?.(name, AbortSignal.timeout(LOAD_LIMIT_MS));
        if (served?.path !== path) await engine.loadAdapter?.(name, path, AbortSignal.timeout(LOAD_LIMIT_MS));
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
    const { replicas, keep } = this.#options;
    const newest = this.#published.slice(-(keep + 1));
    for (const old of this.#published.filter((each) => !newest.includes(each) && !this.#users.has(each.version))) {
      // a server that has stopped no longer has it
      const unloading = replicas.engines.map((engine) =>
        engine.unloadAdapter?.(old.name, AbortSignal.timeout(LOAD_LIMIT_MS)),
      );
      await Promise.allSettled(unloading);
      await rm(old.path, { recursive: true, force: true });
      this.#published.splice(this.#published.indexOf(old), 1);
    }
  }
}

const isAbsence = (problem: unknown): boolean => problem instanceof EngineError && problem.status === undefined;

/** The path itself, or the first of `path.2`, `path.3`, … that nothing has. */
function newFolder(path: string): string {
  let free = path;
  for (let count = 2; existsSync(free); count++) free = `${path}.${count}`;
  return free;
}
