/** Results of a sweep: its points in order of merit, and how much each hyperparameter matters. */

import { meanOf, type SweepFile } from './sweep-file.js';

export interface PointResult {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Updates trained. */
  readonly updates: number;
  /** Mean over seeds; undefined if a run has failed. */
  readonly score: number | undefined;
  readonly seeds: readonly (number | undefined)[];
  /** Trained to the end; else a better point took its place. */
  readonly isComplete: boolean;
}

/** Points that trained longer come first, then better ones; failed ones last. */
export function resultsOf({ points, rungs }: SweepFile): PointResult[] {
  const results = points.map(({ name, values }): PointResult => {
    const last = rungs.findLast(({ scores }) => scores[name] !== undefined);
    const scores = last?.scores[name] ?? [];
    return {
      name,
      values,
      updates: last?.updates ?? 0,
      score: meanOf(scores),
      seeds: scores.map(({ score }) => score),
      isComplete: last !== undefined && last === rungs.at(-1),
    };
  });
  const merit = ({ score }: PointResult) => score ?? Number.NEGATIVE_INFINITY;
  return results.sort(
    (a, b) =>
      Number(b.score !== undefined) - Number(a.score !== undefined) || b.updates - a.updates || merit(b) - merit(a),
  );
}

/** Scores of the points with one value of a hyperparameter, whatever the others are. */
export interface ValueEffect {
  readonly value: unknown;
  readonly scores: readonly number[];
  readonly mean: number;
}

export interface Sensitivity {
  readonly key: string;
  readonly effects: readonly ValueEffect[];
  /** Best mean minus worst mean: how much this hyperparameter moves the score. */
  readonly spread: number;
}

/** Sensitivity on the first rung, which all points have reached; the largest spread comes first. */
export function sensitivityOf({ points, rungs: [first] }: SweepFile): Sensitivity[] {
  if (!first) return [];
  const scored = points.flatMap(({ name, values }) => {
    const score = meanOf(first.scores[name] ?? []);
    return score === undefined ? [] : [{ values, score }];
  });
  const keys = Object.keys(points[0]?.values ?? {});
  return keys
    .map((key): Sensitivity => {
      const byValue = new Map<string, { value: unknown; scores: number[] }>();
      for (const { values, score } of scored) {
        const text = JSON.stringify(values[key]);
        const found = byValue.get(text) ?? { value: values[key], scores: [] };
        found.scores.push(score);
        byValue.set(text, found);
      }
      const effects = [...byValue.values()]
        .map(({ value, scores }) => ({ value, scores, mean: scores.reduce((a, b) => a + b, 0) / scores.length }))
        .sort((a, b) => (typeof a.value === 'number' && typeof b.value === 'number' ? a.value - b.value : 0));
      const means = effects.map(({ mean }) => mean);
      return { key, effects, spread: means.length === 0 ? 0 : Math.max(...means) - Math.min(...means) };
    })
    .sort((a, b) => b.spread - a.spread);
}
