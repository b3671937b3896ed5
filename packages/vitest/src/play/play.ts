/**
 * Plays until a verdict is clear. Episodes run side by side and end in any order; they are judged in the order of their
 * seeds, so that the verdict does not depend on which one was faster.
 *
 * An excluded episode (a server that failed, an exhausted budget) says nothing about the agent. It cannot help a pass: a
 * verdict is `pass` if it is one with every excluded episode counted as a failure. Nor can it cause an alarm: that verdict
 * is of the counted episodes alone. Where the two differ nothing can be said, and the test fails as undecided.
 */
import { rm } from 'node:fs/promises';
import { type AnyAgent, type EpisodeRow, type EvaluateOptions, type Evaluation, evaluate } from '@vlgym/agents';
import type { AgentCheck } from '../check.js';
import { inOrder } from './in-order.js';
import type { PlayOptions } from './options.js';
import { timedAgent } from './timed-agent.js';

export type Verdict = AgentCheck['verdict'];

/** The rows seen so far, in the order of the seeds → how it looks; `undefined` as long as it is not clear. */
export type Judge = (
  rows: readonly EpisodeRow[],
) => { readonly verdict: 'pass' | 'alarm'; readonly used: number } | undefined;

export interface Played {
  readonly verdict: Verdict;
  /** The episodes that were judged, in the order of their seeds. */
  readonly rows: readonly EpisodeRow[];
  readonly evaluation: Evaluation;
  readonly seconds: ReadonlyMap<number, number>;
  readonly folder: string | undefined;
}

export interface PlayRequest {
  readonly agent: AnyAgent;
  readonly env: EvaluateOptions['env'];
  readonly seeds: readonly number[];
  readonly options: PlayOptions;
  readonly folder: string | undefined;
  /** Plays all episodes if absent. */
  readonly judge?: Judge;
}

export async function play({ agent, env, seeds, options, folder, judge }: PlayRequest): Promise<Played> {
  const { record: _, signal, parallel, ...rules } = options;
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  const clear = new AbortController();
  const rows = Array<EpisodeRow | undefined>(seeds.length).fill(undefined);
  let clearAt: Clear | undefined;
  const ordered = inOrder(agent, (seed) => prefix(rows).length >= seeds.indexOf(seed));
  const timed = timedAgent(ordered.agent);
  const evaluation = await evaluate({
    ...rules,
    agent: timed.agent,
    env,
    seeds,
    parallel: parallel ?? defaultParallel(env),
    signal: signal ? AbortSignal.any([signal, clear.signal]) : clear.signal,
    ...(folder !== undefined && { record: folder }),
    onEpisode: (row) => {
      rows[row.index] = row;
      if (judge && !clearAt) {
        clearAt = clearVerdict(judge, prefix(rows));
        if (clearAt) clear.abort(new Error('The answer is clear.'));
      }
      ordered.check();
    },
  });
  const seen = prefix(rows);
  const { verdict, used } =
    clearAt ?? (judge ? { verdict: 'undecided', used: seen.length } : { verdict: 'pass', used: seen.length });
  return { verdict, rows: seen.slice(0, used), evaluation, seconds: timed.seconds, folder };
}

interface Clear {
  readonly verdict: Verdict;
  readonly used: number;
}

function clearVerdict(judge: Judge, seen: readonly EpisodeRow[]): Clear | undefined {
  const worst = judge(seen.map((row) => (row.counted ? row : { ...row, success: false, counted: true })));
  if (worst?.verdict === 'pass') return worst;
  const counted = judge(seen.filter((row) => row.counted));
  if (counted?.verdict === 'alarm') {
    const last = seen.filter((row) => row.counted)[counted.used - 1]!;
    return { verdict: 'alarm', used: seen.indexOf(last) + 1 };
  }
  return worst && counted ? { verdict: 'undecided', used: seen.length } : undefined;
}

/** The episodes up to the first one that has not ended yet. */
function prefix(rows: readonly (EpisodeRow | undefined)[]): EpisodeRow[] {
  const end = rows.indexOf(undefined);
  return rows.slice(0, end < 0 ? rows.length : end) as EpisodeRow[];
}

/** One environment plays one episode at a time. */
const defaultParallel = (env: EvaluateOptions['env']): number => (typeof env === 'object' && 'reset' in env ? 1 : 4);
