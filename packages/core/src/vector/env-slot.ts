/**
 * One environment of a vector: autoreset, failures, rebuilding. The serial, concurrent and worker vectors are loops over
 * slots, so they agree by construction.
 *
 * A failed environment is closed and rebuilt before its next episode. If it was ever seeded, the new one starts from a
 * seed derived from that seed and the number of restarts, so a run stays reproducible.
 */

import { chain, isPromiseLike } from '../async/chain.js';
import { startTimer } from '../async/time-limit.js';
import { checkedStep } from '../checks/step-result.js';
import type { AnyEnv, Awaitable, RenderFrame, ResetOptions, ResetResult, StepResult } from '../env.js';
import { EpisodeOverError, GymError } from '../errors.js';
import { SeedSequence } from '../random/seed-sequence.js';
import { copyValue } from '../wrappers/copy-value.js';
import {
  type AutoresetMode,
  type FailureReason,
  failureData,
  type SlotSnapshot,
  VectorEnvFailedError,
} from './vector-env.js';

/** Attempts to start an episode by autoreset, each with a new environment. */
const RESET_ATTEMPTS = 3;

export interface SlotOptions {
  readonly index: number;
  readonly create: () => Awaitable<AnyEnv>;
  readonly autoreset: AutoresetMode;
  /** Milliseconds an asynchronous step may take; a synchronous step cannot be interrupted from its own thread. */
  readonly stepTimeoutMs?: number | undefined;
}

/** The part of a slot that survives its thread. */
export interface SlotHistory {
  /** Seed of the last explicit reset. */
  readonly seed: number | undefined;
  /** Number of rebuilds since that reset. */
  readonly restarts: number;
}

/** After the thread of the slot was replaced. */
export const restarted = ({ seed, restarts }: SlotHistory): SlotHistory => ({ seed, restarts: restarts + 1 });

export class StepTimeoutError extends GymError {
  constructor(readonly milliseconds: number) {
    super(`A step took longer than ${milliseconds} ms.`, {
      code: 'STEP_TIMEOUT',
      value: milliseconds,
      hint: 'raise `stepTimeoutMs`, or find out what the environment waits for',
    });
  }
}

export class EnvSlot {
  readonly #options: SlotOptions;
  /** Absent after a failure: the next episode starts with a new one. */
  #env: AnyEnv | undefined;
  #observation: unknown;
  /** The environment has an episode, running or ended. */
  #begun = false;
  #over = false;
  #seed: number | undefined;
  #restarts = 0;
  /** Seed of the next episode of a rebuilt environment, unless its reset has a seed. */
  #restartSeed: number | undefined;

  /** @param history  History of the slot that this one replaces after its thread died, between two episodes. */
  constructor(options: SlotOptions, env: AnyEnv, history?: SlotHistory) {
    this.#options = options;
    this.#env = env;
    if (history) {
      this.#seed = history.seed;
      this.#restarts = history.restarts;
      this.#markRestarted();
    }
  }

  get env(): AnyEnv | undefined {
    return this.#env;
  }

  get over(): boolean {
    return this.#over;
  }

