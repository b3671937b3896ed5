/**
 * Several servers of the same model: the least busy healthy one takes a request; one that fails rests.
 *
 * A circuit opens after a few failures in a row and is tried again after a pause that doubles. A request whose server died
 * goes to another replica with the same ids. A paused server (503, while weights change) is waited for, with a limit; so are
 * servers that are started again, which answer 404 until they have the weights.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Filled } from '@vlgym/core/internal';
import { checkNames, names } from '@vlgym/core/internal';
import type { Engine, EngineRequest, EngineResponse } from './engine.js';
import { EngineError, NoHealthyReplicaError } from './errors.js';

export interface ReplicaOptions {
  /** Failures in a row until a replica rests; default 3. */
  readonly failures?: number | undefined;
  /** First rest in milliseconds, doubled up to 60 s; default 2000. */
  readonly restMs?: number | undefined;
  /** How long a paused replica is waited for, in milliseconds; default 120000. */
  readonly pausedMs?: number | undefined;
  /** How long a request waits where no replica answers, in milliseconds; default 0: it fails at once. */
  readonly absentMs?: number | undefined;
  /** Told once whenever no replica answers. */
  readonly onAbsent?: ((problem: unknown) => void) | undefined;
  /** Milliseconds, for the rests; default the clock. */
  readonly now?: (() => number) | undefined;
}

interface Replica {
  readonly engine: Engine;
  inFlight: number;
  failures: number;
  restMs: number;
  restsUntil: number;
  /** Missing weights that the others have; receives no requests until it has them. */
  isBehind: boolean;
}

export interface ReplicaStatus {
  readonly name: string;
  readonly inFlight: number;
  readonly state: 'healthy' | 'resting' | 'behind';
}

const PAUSE_MS = 250;
const MAX_REST_MS = 60_000;
const ABSENT_PAUSE_MS = 1000;

const REPLICAS_OPTIONS = names<ReplicaOptions>({
  failures: 0,
  restMs: 0,
  pausedMs: 0,
  absentMs: 0,
  onAbsent: 0,
  now: 0,
});

export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #options: Filled<Omit<ReplicaOptions, 'onAbsent'>> & Pick<ReplicaOptions, 'onAbsent'>;
  #isAbsent = false;

  constructor(engines: readonly Engine[], options: ReplicaOptions = {}) {
    checkNames('options', options, REPLICAS_OPTIONS);
    const { failures = 3, restMs = 2000, pausedMs = 120_000, absentMs = 0, now = () => performance.now() } = options;
    this.#options = { failures, restMs, pausedMs, absentMs, now, onAbsent: options.onAbsent };
    this.#replicas = engines.map((engine) => ({
      engine,
      inFlight: 0,
      failures: 0,
      restMs,
      restsUntil: Number.NEGATIVE_INFINITY,
      isBehind: false,
    }));
  }

  get engines(): readonly Engine[] {
    return this.#replicas.map(({ engine }) => engine);
  }

  status(): ReplicaStatus[] {
    return this.#replicas.map((replica) => ({
      name: replica.engine.name,
      inFlight: replica.inFlight,
      state: replica.isBehind ? 'behind' : this.#rests(replica) ? 'resting' : 'healthy',
    }));
  }

  /** It takes requests, and has the weights that the others have. */
  isServing(engine: Engine): boolean {
    return this.#replicas.some((replica) => replica.engine === engine && !replica.isBehind && !this.#rests(replica));
  }

  /** Out of rotation, or back in it. */
  setBehind(engine: Engine, isBehind: boolean): void {
    for (const replica of this.#replicas) if (replica.engine === engine) replica.isBehind = isBehind;
  }

  /**
   * @throws {NoHealthyReplicaError} Every replica failed or rests.
   * @throws {EngineError} The request itself is refused. @throws the signal's reason.
   */
  async generate(request: EngineRequest, signal: AbortSignal): Promise<EngineResponse> {
    const tried = new Set<Replica>();
    const start = this.#options.now();
    let problem: unknown;
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      const replica = this.#next(tried);
      if (!replica) {
        await this.#waitForAny(start, problem, signal);
        tried.clear();
        continue;
      }
      tried.add(replica);
      try {
        // a server takes a repeated id for the request that still runs
        const response = await this.#ask(replica, { ...request, requestId: `${request.requestId}-${attempt}` }, signal);
        this.#isAbsent = false;
        return response;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof EngineError && error.isFinal) throw error;
        problem = error;
      }
    }
  }

  /** @throws {NoHealthyReplicaError} None came back within the limit. */
  async #waitForAny(start: number, problem: unknown, signal: AbortSignal): Promise<void> {
    const { absentMs, now, onAbsent } = this.#options;
    if (now() - start >= absentMs) {
      throw new NoHealthyReplicaError(
        this.engines.map(({ name }) => name),
        problem,
      );
    }
    if (!this.#isAbsent) onAbsent?.(problem);
    this.#isAbsent = true;
    await sleep(ABSENT_PAUSE_MS, undefined, { signal });
  }

  async #ask(replica: Replica, request: EngineRequest, signal: AbortSignal): Promise<EngineResponse> {
    const { pausedMs, now } = this.#options;
    const start = now();
    replica.inFlight += 1;
    try {
      for (;;) {
        try {
          const response = await replica.engine.generate(request, signal);
          replica.failures = 0;
          replica.restMs = this.#options.restMs;
          return response;
        } catch (error) {
          if (!(error instanceof EngineError) || !error.isPaused || now() - start > pausedMs) throw error;
          await sleep(PAUSE_MS, undefined, { signal });
        }
      }
    } catch (error) {
      const isOurs = signal.aborted || (error instanceof EngineError && error.isFinal);
      if (!isOurs) this.#fail(replica);
      throw error;
    } finally {
      replica.inFlight -= 1;
    }
  }

  #next(tried: ReadonlySet<Replica>): Replica | undefined {
    const able = this.#replicas.filter((replica) => !tried.has(replica) && !replica.isBehind && !this.#rests(replica));
    return able.sort((a, b) => a.inFlight - b.inFlight)[0];
  }

  #rests = (replica: Replica): boolean => this.#options.now() < replica.restsUntil;

  #fail(replica: Replica): void {
    // what was in flight together fails together, and makes the rest no longer
    if (this.#rests(replica)) return;
    replica.failures += 1;
    if (replica.failures < this.#options.failures) return;
    replica.restsUntil = this.#options.now() + replica.restMs;
    replica.restMs = Math.min(2 * replica.restMs, MAX_REST_MS);
  }
}
