/** The common base of vector environments: checks arguments, distributes seeds, gathers results into arrays. */
import { z } from 'zod';
import { chain, isPromiseLike } from '../async/chain.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import type {
  AnyEnv,
  Awaitable,
  Env,
  Info,
  RenderFrame,
  RenderMode,
  ResetOptions,
  ResetResult,
  StepResult,
} from '../env.js';
import { ClosedError, EpisodeOverError, InvalidActionError, ResetNeededError, show } from '../errors.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { checkResetKeys, checkResetSeed } from '../reset-options.js';
import { encodedBy, parseState, SnapshotMismatchError, savedCount } from '../snapshot.js';
import type { Space } from '../spaces/space.js';
import { isRecord } from '../type-tests.js';
import {
  type AutoresetMode,
  VectorArgumentError,
  type VectorEnv,
  type VectorMetadata,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorSnapshot,
  type VectorStepResult,
} from './vector-env.js';

export interface VectorOptions {
  readonly numEnvs: number;
  readonly autoreset?: AutoresetMode | undefined;
  /** Refuse the whole batch, before any environment is stepped, if one action is outside the action space. */
  readonly validateActions?: boolean | undefined;
}

const SAVED_SLOTS = z.array(
  z.strictObject({
    env: z.unknown(),
    over: z.boolean(),
    observation: z.unknown().optional(),
    seed: savedCount.optional(),
    restarts: savedCount,
  }),
);

/** The reset options of each environment; `undefined` does not reset it. */
export type ResetPlan = readonly (ResetOptions | undefined)[];