  get history(): SlotHistory {
    return { seed: this.#seed, restarts: this.#restarts };
  }

  /** An explicit reset: one attempt; errors go to the caller. */
  reset(options: ResetOptions): Awaitable<ResetResult<unknown>> {
    if (options.seed !== undefined) {
      this.#seed = options.seed;
      this.#restarts = 0;
    }
    return attempt(
      () => this.#start(options),
      (result) => result,
      (error) => {
        throw new VectorEnvFailedError(this.#options.index, 1, error);
      },
    );
  }

  step(action: unknown): Awaitable<StepResult<unknown>> {
    if (this.#over) {
      if (this.#options.autoreset === 'disabled') throw new EpisodeOverError();
      return chain(this.#autoreset(), (result) => ({ ...result, reward: 0, terminated: false, truncated: false }));
    }
    return attempt(
      () => chain(this.#timed(this.#env!.step(action)), checkedStep),
      (result) => this.#finish(result),
      (error) => this.fail(error),
    );
  }

  /** Ends the episode because of `error` and discards its environment. */
  fail(error: unknown): Awaitable<StepResult<unknown>> {
    this.#discard();
    const reason = error instanceof StepTimeoutError ? 'step-timeout' : 'environment-error';
    return this.#finish(failedStep(this.#observation, reason, error));
  }

  /** `undefined` also before the first reset, because environments may refuse calls then. */
  actionMask(): Uint8Array | undefined {
    return this.#begun ? this.#env?.actionMask?.() : undefined;
  }

  close(): Awaitable<void> {
    return this.#env?.close();
  }

  render(): Awaitable<RenderFrame> {
    return this.#env?.render();
  }

  /** The snapshot, if the environment has snapshots. */
  trySnapshot(): Awaitable<SlotSnapshot | undefined> {
    return attempt<SlotSnapshot, SlotSnapshot | undefined>(
      () => this.snapshot(),
      (snapshot) => snapshot,
      () => undefined,
    );
  }

  snapshot(): Awaitable<SlotSnapshot> {
    const env = this.#env;
    if (!env?.snapshot) throw unsupported();
    const own = {
      over: this.#over,
      observation: this.#observation === undefined ? undefined : env.observationSpace.encode(this.#observation),
      ...this.history,
    };
    return chain(env.snapshot(), (snapshot) => ({ env: snapshot, ...own }));
  }

  restore(snapshot: SlotSnapshot): Awaitable<void> {
    return chain(this.#env ?? this.#options.create(), (env) => {
      if (!env.restore) throw unsupported();
      const seen = snapshot.observation === undefined ? undefined : env.observationSpace.decode(snapshot.observation);
      return chain(env.restore(snapshot.env), () => {
        this.#env = env;
        this.#over = snapshot.over;
        this.#seed = snapshot.seed;
        this.#restarts = snapshot.restarts;
        this.#restartSeed = undefined;
        this.#observation = seen;
        this.#begun = seen !== undefined;
      });
    });
  }

  #autoreset(attempts = 1): Awaitable<ResetResult<unknown>> {
    return attempt(
      () => this.#start({}),
      (result) => result,
      (error) => {
        this.#discard();
        if (attempts === RESET_ATTEMPTS) throw new VectorEnvFailedError(this.#options.index, attempts, error);
        return this.#autoreset(attempts + 1);
      },
    );
  }

  #start(options: ResetOptions): Awaitable<ResetResult<unknown>> {
    return chain(this.#env ?? this.#options.create(), (env) => {
      this.#env = env;
      const restartSeed = options.seed === undefined ? this.#restartSeed : undefined;
      return chain(env.reset(restartSeed === undefined ? options : { ...options, seed: restartSeed }), (result) => {
        this.#begun = true;
        this.#over = false;
        this.#restartSeed = undefined;
        this.#observation = result.observation;
        return restartSeed === undefined ? result : { ...result, info: { ...result.info, resetSeed: restartSeed } };
      });
    });
  }

  #finish(result: StepResult<unknown>): Awaitable<StepResult<unknown>> {
    this.#observation = result.observation;
    if (!result.terminated && !result.truncated) return result;
    this.#over = true;
    if (this.#options.autoreset !== 'same-step') return result;
    return chain(this.#autoreset(), (first) => mergeSameStep(result, first));
  }

  #discard(): void {
    const env = this.#env;
    this.#env = undefined;
    this.#begun = false;
    this.#restarts += 1;
    this.#markRestarted();
    if (env) closeQuietly(env);
  }

  #markRestarted(): void {
    this.#over = true;
    this.#restartSeed =
      this.#seed === undefined
        ? undefined
        : new SeedSequence(this.#seed, { spawnKey: [this.#restarts] }).generateState(1)[0]!;
  }

  #timed<T>(value: Awaitable<T>): Awaitable<T> {
    const limit = this.#options.stepTimeoutMs;
    if (limit === undefined || !isPromiseLike(value)) return value;
    return new Promise<T>((resolve, reject) => {
      const stop = startTimer(() => reject(new StepTimeoutError(limit)), limit);
      value.then(resolve, reject).then(stop);
    });
  }
}

/** The last step of an episode that could not continue. */
export function failedStep(observation: unknown, truncationReason: FailureReason, error: unknown): StepResult<unknown> {
  return {
    // the caller already has this observation, and every result must be a new object
    observation: copyValue(observation),
    reward: 0,
    terminated: false,
    truncated: true,
    info: { truncationReason, error: failureData(error) },
  };
}

/**
 * The result of `same-step` at the end of an episode: the next episode's start, with the end of the last one inside its
 * info.
 */
function mergeSameStep(last: StepResult<unknown>, first: ResetResult<unknown>): StepResult<unknown> {
  return {
    ...last,
    observation: first.observation,
    info: { ...first.info, finalObservation: last.observation, finalInfo: last.info },
  };
}

/** The result of a step that ended an episode, started one, or did both. */
export function withStart(
  last: StepResult<unknown> | undefined,
  first: ResetResult<unknown> | undefined,
): StepResult<unknown> {
  if (!first) return last!;
  return last ? mergeSameStep(last, first) : { ...first, reward: 0, terminated: false, truncated: false };
}

/** Calls `f` and continues with its value or its error, now or when its promise settles. */
export function attempt<T, U>(
  f: () => Awaitable<T>,
  onValue: (value: T) => Awaitable<U>,
  onError: (error: unknown) => Awaitable<U>,
): Awaitable<U> {
  let value: Awaitable<T>;
  try {
    value = f();
  } catch (error) {
    return onError(error);
  }
  return isPromiseLike(value) ? value.then(onValue, onError) : onValue(value);
}

/** Closes a failed environment; a second error is ignored, because its episode is already lost. */
function closeQuietly(env: AnyEnv): void {
  void attempt(
    () => env.close(),
    () => undefined,
    () => undefined,
  );
}

function unsupported(): GymError {
  return new GymError('The environments of this vector have no snapshots.', {
    code: 'SNAPSHOT_UNSUPPORTED',
    hint: 'only environments with `snapshot` and `restore` can be saved',
  });
}
