/**
 * Replay verifies a trajectory: it plays the recorded actions again and compares all results.
 *
 * Needs no model: only the environment runs. Rewards and end flags must be equal to the last bit, observations by digest.
 */
import type { AnyEnv, Awaitable, StepResult } from '../env.js';
import { GymError } from '../errors.js';
import { checkNames, names } from '../options.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { checkUntrustedData, makeFromUntrustedSpec } from '../registry/spec/untrusted-spec.js';
import { digestObservation } from './digest.js';
import type { Trajectory, TrajectoryStep } from './schema.js';

export interface ReplayOptions {
  /** The environment to use, which stays open; by default one is made and closed. */
  readonly env?: AnyEnv | undefined;
  /**
   * How to make the environment. By default the file is not trusted: only environments that are registered already are
   * made, and options cannot name code, programs or locations (`makeFromUntrustedSpec`).
   */
  readonly make?: ((spec: EnvSpec) => Awaitable<AnyEnv>) | undefined;
  /** The caller's options of the environment; each replaces that of the file and is not restricted. */
  readonly envOptions?: Readonly<Record<string, unknown>> | undefined;
  /** The caller's options of the reset, in the same way. */
  readonly resetOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** The first difference. */
export interface ReplayMismatch {
  /** Index of the step, or `reset`. */
  readonly at: number | 'reset';
  /** `error`: the environment failed only in the recording or only in the replay; `action`: the recorded action is invalid. */
  readonly field: 'observation' | 'reward' | 'terminated' | 'truncated' | 'action' | 'error';
  readonly recorded: unknown;
  readonly replayed: unknown;
}

export interface ReplayReport {
  readonly ok: boolean;
  readonly id: string;
  /** Steps that agreed. */
  readonly steps: number;
  readonly mismatch?: ReplayMismatch;
  /** The setting to change, if the environment knows why the episode begins with another observation. */
  readonly hint?: string;
}

/** A trajectory without the data needed to replay it. */
export class NotReplayableError extends GymError {
  constructor(
    readonly id: string,
    why: string,
    hint: string,
  ) {
    super(`The episode "${id}" cannot be replayed: ${why}.`, { code: 'NOT_REPLAYABLE', value: id, hint });
  }
}

const REPLAY_OPTIONS = names<ReplayOptions>({ env: 0, make: 0, envOptions: 0, resetOptions: 0 });

/**
 * Safe for untrusted files: nothing in a file is loaded as code or started as a program.
 *
 * @throws {NotReplayableError} `NOT_REPLAYABLE`: the seed or the spec of the environment is missing.
 * @throws {UntrustedSpecError} `UNTRUSTED_SPEC`: the file sets something that only the reader may choose.
 */
export async function replay(trajectory: Trajectory, options: ReplayOptions = {}): Promise<ReplayReport> {
  checkNames('options', options, REPLAY_OPTIONS);
  const { id, seed } = trajectory;
  if (seed === undefined) {
    throw new NotReplayableError(id, 'it has no seed', 'give `reset` a seed for every episode you want to replay');
  }
  const resetOptions = ownResetOptions(trajectory, options);
  const env = options.env ?? (await makeEnv(trajectory, options));
  try {
    const mismatch = await firstMismatch({ ...trajectory, options: resetOptions }, seed, env);
    if (mismatch === undefined) return { ok: true, id, steps: trajectory.steps.length };
    if (mismatch.at !== 'reset') return { ok: false, id, steps: mismatch.at, mismatch };
    const { taskKey } = trajectory;
    const hint = taskKey === undefined ? undefined : env.unwrapped.replayHint?.(taskKey);
    return { ok: false, id, steps: 0, mismatch, ...(hint !== undefined && { hint }) };
  } finally {
    if (options.env === undefined) await env.close();
  }
}

/** The options of the file, validated, overridden by the reader's. */
function ownResetOptions({ options }: Trajectory, { resetOptions = {} }: ReplayOptions): Trajectory['options'] {
  const foreign = Object.entries(options ?? {}).filter(([name]) => !Object.hasOwn(resetOptions, name));
  checkUntrustedData(Object.fromEntries(foreign), 'resetOptions');
  const all = { ...Object.fromEntries(foreign), ...resetOptions } as Trajectory['options'];
  return options === undefined && Object.keys(resetOptions).length === 0 ? undefined : all;
}

async function makeEnv({ id, env }: Trajectory, { envOptions, ...options }: ReplayOptions): Promise<AnyEnv> {
  const { make = (spec) => makeFromUntrustedSpec(spec, { options: envOptions }) } = options;
  if (env === undefined) {
    throw new NotReplayableError(id, 'its environment was not made with `make`', 'pass one: `replay(t, { env })`');
  }
  if (env.wrappers === undefined) return make(env);
  // a replay must not overwrite the videos of the episodes it verifies
  return make({ ...env, wrappers: env.wrappers.filter(({ name }) => name !== 'recordVideo') });
}

async function firstMismatch(trajectory: Trajectory, seed: number, env: AnyEnv): Promise<ReplayMismatch | undefined> {
  const { options, observation, steps } = trajectory;
  let replayed: string;
  try {
    const first = await env.reset({ seed, ...(options === undefined ? {} : { options }) });
    replayed = digestObservation(first.observation);
  } catch (error) {
    return { at: 'reset', field: 'error', recorded: undefined, replayed: errorWords(error) };
  }
  if (replayed !== observation.digest) {
    return { at: 'reset', field: 'observation', recorded: observation.digest, replayed };
  }
  for (const step of steps) {
    if (step.action === undefined) continue; // no action reached the environment
    const mismatch = await replayStep(step, env);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

async function replayStep(step: TrajectoryStep, env: AnyEnv): Promise<ReplayMismatch | undefined> {
  const at = step.index;
  let action: unknown;
  try {
    action = env.actionSpace.decode(step.action);
  } catch (error) {
    return { at, field: 'action', recorded: step.action, replayed: errorWords(error) };
  }

  let result: StepResult<unknown>;
  try {
    result = await env.step(action);
  } catch (error) {
    if (step.observation === undefined && step.error !== undefined) return undefined;
    return { at, field: 'error', recorded: undefined, replayed: errorWords(error) };
  }
  if (step.observation === undefined) {
    return { at, field: 'error', recorded: step.error?.code ?? 'no observation', replayed: undefined };
  }

  // truncation by the runner is not the environment's
  const truncated = step.truncated && step.truncationReason === 'environment';
  const pairs = [
    ['reward', step.reward, result.reward],
    ['terminated', step.terminated, result.terminated],
    ['truncated', truncated, result.truncated],
    ['observation', step.observation.digest, digestObservation(result.observation)],
  ] as const;
  for (const [field, recorded, replayed] of pairs) {
    if (recorded !== replayed) return { at, field, recorded, replayed };
  }
  return undefined;
}

function errorWords(error: unknown): string {
  return GymError.isInstance(error) ? error.code : String(error);
}
