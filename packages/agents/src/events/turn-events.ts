/** The events of a turn: a step, and pieces of its answer. */
import type { EpisodeStep } from '@vlgym/core/trajectory';
import type { BoundaryError, ToolCall, Usage } from '../agent.js';
import type { AnswerPart } from '../model/answer-stream.js';

/** Which turn of which episode. */
export interface TurnName {
  /** Id in the recording. */
  readonly id: string;
  readonly seed: number;
  /** Number of earlier occurrences of this seed in the list of seeds. */
  readonly repeat: number;
  /** Index of the turn, from 0. */
  readonly step: number;
}

export interface StepEvent extends TurnName {
  /** The response; empty for agents that produce no text. */
  readonly text: string;
  readonly thought?: string;
  /** The action as written. */
  readonly actionText?: string;
  /** The executed action; absent if none reached the environment. */
  readonly action?: unknown;
  readonly legal?: boolean;
  readonly toolCalls?: readonly ToolCall[];
  readonly reward: number;
  /** Undiscounted sum of rewards so far. */
  readonly return: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly usage?: Usage;
  readonly error?: BoundaryError;
}

/** A piece of an answer, and whose it is. */
export type PartEvent = AnswerPart & TurnName;

export const turnName = ({ id, seed, repeat, step }: TurnName): TurnName => ({ id, seed, repeat, step });

/** The event of a step, as the recorder gets it. @param sum  Return with this step. */
export function stepEvent(
  name: TurnName,
  { turn, action, result, truncationReason, error }: EpisodeStep,
  sum: number,
): StepEvent {
  const { text = '', parsed, toolCalls, usage } = turn ?? {};
  return {
    ...name,
    text,
    ...(parsed && { thought: parsed.thought, actionText: parsed.actionText, legal: parsed.legal }),
    ...(action !== undefined && { action }),
    ...(toolCalls && { toolCalls: toolCalls as readonly ToolCall[] }),
    reward: result?.reward ?? 0,
    return: sum,
    terminated: result?.terminated ?? false,
    truncated: truncationReason !== undefined || (result?.truncated ?? false),
    ...(usage && { usage: usage as Usage }),
    ...(error && { error }),
  };
}
