/** From runs to rows: rates over training seeds and tasks, and paired comparisons over the same. */
import type { Fallback } from '@vlgym/agents';
import {
  type SuccessRate,
  type TaskOutcome,
  type TrainedRun,
  type TrainingComparison,
  trainedSuccessRate,
  trainingComparison,
} from '@vlgym/agents/statistics';
import type { EvaluationPoint, RunResult, TaskReport } from './data.js';

export interface Row {
  readonly algorithm: string;
  readonly title: string;
  readonly isControl: boolean;
  readonly runs: readonly RunResult[];
  /** Success before training; absent if a control starts from nothing. */
  readonly start?: number;
  /** Success after training on the evaluation's tasks, mean over environments. */
  readonly end: SuccessRate;
  /** The reason why these tasks may not be called unseen. */
  readonly notSeparated?: string;
  /** After training, on tasks of the warm start. */
  readonly seen?: SuccessRate;
  /** Percentage points gained, mean over runs; absent if `start` is. */
  readonly gain?: number;
  readonly gains: readonly number[];
  /** Success with other pictures, by the control's name. */
  readonly pictures: Readonly<Record<string, SuccessRate>>;
  readonly meanReturn: number;
  /** Share of answers with a legal action; absent if a run does not say. */
  readonly legalRate?: number;
  /** Success where an unreadable answer fails the episode. */
  readonly strictRate?: number;
  /** Share of right thoughts among readable ones, before training and after it. */
  readonly thoughts?: { readonly start?: number; readonly end: number };
  /** How unreadable answers were handled, for all runs that record it. */
  readonly fallbacks: readonly Fallback[];
  readonly cpuSeconds: number;
  readonly trainedSteps: number;
  /** Comparison with the baseline; absent for the baseline itself and without a common training seed. */
  readonly against?: TrainingComparison;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const rate = (point: EvaluationPoint) => point.successes / point.episodes;

function group<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** One row per algorithm for the runs on one environment, controls last. */
export function summarize(runs: readonly RunResult[], baseline?: string): Row[] {
  return rowsOf(runs, baseline);
}

/** One row per algorithm over all environments: rates and gains are means, so that every environment counts the same. */
export function across(tasks: readonly TaskReport[], baseline?: string): Row[] {
  return rowsOf(
    tasks.flatMap(({ runs }) => runs),
    baseline,
  );
}

function rowsOf(runs: readonly RunResult[], baseline?: string): Row[] {
  const groups = group(runs, (run) => run.algorithm);
  const rivals = baseline === undefined ? [] : (groups.get(baseline) ?? []);
  const rows = [...groups].map(([algorithm, members]) => rowOf(members, algorithm === baseline ? [] : rivals));
  return [...rows.filter((row) => !row.isControl), ...rows.filter((row) => row.isControl)];
}

function rowOf(members: readonly RunResult[], rivals: readonly RunResult[]): Row {
  const finals = members.map((run) => run.evaluations.at(-1)!);
  const trained = members.filter((run) => run.evaluations.length > 1);
  const gains = trained.map((run) => 100 * (rate(run.evaluations.at(-1)!) - rate(run.evaluations[0]!)));
  const notSeparated = members.find((run) => run.content.notSeparated)?.content.notSeparated;
  const seen = ratesOn(members, (run) => run.seen);
  const against = comparisonOf(members, rivals);
  const names = new Set(members.flatMap((run) => Object.keys(run.pictures ?? {})));
  return {
    algorithm: members[0]!.algorithm,
    title: members[0]!.title,
    isControl: members[0]!.isControl ?? false,
    runs: members,
    ...(trained.length > 0 && { start: mean(trained.map((run) => rate(run.evaluations[0]!))), gain: mean(gains) }),
    end: ratesOn(members, (run) => run.after)!,
    ...(notSeparated !== undefined && { notSeparated }),
    ...(seen && { seen }),
    gains,
    pictures: Object.fromEntries(
      [...names].flatMap((name) => {
        const found = ratesOn(members, (run) => run.pictures?.[name]);
        return found ? [[name, found]] : [];
      }),
    ),
    meanReturn: mean(finals.map((point) => point.meanReturn)),
    ...rates(finals, trained),
    fallbacks: [...new Set(members.flatMap(({ judged }) => judged?.fallback ?? []))],
    cpuSeconds: mean(members.map((run) => run.cpuSeconds)),
    trainedSteps: mean(members.map((run) => run.trainedSteps)),
    ...(against && { against }),
  };
}

/** Means over runs; a rate that one of them lacks is left out. */
function rates(finals: readonly EvaluationPoint[], trained: readonly RunResult[]) {
  const legalRate = meanOf(finals.map((point) => point.legalRate));
  const strictRate = meanOf(
    finals.map(({ strictSuccesses, episodes }) =>
      strictSuccesses === undefined ? undefined : strictSuccesses / episodes,
    ),
  );
  const end = meanOf(finals.map((point) => point.thoughtRate));
  const start = trained.length > 0 ? meanOf(trained.map((run) => run.evaluations[0]!.thoughtRate)) : undefined;
  return {
    ...(legalRate !== undefined && { legalRate }),
    ...(strictRate !== undefined && { strictRate }),
    ...(end !== undefined && { thoughts: { ...(start !== undefined && { start }), end } }),
  };
}

const meanOf = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 && known.length === values.length ? mean(known) : undefined;
};

