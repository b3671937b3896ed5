/**
 * Replay verifies a trajectory: it plays the recorded actions again and compares all results.
 *
 * Needs no model: only the environment runs. Rewards and end flags must be equal to the last bit, observations by digest.
 * A step without an action must have left the environment alone, and the outcome must be that of the steps. Two claims are
 * the recorder's own: the reward of a fallback step, and the success under a rule that `metadata.successRule` names.
 */
import type { AnyEnv, Awaitable, Info, StepResult } from '../env.js';
import { GymError } from '../errors.js';
import { checkNames, names } from '../options.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { checkUntrustedData, makeFromUntrustedSpec } from '../registry/spec/untrusted-spec.js';
import { digestObservation } from './digest.js';
import { summarize } from './outcome.js';
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

type StepField = 'observation' | 'reward' | 'terminated' | 'truncated';

/** The first difference. */
export interface ReplayMismatch {
  /** Index of the step, `reset`, or `outcome`: the steps agree, but the recorded outcome is not theirs. */
  readonly at: number | 'reset' | 'outcome';
  /**
   * `error`: the environment failed only in the recording or only in the replay; `action`: the recorded action is invalid.
   * The outcome has the last four.
   */
  readonly field: StepField | 'action' | 'error' | 'return' | 'length' | 'endedBy' | 'success';
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
    if (mismatch.at === 'outcome') return { ok: false, id, steps: trajectory.steps.length, mismatch };
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

/** The environment after the steps so far. */
interface Reached {
  readonly digest: string;
  readonly info: Info;
  /** Sum of the rewards that the environment gave. */
  readonly earned: number;
}

type Seen = Pick<StepResult<unknown>, 'reward' | 'terminated' | 'truncated'>;
const NOTHING: Seen = { reward: 0, terminated: false, truncated: false };

async function firstMismatch(trajectory: Trajectory, seed: number, env: AnyEnv): Promise<ReplayMismatch | undefined> {
  const { options, observation, steps } = trajectory;
  let reached: Reached;
  try {
    const first = await env.reset({ seed, ...(options === undefined ? {} : { options }) });
    reached = { digest: digestObservation(first.observation), info: first.info, earned: 0 };
  } catch (error) {
    return { at: 'reset', field: 'error', recorded: undefined, replayed: errorWords(error) };
  }
  if (reached.digest !== observation.digest) {
    return { at: 'reset', field: 'observation', recorded: observation.digest, replayed: reached.digest };
  }
  for (const step of steps) {
    const next = step.action === undefined ? leaveAlone(step, reached) : await replayStep(step, reached, env);
    if ('field' in next) return next;
    reached = next;
  }
  return outcomeMismatch(trajectory, reached);
}

async function replayStep(step: TrajectoryStep, reached: Reached, env: AnyEnv): Promise<ReplayMismatch | Reached> {
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
    if (step.observation === undefined && step.error !== undefined) return stepMismatch(step, NOTHING) ?? reached;
    return { at, field: 'error', recorded: undefined, replayed: errorWords(error) };
  }
  if (step.observation === undefined) {
    return { at, field: 'error', recorded: step.error?.code ?? 'no observation', replayed: undefined };
  }
  const digest = digestObservation(result.observation);
  return stepMismatch(step, result, digest) ?? { digest, info: result.info, earned: reached.earned + result.reward };
}

/** No action reached the environment. Only the runner's rule for unreadable answers gives a reward or an end then. */
function leaveAlone(step: TrajectoryStep, reached: Reached): ReplayMismatch | Reached {
  const { fallback, reward, terminated } = step;
  return stepMismatch(step, fallback ? { ...NOTHING, reward, terminated } : NOTHING, reached.digest) ?? reached;
}

/** @param digest  Compared where the step has an observation. */
function stepMismatch(step: TrajectoryStep, seen: Seen, digest?: string): ReplayMismatch | undefined {
  // truncation by the runner is not the environment's
  const truncated = step.truncated && step.truncationReason === 'environment';
  const pairs: (readonly [StepField, unknown, unknown])[] = [
    ['reward', step.reward, seen.reward],
    ['terminated', step.terminated, seen.terminated],
    ['truncated', truncated, seen.truncated],
    ['observation', step.observation?.digest ?? digest, digest],
  ];
  for (const [field, recorded, replayed] of pairs) {
    if (recorded !== replayed) return { at: step.index, field, recorded, replayed };
  }
  return undefined;
}

function outcomeMismatch(trajectory: Trajectory, reached: Reached): ReplayMismatch | undefined {
  const { steps, outcome } = trajectory;
  const expected = { ...summarize(steps), success: successOf(trajectory, reached) };
  for (const field of ['return', 'length', 'endedBy', 'success'] as const) {
    const [recorded, replayed] = [outcome[field], expected[field]];
    if (recorded !== replayed) return { at: 'outcome', field, recorded, replayed };
  }
  return undefined;
}

/**
 * The success by the default rule of evaluations and trainings: the environment's verdict, or else a positive return, to
 * which rewards of fallback steps add nothing. The recorded one where it cannot be judged: under a rule of its own, or where
 * neither the environment nor the recording says what success is.
 */
function successOf({ steps, outcome, metadata }: Trajectory, { info, earned }: Reached): boolean | undefined {
  const { success } = outcome;
  const rule = metadata?.successRule;
  const last = steps.at(-1);
  if (success === undefined) return undefined;
  if (last?.error !== undefined || (last?.terminated && last.action === undefined)) return false;
  if (rule !== undefined && rule !== 'default') return success;
  const byReturn = rule === 'default' ? Math.min(earned, outcome.return) > 0 : success;
  const verdict = typeof info.success === 'boolean' ? info.success : byReturn;
  // an episode that was cut may count as a failure, whatever the environment says
  return last?.terminated ? verdict : success && verdict;
}

function errorWords(error: unknown): string {
  return GymError.isInstance(error) ? error.code : String(error);
}
