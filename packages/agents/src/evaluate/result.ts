/** From rows to the result of an evaluation. */
import type { AnyEnv } from '@vlgym/core';
import type { AnyAgent } from '../agent.js';
import { toBoundaryError } from '../errors.js';
import type { Fallback } from '../fallback.js';
import type { EpisodeRow } from './rows.js';
import { breakDown, summarizeRows, totalUsage } from './summary.js';
import type { EpisodeFailure, Evaluation, Stopped } from './types.js';

export interface ResultParts {
  readonly env: AnyEnv;
  readonly agent: AnyAgent;
  readonly fallback: Fallback;
  readonly planned: number;
  readonly stopped: Stopped | undefined;
  readonly stopReason: string | undefined;
  /** Errors that were thrown, by episode id. */
  readonly causes: ReadonlyMap<string, unknown>;
  readonly withBreakdown: boolean;
}

export function resultFrom(rows: EpisodeRow[], parts: ResultParts): Evaluation {
  const { env, agent, fallback, planned, stopped, stopReason, causes, withBreakdown } = parts;
  rows.sort((a, b) => a.index - b.index);
  const scores = summarizeRows(rows);
  const firstFailure = failureOf(rows, causes);
  return {
    agent: agent.name,
    ...(env.spec && { env: env.spec.id }),
    ...(env.dialogue && { dialogue: env.dialogue.version }),
    fallback,
    planned,
    excluded: rows.length - scores.counted,
    ...(stopped && { stopped }),
    ...(stopReason !== undefined && { stopReason }),
    ...(firstFailure && { firstFailure }),
    ...scores,
    usage: totalUsage(rows),
    episodes: rows,
    ...(withBreakdown && { breakdown: breakDown(rows) }),
  };
}

/** The cause of an early stop: the reason of the signal, or the exhausted budget. */
export function reasonOf(signal: AbortSignal | undefined, rows: readonly EpisodeRow[]): string | undefined {
  if (signal?.aborted) return toBoundaryError(signal.reason, 'agent').message;
  return rows.find(({ truncationReason }) => truncationReason === 'budget')?.error?.message;
}

export const environmentOf = ({ spec }: AnyEnv) => spec && { environment: spec.id };

function failureOf(rows: readonly EpisodeRow[], causes: ReadonlyMap<string, unknown>): EpisodeFailure | undefined {
  const row = rows.find(({ error }) => error !== undefined);
  if (!row?.error) return undefined;
  const { id, seed, error } = row;
  return Object.defineProperty({ id, seed, error }, 'cause', { value: causes.get(id), enumerable: false });
}
