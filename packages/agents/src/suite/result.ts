/**
 * The result of an evaluation or a suite as plain data: one cell for each environment and agent, and the paired tests
 * between agents. `result.json` holds it; reports and comparisons read nothing else.
 */
import { z } from 'zod';
import type { Usage } from '../agent.js';
import type { EpisodeRow } from '../evaluate/rows.js';
import type { Scores } from '../evaluate/summary.js';
import type { Evaluation } from '../evaluate/types.js';
import { FALLBACKS, type Fallback } from '../fallback.js';
import { type PassRate, passRate } from '../statistics/pass-at-k.js';

/** Name and version of the layout. */
export const RESULT_SCHEMA = 'vlgym.result/1';

/** The fields of an episode that a comparison needs. */
export type CellEpisode = Pick<
  EpisodeRow,
  'id' | 'seed' | 'repeat' | 'taskKey' | 'success' | 'counted' | 'return' | 'length' | 'category'
> & { readonly error?: string };

/** Failures of one kind. */
export interface FailureCount {
  readonly boundary: string;
  readonly code: string;
  /** Message of the first one. */
  readonly message: string;
  readonly seed: number;
  readonly count: number;
  /** How many of these episodes count, as failures of the agent. */
  readonly counted: number;
}

/** One agent on one environment. */
export interface SuiteCell {
  readonly environment: string;
  readonly agent: string;
  /** The reason why nothing was played: the agent cannot play this environment, or its model cannot be used. */
  readonly failed?: { readonly code: string; readonly message: string };
  readonly dialogue?: string;
  /** How unreadable answers were handled; absent if nothing was played, and in older results. */
  readonly fallback?: Fallback;
  readonly planned: number;
  readonly excluded: number;
  readonly stopped?: string;
  /** Absent without a counted episode: a failed evaluation has no scores. */
  readonly scores?: Scores;
  /** Without a counted success absent. */
  readonly costPerSuccess?: number;
  readonly usage: Usage;
  readonly passes: readonly PassRate[];
  readonly breakdown?: Readonly<Record<string, Scores>>;
  readonly failures: readonly FailureCount[];
  readonly episodes: readonly CellEpisode[];
}

/** @param attempts  Planned attempts at each seed; `passes` has k = 1, 2, 4, … and `attempts`. */
export function cellOf(environment: string, result: Evaluation, attempts = 1): SuiteCell {
  const { agent, dialogue, fallback, planned, excluded, stopped, usage, breakdown, episodes, counted, successes } =
    result;
  return {
    environment,
    agent,
    ...(dialogue === undefined ? {} : { dialogue }),
    fallback,
    planned,
    excluded,
    ...(stopped === undefined ? {} : { stopped }),
    ...(counted > 0 && { scores: scoresOf(result) }),
    ...(successes > 0 && { costPerSuccess: usage.cost / successes }),
    usage,
    passes: attempts > 1 ? powersUpTo(attempts).flatMap((k) => passRate(episodes, k) ?? []) : [],
    ...(breakdown && Object.keys(breakdown).length > 0 ? { breakdown: scoredOnly(breakdown) } : {}),
    failures: countFailures(episodes),
    episodes: episodes.map(cellEpisode),
  };
}

function scoresOf(scores: Scores): Scores {
  const { counted, successes, tasks, tasksBy, successRate, interval95, meanReturn, returnInterval95, meanLength } =
    scores;
  const { legalRate, formatRate, fallbackRate, strictSuccesses, strictRate, thoughtRate, thoughtsChecked } = scores;
  return {
    counted,
    successes,
    tasks,
    tasksBy,
    successRate,
    interval95,
    meanReturn,
    returnInterval95,
    meanLength,
    ...(legalRate === undefined ? {} : { legalRate }),
    ...(formatRate === undefined ? {} : { formatRate }),
    fallbackRate,
    strictSuccesses,
    strictRate,
    ...(thoughtRate === undefined || thoughtsChecked === undefined ? {} : { thoughtRate, thoughtsChecked }),
  };
}

