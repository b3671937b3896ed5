/** Vector environments in this thread: serial or concurrent. */

import { chain, isPromiseLike } from '../async/chain.js';
import { checkTimeLimits } from '../async/time-limit.js';
import type { AnyEnv, Awaitable, Env, Info, RenderFrame, ResetResult, StepResult } from '../env.js';
import { checkNames, names } from '../options.js';
import { BaseVectorEnv, checkCount, createAll, type ResetPlan, type VectorOptions } from './base-vector-env.js';
import { attempt, EnvSlot } from './env-slot.js';
import { type FrameOptions, framed } from './frames.js';
import type { SlotSnapshot, VectorSnapshot } from './vector-env.js';

export interface LocalVectorOptions extends VectorOptions, FrameOptions {
  /** Milliseconds an asynchronous step may take before its episode is truncated with `step-timeout`. */
  readonly stepTimeoutMs?: number | undefined;
}

export interface ConcurrentVectorOptions extends LocalVectorOptions {
  /** Maximum number of concurrent environments; default all. */
  readonly concurrency?: number | undefined;
}

export const LOCAL_OPTIONS = names<LocalVectorOptions>({
  numEnvs: 0,
  autoreset: 0,
  validateActions: 0,
  stepTimeoutMs: 0,
  frames: 0,
  drawn: 0,
});
export const CONCURRENT_OPTIONS = [...LOCAL_OPTIONS, 'concurrency'];

/** Builds environment `index`; called again after it failed. */
export type CreateEnv<Observation, Action, I extends Info> = (index: number) => Awaitable<Env<Observation, Action, I>>;

abstract class LocalVectorEnv<Observation, Action, I extends Info> extends BaseVectorEnv<Observation, Action, I> {
  protected readonly slots: readonly EnvSlot[];

  protected constructor(
    envs: readonly AnyEnv[],
    create: CreateEnv<Observation, Action, I>,
    options: LocalVectorOptions,
  ) {
    super(envs[0]!, options);
    this.slots = envs.map(
      (env, index) =>
        new EnvSlot(
          {
            index,
            create: () => create(index) as Awaitable<AnyEnv>,
            autoreset: options.autoreset ?? 'next-step',
            stepTimeoutMs: options.stepTimeoutMs,
          },
          env,
        ),
    );
  }

  /** The environments; a failed one is absent until its next episode starts. */
  get envs(): readonly (Env<Observation, Action, I> | undefined)[] {
    return this.slots.map(({ env }) => env);
  }

  /** Runs `task` for every slot and returns the results in order. */
  protected abstract forEachSlot<T>(task: (slot: EnvSlot, index: number) => Awaitable<T>): Awaitable<T[]>;

  protected override resetSlots(plan: ResetPlan): Awaitable<(ResetResult<unknown> | undefined)[]> {
    return this.forEachSlot<ResetResult<unknown> | undefined>((slot, index) => {
      const options = plan[index];
      return options && slot.reset(options);
    });
  }

  protected override stepSlots(actions: ArrayLike<Action>): Awaitable<StepResult<unknown>[]> {
    return this.forEachSlot((slot, index) => slot.step(actions[index]));
  }

  protected override snapshotSlots(): Awaitable<SlotSnapshot[]> {
    return this.forEachSlot<SlotSnapshot>((slot) => slot.snapshot());
  }

  protected override restoreSlots(snapshots: VectorSnapshot['slots']): Awaitable<void> {
    return chain(
      this.forEachSlot<SlotSnapshot | undefined>((slot) => slot.trySnapshot()),
      (before) =>
        attempt(
          () => this.forEachSlot<void>((slot, index) => slot.restore(snapshots[index]!)),
          () => undefined,
          (error) =>
            chain(
              this.forEachSlot<void>((slot, index) => before[index] && slot.restore(before[index])),
              () => {
                throw error;
              },
            ),
        ),
    );
  }

  protected override renderSlots(): Awaitable<RenderFrame[]> {
    return this.forEachSlot<RenderFrame>((slot) => slot.render());
  }

  protected override async closeSlots(): Promise<void> {
    const results = await Promise.allSettled(this.slots.map(async (slot) => slot.close()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  override actionMasks(): (Uint8Array | undefined)[] {
    return this.slots.map((slot) => slot.actionMask());
  }
}

/**
 * One environment after the other. With synchronous environments `reset` and `step` return plain values without the cost
 * of promises; `await` them anyway.
 */
export class SerialVectorEnv<Observation = unknown, Action = unknown, I extends Info = Info> extends LocalVectorEnv<
  Observation,
  Action,
  I
> {
  static async create<Observation, Action, I extends Info>(
    create: CreateEnv<Observation, Action, I>,
    options: LocalVectorOptions,
  ): Promise<SerialVectorEnv<Observation, Action, I>> {
    checkNames('options', options, LOCAL_OPTIONS);
    checkTimeLimits({ stepTimeoutMs: options.stepTimeoutMs });
    const build = framed(create, options);
    return new SerialVectorEnv(await createAll(options.numEnvs, build), build, options);
  }

  protected override forEachSlot<T>(task: (slot: EnvSlot, index: number) => Awaitable<T>): Awaitable<T[]> {
    const results: T[] = [];
    for (let index = 0; index < this.slots.length; index += 1) {
      const value = task(this.slots[index]!, index);
      if (isPromiseLike(value)) return this.#awaitRest(results, value, task);
      results.push(value);
    }
    return results;
  }

  async #awaitRest<T>(
    results: T[],
    pending: PromiseLike<T>,
    task: (slot: EnvSlot, index: number) => Awaitable<T>,
  ): Promise<T[]> {
    results.push(await pending);
    for (let index = results.length; index < this.slots.length; index += 1) {
      results.push(await task(this.slots[index]!, index));
    }
    return results;
  }
}

/** All environments at once (or `concurrency` of them): for environments that wait for a browser, a server or a process. */
export class ConcurrentVectorEnv<Observation = unknown, Action = unknown, I extends Info = Info> extends LocalVectorEnv<
  Observation,
  Action,
  I
> {
  readonly #concurrency: number;

  protected constructor(
    envs: readonly AnyEnv[],
    create: CreateEnv<Observation, Action, I>,
    options: ConcurrentVectorOptions,
  ) {
    super(envs, create, options);
    const { concurrency = options.numEnvs } = options;
    checkCount('concurrency', concurrency);
    this.#concurrency = concurrency;
  }

  static async create<Observation, Action, I extends Info>(
    create: CreateEnv<Observation, Action, I>,
    options: ConcurrentVectorOptions,
  ): Promise<ConcurrentVectorEnv<Observation, Action, I>> {
    checkNames('options', options, CONCURRENT_OPTIONS);
    checkTimeLimits({ stepTimeoutMs: options.stepTimeoutMs });
    const build = framed(create, options);
    return new ConcurrentVectorEnv(await createAll(options.numEnvs, build), build, options);
  }

  /** Waits for all, also if one fails: a step must not still be running when the next one starts. */
  protected override async forEachSlot<T>(task: (slot: EnvSlot, index: number) => Awaitable<T>): Promise<T[]> {
    const results = new Array<T>(this.slots.length);
    const errors: unknown[] = [];
    let next = 0;
    const lane = async () => {
      while (next < this.slots.length) {
        const index = next++;
        try {
          results[index] = await task(this.slots[index]!, index);
        } catch (error) {
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#concurrency, this.slots.length) }, lane));
    if (errors.length > 0) throw errors[0];
    return results;
  }
}
