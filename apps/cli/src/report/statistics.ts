/** From runs to rows: means over seeds, intervals, paired comparisons on equal evaluation seeds. */
import { type PairedComparison, pairedComparison, wilsonInterval } from '@vlgym/agents';
import type { EvaluationPoint, RunResult, TaskReport } from './data.js';

export interface Row {
  readonly algorithm: string;
  readonly title: string;
  readonly runs: readonly RunResult[];
  readonly start: number;
  readonly end: number;
  /** 95 % Wilson interval of the final success rate, all seeds' episodes together. */
  readonly interval: readonly [number, number];
  /** Percentage points gained, mean over seeds, and the smallest and largest gain. */
  readonly gain: number;
  readonly gains: readonly number[];
  readonly meanReturn: number;
  readonly legalRate: number;
  readonly trainSeconds: number;
  readonly trainedSteps: number;
  /** Against the baseline, episode by episode; absent for the baseline itself. */
  readonly paired?: PairedComparison;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
export const rate = (point: EvaluationPoint) => point.successes / point.episodes;

export function group<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** One row per algorithm for the runs on one environment. */
export function summarise(runs: readonly RunResult[], baseline?: string): Row[] {
  return rowsOf([runs], baseline);
}

/**
 * One row per algorithm over all environments: rates and gains are means over runs, so that every run counts the same;
 * the paired comparison takes all pairs of equal environment, training seed and evaluation seed together.
 */
export function across(tasks: readonly TaskReport[], baseline?: string): Row[] {
  return rowsOf(
    tasks.map(({ runs }) => runs),
    baseline,
  );
}

function rowsOf(tasks: readonly (readonly RunResult[])[], baseline?: string): Row[] {
  const runs = tasks.flat();
  const groups = group(runs, (run) => run.algorithm);
  const rivals = baseline === undefined ? [] : (groups.get(baseline) ?? []);
  return [...groups.entries()].map(([algorithm, members]) => {
    const finals = members.map((run) => run.evaluations.at(-1)!);
    const gains = members.map((run) => 100 * (rate(run.evaluations.at(-1)!) - rate(run.evaluations[0]!)));
    const successes = finals.reduce((sum, point) => sum + point.successes, 0);
    const episodes = finals.reduce((sum, point) => sum + point.episodes, 0);
    const paired = algorithm === baseline ? undefined : pairedWith(members, rivals);
    return {
      algorithm,
      title: members[0]!.title,
      runs: members,
      start: mean(members.map((run) => rate(run.evaluations[0]!))),
      end: mean(finals.map(rate)),
      interval: wilsonInterval(successes, episodes),
      gain: mean(gains),
      gains,
      meanReturn: mean(finals.map((point) => point.meanReturn)),
      legalRate: mean(finals.map((point) => point.legalRate)),
      trainSeconds: mean(members.map((run) => run.trainSeconds)),
      trainedSteps: mean(members.map((run) => run.trainedSteps)),
      ...(paired && { paired }),
    };
  });
}

/** Final episodes of equal environment, training seed and evaluation seed; nothing where there are none. */
function pairedWith(members: readonly RunResult[], rivals: readonly RunResult[]): PairedComparison | undefined {
  const numbers = new Map<string, number>();
  const pooled = (runs: readonly RunResult[]) =>
    runs.flatMap((run) =>
      run.after.map(({ seed: episode, success }) => {
        const key = `${run.envId} ${run.seed} ${episode}`;
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        return { seed: numbers.get(key)!, success };
      }),
    );
  const [first, second] = [pooled(members), pooled(rivals)];
  const known = new Set(second.map(({ seed }) => seed));
  return first.some(({ seed }) => known.has(seed)) ? pairedComparison(first, second) : undefined;
}

/** Two-sided 97.5 % points of Student's t for 1 to 30 degrees of freedom. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Mean over seeds of each evaluation with a 95 % interval: Wilson for one seed, Student's t over several. */
export function meanCurve(runs: readonly RunResult[]) {
  const length = Math.min(...runs.map((run) => run.evaluations.length));
  return Array.from({ length }, (_, index) => {
    const points = runs.map((run) => run.evaluations[index]!);
    const rates = points.map(rate);
    const y = mean(rates);
    const x = mean(points.map((point) => point.steps));
    if (runs.length === 1) {
      const [low, high] = wilsonInterval(points[0]!.successes, points[0]!.episodes);
      return { x, y, low, high };
    }
    const deviation = Math.sqrt(rates.reduce((sum, value) => sum + (value - y) ** 2, 0) / (rates.length - 1));
    const half = ((STUDENT[rates.length - 2] ?? 1.96) * deviation) / Math.sqrt(rates.length);
    return { x, y, low: Math.max(0, y - half), high: Math.min(1, y + half) };
  });
}