export abstract class BaseVectorEnv<Observation = unknown, Action = unknown, I extends Info = Info>
  implements VectorEnv<Observation, Action, I>, AsyncDisposable
{
  readonly numEnvs: number;
  readonly singleObservationSpace: Space<Observation>;
  readonly singleActionSpace: Space<Action>;
  readonly metadata: VectorMetadata;
  readonly renderMode: RenderMode | undefined;
  readonly spec: EnvSpec | undefined;
  declare readonly singleDialogue?: Dialogue<Observation, Action, I>;

  readonly #validateActions: boolean;
  #observations: (Observation | undefined)[];
  #started: boolean[];
  #over: boolean[];
  #busy = false;
  #closed = false;

  /** @param sample  One of the environments, or another instance made the same way. */
  constructor(
    sample: Env<Observation, Action, I>,
    { numEnvs, autoreset = 'next-step', validateActions = true }: VectorOptions,
  ) {
    this.numEnvs = numEnvs;
    this.singleObservationSpace = sample.observationSpace;
    this.singleActionSpace = sample.actionSpace;
    this.metadata = { ...sample.metadata, autoresetMode: autoreset };
    this.renderMode = sample.renderMode;
    this.spec = sample.spec;
    if (sample.dialogue) this.singleDialogue = sample.dialogue;
    this.#validateActions = validateActions;
    this.#observations = new Array<Observation | undefined>(numEnvs).fill(undefined);
    this.#started = new Array<boolean>(numEnvs).fill(false);
    this.#over = new Array<boolean>(numEnvs).fill(false);
  }

  protected abstract resetSlots(plan: ResetPlan): Awaitable<(ResetResult<unknown> | undefined)[]>;
  protected abstract stepSlots(actions: ArrayLike<Action>): Awaitable<StepResult<unknown>[]>;
  protected abstract snapshotSlots(): Awaitable<VectorSnapshot['slots']>;
  protected abstract restoreSlots(slots: VectorSnapshot['slots']): Awaitable<void>;
  protected abstract renderSlots(): Awaitable<RenderFrame[]>;
  protected abstract closeSlots(): Awaitable<void>;
  abstract actionMasks(): (Uint8Array | undefined)[];

  get closed(): boolean {
    return this.#closed;
  }

  /** The latest observation of one environment. */
  protected latest(index: number): unknown {
    return this.#observations[index];
  }

  reset(options: VectorResetOptions = {}): Awaitable<VectorResetResult<Observation, I>> {
    const plan = resetPlan(options, this.numEnvs);
    plan.forEach((entry, index) => {
      if (!entry && !this.#started[index]) throw new ResetNeededError('reset({ resetMask })');
    });
    return this.#alone('reset', () =>
      chain(this.resetSlots(plan), (results) => {
        const infos = results.map((result, index) => {
          if (!result) return {} as I;
          this.#started[index] = true;
          this.#over[index] = false;
          this.#observations[index] = result.observation as Observation;
          return result.info as I;
        });
        return { observations: this.#observations.slice() as Observation[], infos };
      }),
    );
  }

  step(actions: ArrayLike<Action>): Awaitable<VectorStepResult<Observation, I>> {
    this.#checkActions(actions);
    return this.#alone('step', () =>
      chain(this.stepSlots(actions), (results) => {
        const batch = {
          observations: new Array<Observation>(this.numEnvs),
          rewards: new Float64Array(this.numEnvs),
          terminated: new Uint8Array(this.numEnvs),
          truncated: new Uint8Array(this.numEnvs),
          infos: new Array<I>(this.numEnvs),
        };
        const waits = this.metadata.autoresetMode !== 'same-step';
        for (let index = 0; index < this.numEnvs; index += 1) {
          const { observation, reward, terminated, truncated, info } = results[index]!;
          batch.observations[index] = observation as Observation;
          batch.rewards[index] = reward;
          batch.terminated[index] = terminated ? 1 : 0;
          batch.truncated[index] = truncated ? 1 : 0;
          batch.infos[index] = info as I;
          this.#over[index] = waits && (terminated || truncated);
          this.#observations[index] = observation as Observation;
        }
        return batch;
      }),
    );
  }

  render(): Awaitable<RenderFrame[]> {
    return this.#alone('render', () => this.renderSlots());
  }

  snapshot(): Awaitable<VectorSnapshot> {
    return this.#alone('snapshot', () =>
      chain(this.snapshotSlots(), (slots) => ({ kind: 'vector/1' as const, slots })),
    );
  }

  /**
   * All environments or none: if one refuses its part, the others keep their state.
   *
   * @throws {SnapshotMismatchError}  Not a snapshot of a vector, or damaged.
   * @throws {VectorArgumentError}    The snapshot has a different number of environments.
   */
  restore(snapshot: VectorSnapshot): Awaitable<void> {
    const slots = this.#checkedSlots(snapshot);
    return this.#alone('restore', () =>
      chain(this.restoreSlots(slots), () => {
        slots.forEach(({ over, observation }, index) => {
          this.#started[index] = observation !== undefined;
          this.#over[index] = over;
          this.#observations[index] =
            observation === undefined ? undefined : this.singleObservationSpace.decode(observation);
        });
      }),
    );
  }

  #checkedSlots(snapshot: VectorSnapshot): VectorSnapshot['slots'] {
    if (!isRecord(snapshot) || snapshot.kind !== 'vector/1') {
      throw new SnapshotMismatchError(isRecord(snapshot) ? snapshot.kind : snapshot, 'vector/1');
    }
    const count = Array.isArray(snapshot.slots) ? snapshot.slots.length : undefined;
    if (count !== this.numEnvs) {
      throw new VectorArgumentError('The snapshot does not match this vector.', count, `${this.numEnvs} environments`);
    }
    const slots = parseState(snapshot.slots, 'vector/1', SAVED_SLOTS);
    const observed = encodedBy(this.singleObservationSpace).optional();
    for (const { observation } of slots) parseState(observation, 'vector/1', observed);
    return slots as VectorSnapshot['slots'];
  }

  close(): Awaitable<void> {
    if (this.#closed) return;
    this.#closed = true;
    return this.closeSlots();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #checkActions(actions: ArrayLike<Action>): void {
    if (actions?.length !== this.numEnvs) {
      throw new VectorArgumentError('Wrong number of actions.', actions?.length ?? actions, `${this.numEnvs} actions`);
    }
    for (let index = 0; index < this.numEnvs; index += 1) {
      if (!this.#started[index]) throw new ResetNeededError('step');
      if (this.#over[index]) {
        // the action is not executed
        if (this.metadata.autoresetMode === 'disabled') throw new EpisodeOverError();
      } else if (this.#validateActions && !this.singleActionSpace.contains(actions[index])) {
        throw new InvalidActionError(actions[index], `${this.singleActionSpace.describe()} (environment ${index})`);
      }
    }
  }

  /** One call at a time: overlapping calls would mix two episodes. */
  #alone<T>(method: string, f: () => Awaitable<T>): Awaitable<T> {
    if (this.#closed) throw new ClosedError(method);
    if (this.#busy) {
      throw new VectorArgumentError(
        `\`${method}\` was called while another call was running.`,
        method,
        'await each call before the next',
      );
    }
    this.#busy = true;
    let pending: PromiseLike<T> | undefined;
    try {
      const value = f();
      if (!isPromiseLike(value)) return value;
      pending = value;
      return value.then(
        (result) => {
          this.#busy = false;
          return result;
        },
        (error) => {
          this.#busy = false;
          throw error;
        },
      );
    } finally {
      if (!pending) this.#busy = false;
    }
  }
}

function resetPlan(given: VectorResetOptions, numEnvs: number): ResetPlan {
  checkResetKeys(given, ['seed', 'options', 'resetMask']);
  const { seed, options, resetMask } = given;
  if (Array.isArray(seed) && seed.length !== numEnvs) {
    throw new VectorArgumentError('Wrong number of seeds.', seed.length, `${numEnvs} seeds`);
  }
  if (resetMask && resetMask.length !== numEnvs) {
    throw new VectorArgumentError('The reset mask has the wrong length.', resetMask.length, `${numEnvs} entries`);
  }
  if (resetMask && !Array.from(resetMask).some(Boolean)) {
    throw new VectorArgumentError('The reset mask selects no environment.', Array.from(resetMask), 'at least one true');
  }
  const seedOf = (index: number): number | undefined =>
    typeof seed === 'number' ? seed + index : (seed as readonly number[] | undefined)?.[index];
  if (seed !== undefined && !Array.isArray(seed)) checkResetSeed(seed);
  for (let index = 0; seed !== undefined && index < numEnvs; index += 1) {
    const seedOfEnv = seedOf(index);
    if (seedOfEnv !== undefined) checkResetSeed(seedOfEnv);
  }
  return Array.from({ length: numEnvs }, (_, index) => {
    if (resetMask && !resetMask[index]) return undefined;
    const seedOfEnv = seedOf(index);
    return { ...(seedOfEnv === undefined ? {} : { seed: seedOfEnv }), ...(options ? { options } : {}) };
  });
}

/** @throws {VectorArgumentError} Not an integer >= 1. */
export function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new VectorArgumentError(`Invalid ${name}: ${show(value)}.`, value, 'an integer >= 1');
  }
}

/** Makes `numEnvs` environments; if one cannot be made, closes the others. */
export async function createAll(numEnvs: number, create: (index: number) => Awaitable<AnyEnv>): Promise<AnyEnv[]> {
  checkCount('numEnvs', numEnvs);
  const envs: AnyEnv[] = [];
  try {
    for (let index = 0; index < numEnvs; index += 1) envs.push(await create(index));
  } catch (error) {
    await Promise.allSettled(envs.map(async (env) => env.close()));
    throw error;
  }
  return envs;
}
