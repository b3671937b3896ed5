/** One evaluated episode as a row: computed from its steps, both when they were just played and when they are read from disk. */
import { type Info, isUnreadable, type TruncationReason, taskKeyOf } from '@vlgym/core';
import type { Trajectory } from '@vlgym/core/trajectory';
import type { EpisodeResult, Usage } from '../agent.js';
import { addUsage, NO_USAGE } from '../model/budget.js';
import type { EpisodePlan } from './plan.js';

export interface EpisodeRow extends EpisodeResult {
  /** Id of its trajectory. */
  readonly id: string;
  /** Index in the evaluation, from 0. */
  readonly index: number;
  /** Number of earlier occurrences of this seed in the list of seeds. */
  readonly repeat: number;
  /** Turns with a text response. */
  readonly spoken: number;
  /** Turns with a text response and a legal action. */
  readonly legal: number;
  /** Turns with a text response in the requested format. */
  readonly formatValid: number;
  /** Turns where the rule for unreadable answers decided. */
  readonly fallbacks: number;
  /** Turns with a text response from which no action could be read, whether or not the environment executed the text. */
  readonly unreadable: number;
  /** Turns with a readable response whose thought the environment could check. */
  readonly thoughtsChecked: number;
  /** Turns of these whose thought was right. */
  readonly thoughtsCorrect: number;
  readonly usage: Usage;
  /** The value of the `breakdown` key, as text. */
  readonly category?: string;
}

/** The fields of a step that a row counts; a `TrajectoryStep` has them. */
export interface StepFacts {
  readonly legal?: boolean | undefined;
  readonly formatValid?: boolean | undefined;
  readonly thoughtCorrect?: boolean | undefined;
  /** The reason why no action was read. */
  readonly reason?: string | undefined;
  readonly fallback?: boolean | undefined;
  readonly usage?: { readonly [K in keyof Usage]?: number | undefined } | undefined;
}

export function countSteps(steps: readonly StepFacts[]) {
  const count = (test: (step: StepFacts) => unknown) => steps.filter(test).length;
  return {
    spoken: count((step) => step.legal !== undefined),
    legal: count((step) => step.legal),
    formatValid: count((step) => step.formatValid),
    fallbacks: count((step) => step.fallback),
    unreadable: count(isUnreadableStep),
    thoughtsChecked: count((step) => step.thoughtCorrect !== undefined),
    thoughtsCorrect: count((step) => step.thoughtCorrect),
    usage: steps.reduce<Usage>(
      (sum, { usage }) => addUsage(sum, { ...NO_USAGE, ...withoutUndefined(usage) }),
      NO_USAGE,
    ),
  };
}

const isUnreadableStep = ({ legal, fallback, reason }: StepFacts): boolean =>
  legal !== undefined && isUnreadable({ action: fallback ? undefined : 'executed', reason });

/** Success that no unreadable answer had a part in: one of them fails the episode. */
export const isStrictSuccess = ({ success, unreadable, fallbacks }: EpisodeRow): boolean =>
  success && unreadable === 0 && fallbacks === 0;

const NOT_THE_AGENT: readonly (TruncationReason | undefined)[] = [
  'environment-error',
  'step-timeout',
  'worker-crashed',
  'model-error',
  'tool-error',
  'budget',
  'interrupted',
];

/** Whether an episode says something about its agent: not one that an error of something else, a budget or a stop has ended. */
export function isCounted(endedBy: EpisodeRow['endedBy'], reason: TruncationReason | undefined): boolean {
  return endedBy !== 'interrupted' && !NOT_THE_AGENT.includes(reason);
}

/** The content key of the task, if the environment's reset gave one. */
export function taskKeyIn(info: Info | undefined): Pick<EpisodeRow, 'taskKey'> {
  const taskKey = taskKeyOf(info);
  return taskKey === undefined ? {} : { taskKey };
}

/**
 * The row of an episode that was recorded before.
 *
 * Only its `end` line says whether it succeeded. A writer killed before that line leaves an episode with unknown success:
 * it does not count, so `resume` plays it again.
 */
export function rowOf(
  trajectory: Trajectory,
  plan: EpisodePlan,
  category: (info: unknown) => string | undefined,
): EpisodeRow {
  const { id, steps, outcome } = trajectory;
  const last = steps.at(-1);
  const reason = outcome.endedBy === 'terminated' ? undefined : last?.truncationReason;
  const kind = category(last?.info) ?? category(trajectory.info);
  return {
    id,
    ...plan,
    ...taskKeyIn(trajectory.info),
    return: outcome.return,
    length: outcome.length,
    success: outcome.success ?? false,
    endedBy: outcome.endedBy,
    ...(reason && { truncationReason: reason }),
    ...(last?.error && { error: last.error }),
    counted: outcome.success !== undefined && isCounted(outcome.endedBy, reason),
    ...countSteps(steps),
    ...(kind === undefined ? {} : { category: kind }),
  };
}

function withoutUndefined(record: StepFacts['usage']): Partial<Usage> {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([, value]) => value !== undefined));
}
