/** Evaluations out of their recordings: what `evaluate({ record })` returned, without environment and agent. */
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import { EVALUATION_FALLBACK, FALLBACKS, type Fallback } from '../fallback.js';
import { type EpisodeRow, rowOf } from './rows.js';
import { summarizeRows, totalUsage } from './summary.js';
import type { Evaluation } from './types.js';

/** Episodes that count as one evaluation. */
const keyOf = (one: Trajectory): string =>
  JSON.stringify([one.env?.id, one.agent?.name, one.dialogue, fallbackOf(one)]);

/** How unreadable answers were handled; recordings of other programs do not contain it. */
function fallbackOf({ metadata }: Trajectory): Fallback {
  const { fallback } = metadata ?? {};
  return FALLBACKS.find((name) => name === fallback) ?? EVALUATION_FALLBACK;
}

/**
 * One evaluation for each environment and agent of a recording, its episodes in the order of their seeds.
 *
 * An episode that was played twice counts once, as it ended last; `planned` is what was recorded.
 *
 * @param path  A folder that `evaluate` recorded into, or its `episodes.jsonl`.
 * @throws {TrajectoryInvalidError} A line is not an episode.
 *
 * @example const [first] = await recordedEvaluations('runs/expert');
 */
export async function recordedEvaluations(path: string): Promise<Evaluation[]> {
  const found = new Map<string, { readonly one: Trajectory; readonly rows: Map<string, EpisodeRow> }>();
  for await (const trajectory of readTrajectories(path)) {
    const key = keyOf(trajectory);
    const group = found.get(key) ?? { one: trajectory, rows: new Map<string, EpisodeRow>() };
    found.set(key, group);
    const { repeat: given } = trajectory.metadata ?? {};
    const repeat = typeof given === 'number' ? given : 0;
    const seed = trajectory.seed ?? group.rows.size;
    group.rows.set(
      `${seed} ${repeat}`,
      rowOf(trajectory, { index: 0, seed, repeat }, () => undefined),
    );
  }
  return [...found.values()].map(({ one, rows }) => evaluationOf(one, [...rows.values()]));
}

function evaluationOf(one: Trajectory, unordered: readonly EpisodeRow[]): Evaluation {
  const { env, agent, dialogue } = one;
  const rows = unordered
    .toSorted((a, b) => a.seed - b.seed || a.repeat - b.repeat)
    .map((row, index) => ({ ...row, index }));
  const scores = summarizeRows(rows);
  return {
    agent: agent?.name ?? 'recording',
    ...(env && { env: env.id }),
    ...(dialogue !== undefined && { dialogue }),
    fallback: fallbackOf(one),
    planned: rows.length,
    excluded: rows.length - scores.counted,
    ...scores,
    usage: totalUsage(rows),
    episodes: rows,
  };
}