type Episodes = (run: RunResult) => readonly TaskOutcome[] | undefined;

/** Over the training seeds of each environment; nothing if a run has no such episodes. */
function ratesOn(runs: readonly RunResult[], episodes: Episodes): SuccessRate | undefined {
  if (runs.some((run) => !episodes(run)?.length)) return undefined;
  const environments = [...group(runs, (run) => run.envId).values()];
  return trainedSuccessRate(environments.map((members) => members.map((run) => trained(run, episodes))));
}

const trained = (run: RunResult, episodes: Episodes): TrainedRun => ({
  seed: run.seed,
  episodes: episodes(run) ?? [],
});

/** On the environments and training seeds that both have. */
export function comparisonOf(
  first: readonly RunResult[],
  second: readonly RunResult[],
): TrainingComparison | undefined {
  const after: Episodes = (run) => run.after;
  const rivals = group(second, (run) => run.envId);
  const pairs = [...group(first, (run) => run.envId)].flatMap(([envId, members]) => {
    const others = rivals.get(envId) ?? [];
    const share = members.some(({ seed }) => others.some((other) => other.seed === seed));
    if (!share) return [];
    return [{ first: members.map((run) => trained(run, after)), second: others.map((run) => trained(run, after)) }];
  });
  return pairs.length === 0 ? undefined : trainingComparison(pairs);
}

/** Mean over training seeds of each evaluation. @param value  Default: success. Points that a run lacks are left out. */
export function meanCurve(runs: readonly RunResult[], value: (point: EvaluationPoint) => number | undefined = rate) {
  const length = Math.min(...runs.map((run) => run.evaluations.length));
  return Array.from({ length }, (_, index) => {
    const points = runs.map((run) => run.evaluations[index]!);
    return { x: mean(points.map((point) => point.steps)), y: meanOf(points.map(value)) };
  }).flatMap(({ x, y }) => (y === undefined ? [] : [{ x, y }]));
}

/** Mean over training seeds of a metric at each update that all of them have. */
export function meanSeries(runs: readonly RunResult[], key: string) {
  const [first = [], ...others] = runs.map(({ metrics }) => metrics[key] ?? []);
  return first.flatMap(([x, y]) => {
    const values = [y, ...others.map((points) => points.find(([update]) => update === x)?.[1])];
    const value = meanOf(values);
    return value === undefined || !Number.isFinite(value) ? [] : [{ x, y: value }];
  });
}
