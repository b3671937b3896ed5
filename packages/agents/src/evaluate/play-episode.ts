/**
 * One episode from reset to end, its record and its row.
 *
 * The promise rejects only if the recording cannot be written or the agent cannot play the environment: both would
 * invalidate every result.
 */
import type { AnyEnv, Awaitable, Generator } from '@vlgym/core';
import type { EpisodeRecorder, EpisodeStart, EpisodeStep } from '@vlgym/core/trajectory';
import type { EpisodeOutcome } from '../agent.js';
import { Episode } from '../episode/episode.js';
import type { EpisodeOptions } from '../episode/options.js';
import { toBoundaryError } from '../errors.js';
import { type StepEvent, stepEvent } from '../events/turn-events.js';
import { observed } from '../observer.js';
import type { EpisodePlan } from './plan.js';
import { type AgentMemory, playTurns, type TurnTaker } from './play-turns.js';
import { countSteps, type EpisodeRow, isCounted, type StepFacts, taskKeyIn } from './rows.js';
import type { EpisodeEnding } from './types.js';

export interface PlayOptions extends TurnTaker, Pick<EpisodeOptions, 'fallback' | 'maxSteps'> {
  readonly env: AnyEnv;
  readonly environmentTimeoutMs: number;
  /** Draws of the agent and of fallback actions. */
  readonly rng: Generator;
  /** The id that the agent receives; unique within a process. */
  readonly episodeId: string;
  readonly signal: AbortSignal;
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
  readonly record: ((start: EpisodeStart) => Promise<EpisodeRecorder>) | undefined;
  readonly onStep?: ((step: StepEvent) => Awaitable<void>) | undefined;
}

/** A row, and what was thrown if the episode failed. */
export interface PlayedEpisode {
  readonly row: EpisodeRow;
  readonly cause?: unknown;
}

/** @throws what `env.reset` threw, where `refusesSetup` says so; what the recorder threw. */
export async function playEpisode(options: PlayOptions): Promise<PlayedEpisode> {
  const { plan, isSuccess, category, record, resetOptions, onStep } = options;
  const episode = new Episode(options);
  try {
    const start = { seed: plan.seed, options: resetOptions, id: options.episodeId };
    await observed(
      options.observer,
      () => ({ kind: 'reset', seed: plan.seed }),
      async () => episode.reset(start),
    );
  } catch (error) {
    if (!options.signal.aborted && options.refusesSetup(error)) throw error;
    return { row: failedResetRow(options, error), cause: error };
  }
  options.onReset();
  const { info: first } = episode.state;
  if (record) await episode.record(record);
  const { recorder } = episode;
  const facts: StepFacts[] = [];
  let last: EpisodeStep = {};
  const memory: AgentMemory = { hasBegun: false, memory: undefined };
  for await (const step of playTurns(episode, options, memory)) {
    await recorder?.step(step);
    if (onStep) {
      const name = { id: recorder?.id ?? options.id, seed: plan.seed, repeat: plan.repeat, step: facts.length };
      await onStep(stepEvent(name, step, episode.state.return));
    }
    facts.push(factsOf(step));
    last = step;
  }

  const { info, return: sum, terminated } = episode.state;
  const ending: EpisodeEnding = { info, return: sum, length: facts.length, terminated, truncated: !terminated };
  const endedBy = terminated ? 'terminated' : last.error ? 'error' : 'truncated';
  const reason = terminated ? undefined : (last.truncationReason ?? 'environment');
  const counted = isCounted(endedBy, reason);
  const success = counted && !last.error && isSuccess(ending);
  await recorder?.end({ success });
  const kind = category(info) ?? category(first);
  const row: EpisodeRow = {
    id: recorder?.id ?? options.id,
    ...plan,
    ...taskKeyIn(first),
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
  const { cause } = episode;
  const failedEnd = memory.hasBegun ? await endEpisode(options, row, memory.memory) : undefined;
  if (!failedEnd) return { row, cause };
  return row.error ? { row, cause } : { row: { ...row, error: failedEnd.error }, cause: failedEnd.cause };
}

/** `end` of the agent. It cannot change the score, but its failure is reported. */
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
