/**
 * One episode from reset to end, its record and its row.
 *
 * The promise rejects only if the recording cannot be written or the agent cannot play the environment: both would
 * invalidate every result.
 */
import type { Awaitable, EpisodeRecorder, EpisodeStart, EpisodeStep, Info, ResetResult } from '@vlgym/core';
import type { EpisodeOutcome } from '../agent.js';
import { awaitWithDeadline } from '../deadline.js';
import { toBoundaryError } from '../errors.js';
import { EpisodeTurns, type EpisodeTurnsOptions } from './episode-turns.js';
import type { EpisodePlan } from './plan.js';
import { countSteps, type EpisodeRow, isCounted, type StepFacts, taskKeyIn } from './rows.js';

/** Input of the success rule: the last step of an episode and its totals. */
export interface EpisodeEnding {
  readonly info: Info;
  readonly return: number;
  readonly length: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface PlayOptions extends EpisodeTurnsOptions {
  readonly plan: EpisodePlan;
  /** Id of its trajectory and row; equal in every run of the same evaluation. */
  readonly id: string;
  readonly end: ((outcome: EpisodeOutcome) => Awaitable<void>) | undefined;
  readonly isSuccess: (ending: EpisodeEnding) => boolean;
  readonly category: (info: unknown) => string | undefined;
  readonly resetOptions?: Readonly<Record<string, unknown>> | undefined;
  /** True if the failure of a reset says that no episode can be played. */
  readonly refusesSetup: (error: unknown) => boolean;
  /** A reset worked. */
  readonly onReset: () => void;
  readonly record: ((start: Pick<EpisodeStart, 'env' | 'first'>) => Promise<EpisodeRecorder>) | undefined;
}

/** A row, and what was thrown if the episode failed. */
export interface PlayedEpisode {
  readonly row: EpisodeRow;
  readonly cause?: unknown;
}

/** @throws what `env.reset` threw, where `refusesSetup` says so; what the recorder threw. */
export async function playEpisode(options: PlayOptions): Promise<PlayedEpisode> {
  const { plan, isSuccess, category } = options;
  let first: ResetResult<unknown>;
  try {
    first = await reset(options);
  } catch (error) {
    if (!options.signal.aborted && options.refusesSetup(error)) throw error;
    return { row: failedResetRow(options, error), cause: error };
  }
  options.onReset();
  const recorder = await options.record?.({ env: options.env, first });
  const facts: StepFacts[] = [];
  let { info } = first;
  let sum = 0;
  let last: EpisodeStep = {};
  const turns = new EpisodeTurns(options);
  for await (const step of turns.play(first)) {
    await recorder?.step(step);
    facts.push(factsOf(step));
    sum += step.result?.reward ?? 0;
    info = step.result?.info ?? info;
    last = step;
  }

  const terminated = last.result?.terminated ?? false;
  const ending: EpisodeEnding = { info, return: sum, length: facts.length, terminated, truncated: !terminated };
  const endedBy = ending.terminated ? 'terminated' : last.error ? 'error' : 'truncated';
  const reason = ending.terminated ? undefined : (last.truncationReason ?? 'environment');
  const counted = isCounted(endedBy, reason);
  const success = counted && endedBy !== 'error' && isSuccess(ending);
  await recorder?.end({ success });
  const kind = category(info) ?? category(first.info);
  const row: EpisodeRow = {
    id: recorder?.id ?? options.id,
    ...plan,
    ...taskKeyIn(first.info),
    return: ending.return,
    length: ending.length,
    success,
    endedBy,
    ...(reason && { truncationReason: reason }),
    ...(last.error && { error: last.error }),
    counted,
    ...countSteps(facts),
    ...(kind === undefined ? {} : { category: kind }),
  };
  const failedEnd = turns.hasBegun ? await endEpisode(options, row, turns.memory) : undefined;
  if (!failedEnd) return { row, cause: turns.cause };
  return row.error ? { row, cause: turns.cause } : { row: { ...row, error: failedEnd.error }, cause: failedEnd.cause };
}

/** `end` of the agent. It cannot change the score, but its failure is told. */
async function endEpisode({ end, episodeId }: PlayOptions, row: EpisodeRow, memory: unknown) {
  const { seed, taskKey, success, counted, return: sum, length, endedBy, truncationReason, error } = row;
  try {
    await end?.({
      episodeId,
      memory,
      seed,
      ...(taskKey === undefined ? {} : { taskKey }),
      success,
      counted,
      return: sum,
      length,
      endedBy,
      ...(truncationReason && { truncationReason }),
      ...(error && { error }),
    });
    return undefined;
  } catch (cause) {
    return { error: { ...toBoundaryError(cause, 'agent'), code: 'AGENT_END_FAILED' }, cause };
  }
}

async function reset({ env, plan, resetOptions, environmentTimeoutMs, signal }: PlayOptions) {
  const options = { seed: plan.seed, ...(resetOptions && { options: resetOptions }) };
  return awaitWithDeadline(() => env.reset(options), {
    what: 'The environment',
    code: 'ENVIRONMENT_TIMEOUT',
    milliseconds: environmentTimeoutMs,
    signal,
  });
}

function factsOf({ turn, fallback }: EpisodeStep): StepFacts {
  const { legal, formatValid, thoughtCorrect, reason } = turn?.parsed ?? {};
  return { legal, formatValid, thoughtCorrect, reason, fallback, usage: turn?.usage };
}

/** The row of an episode whose reset failed; it has no trajectory. */
export function failedResetRow(
  { id, plan, signal }: Pick<PlayOptions, 'id' | 'plan' | 'signal'>,
  error: unknown,
): EpisodeRow {
  const stopped = signal.aborted;
  return {
    id,
    ...plan,
    return: 0,
    length: 0,
    success: false,
    endedBy: stopped ? 'interrupted' : 'error',
    truncationReason: stopped ? 'interrupted' : 'environment-error',
    ...(stopped ? {} : { error: toBoundaryError(error, 'environment') }),
    counted: false,
    ...countSteps([]),
  };
}
