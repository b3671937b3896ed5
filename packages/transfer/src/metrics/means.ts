/** Means of verdicts, whole and by part. */
import type { Judged, Part, Row, Summary } from '../benchmark.js';

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const meanScore = (judged: readonly Judged[]): number => mean(judged.map(({ verdict }) => verdict.score));

export const invalidRate = (judged: readonly Judged[]): number =>
  judged.length === 0 ? 0 : judged.filter(({ verdict }) => verdict.invalid).length / judged.length;

/** In order of first occurrence. */
export function grouped(judged: readonly Judged[], keyOf: (row: Row) => string): Map<string, Judged[]> {
  const groups = new Map<string, Judged[]>();
  for (const each of judged) {
    const key = keyOf(each.row);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/** Mean scores by the fields, as `field: value`; rows without a field are in no part of it. */
export function partsBy(judged: readonly Judged[], fields: readonly string[], scale = 1): Record<string, Part> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const known = judged.filter(({ row }) => row[field] !== undefined && row[field] !== null);
      return [...grouped(known, (row) => String(row[field]))]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([value, group]) => [`${field}: ${value}`, { value: scale * meanScore(group), n: group.length }] as const);
    }),
  );
}

/** The mean of all scores. */
export function plainSummary(
  judged: readonly Judged[],
  { metric, unit, fields }: Pick<Summary, 'metric' | 'unit'> & { readonly fields: readonly string[] },
): Summary {
  const counted = judged.filter(({ verdict }) => verdict.dropped !== true);
  const scale = unit === 'percent' ? 100 : 1;
  return {
    metric,
    unit,
    value: counted.length === 0 ? undefined : scale * meanScore(counted),
    n: judged.length,
    invalidRate: invalidRate(judged),
    parts: partsBy(counted, fields, scale),
    missing: [],
  };
}