/** Categories without a counted episode have no scores. */
const scoredOnly = (breakdown: Readonly<Record<string, Scores>>) =>
  Object.fromEntries(Object.entries(breakdown).filter(([, { counted }]) => counted > 0));

function cellEpisode(row: EpisodeRow): CellEpisode {
  const { id, seed, repeat, taskKey, success, counted, return: sum, length, category, error } = row;
  return {
    id,
    seed,
    repeat,
    ...(taskKey === undefined ? {} : { taskKey }),
    success,
    counted,
    return: sum,
    length,
    ...(category === undefined ? {} : { category }),
    ...(error === undefined ? {} : { error: error.code }),
  };
}

/** Every failure, counted or not, by code and message. */
export function countFailures(rows: readonly EpisodeRow[]): FailureCount[] {
  const kinds = new Map<string, FailureCount>();
  for (const { error, seed, counted } of rows) {
    if (!error) continue;
    const { boundary, code, message } = error;
    const key = `${code} ${message}`;
    const found = kinds.get(key) ?? { boundary, code, message, seed, count: 0, counted: 0 };
    kinds.set(key, { ...found, count: found.count + 1, counted: found.counted + (counted ? 1 : 0) });
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count);
}

function powersUpTo(attempts: number): number[] {
  const powers = [1];
  while (powers.at(-1)! * 2 < attempts) powers.push(powers.at(-1)! * 2);
  return [...powers, attempts];
}

const interval = z.tuple([z.number(), z.number()]);
const scoresSchema = z.looseObject({
  counted: z.number(),
  successes: z.number(),
  tasks: z.number(),
  tasksBy: z.enum(['taskKey', 'seed']),
  successRate: z.number(),
  interval95: interval,
  meanReturn: z.number(),
  returnInterval95: interval,
  meanLength: z.number(),
  legalRate: z.number().optional(),
  formatRate: z.number().optional(),
  fallbackRate: z.number(),
  // absent in older results
  strictSuccesses: z.number().optional(),
  strictRate: z.number().optional(),
  thoughtRate: z.number().optional(),
  thoughtsChecked: z.number().optional(),
});
const name = z.string().min(1).max(1024);

const cellSchema = z.looseObject({
  environment: name,
  agent: name,
  failed: z.object({ code: name, message: z.string().max(10_000) }).optional(),
  dialogue: name.optional(),
  fallback: z.enum(FALLBACKS).optional(),
  planned: z.number(),
  excluded: z.number(),
  stopped: z.string().optional(),
  scores: scoresSchema.optional(),
  costPerSuccess: z.number().optional(),
  usage: z.looseObject({
    requests: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number(),
  }),
  passes: z.array(
    z.object({
      k: z.number(),
      atLeastOne: z.number(),
      all: z.number(),
      atLeastOneInterval95: interval,
      allInterval95: interval,
      seeds: z.number(),
    }),
  ),
  breakdown: z.record(z.string(), scoresSchema).optional(),
  failures: z.array(
    z.object({
      boundary: z.string(),
      code: z.string(),
      message: z.string(),
      seed: z.number(),
      count: z.number(),
      counted: z.number(),
    }),
  ),
  episodes: z
    .array(
      z.object({
        id: z.string(),
        seed: z.number().int().nonnegative(),
        repeat: z.number().int().nonnegative(),
        taskKey: z.string().optional(),
        success: z.boolean(),
        counted: z.boolean(),
        return: z.number(),
        length: z.number(),
        category: z.string().optional(),
        error: z.string().optional(),
      }),
    )
    .max(1_000_000),
});

/** The contents of `result.json`; unknown members are ignored. */
export const resultFileSchema = z.looseObject({
  schema: z.literal(RESULT_SCHEMA),
  cells: z.array(cellSchema).max(10_000),
});
