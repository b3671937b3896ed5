/** A finished run of a design as cells, from the files in its folder. */
import { createHash } from 'node:crypto';
import { recordedEvaluations } from '@vlgym/agents';
import { canonicalJson } from '@vlgym/core/internal';
import { readTrajectories } from '@vlgym/core/trajectory';
import type { UpdateRecord } from '@vlgym/rl';
import type { RunResult } from '../../report/data.js';
import { readRunFile } from '../run-file.js';
import { readUpdates } from '../run-progress.js';
import { episodesOf } from '../warm-start/warm-start.js';
import type { Cell, FinishedRun } from './cells.js';

/** Settings that differ between the runs of one arm, or do not affect results. */
const OF_ONE_RUN: readonly string[] = ['folder', 'seed', 'start', 'threads', 'resume', 'warmStartSeed', 'printConfig'];

export interface RunConfig {
  /** Digest of the settings. */
  readonly key: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export async function configOf(folder: string): Promise<RunConfig> {
  const effective = (await readRunFile(folder)) ?? {};
  const shared = Object.fromEntries(Object.entries(effective).filter(([name]) => !OF_ONE_RUN.includes(name)));
  const config = JSON.parse(JSON.stringify(shared)) as Record<string, never>;
  return { key: createHash('sha256').update(canonicalJson(config)).digest('hex').slice(0, 16), config };
}

type Measured = Pick<FinishedRun, 'wallSeconds' | 'measures' | 'curve' | 'alarms' | 'cells'>;

export async function measuredOf({ folder, evaluations, cpuSeconds, alarms }: RunResult): Promise<Measured> {
  const records = await readUpdates(folder);
  const last = (name: string) => records.findLast(({ metrics }) => metrics[name] !== undefined)?.metrics[name];
  return {
    wallSeconds: secondsOf(records),
    measures: {
      area: areaOf(evaluations),
      ...defined({
        'late-slope': lateSlope(records.map(({ update, metrics }) => [update, metrics['train/success-rate']] as const)),
        'teacher-gap': meanGap(records, 'success-rate'),
        'teacher-thought-gap': meanGap(records, 'thought-correct'),
        'self-bleu': last('text/self-bleu-2-observations'),
        'distinct-thoughts': await distinctThoughts(folder),
        sight: answerSight(records, 'swapped'),
        'sight-gray': answerSight(records, 'gray'),
      }),
      'cpu-seconds': cpuSeconds,
    },
    curve: evaluations.map(({ update, successes, episodes }) => [update, successes, episodes]),
    alarms: [...alarms],
    cells: await cellsOf(folder),
  };
}

/** Without the measures that were not taken. */
const defined = <Names extends string>(measures: Readonly<Record<Names, number | undefined>>) =>
  Object.fromEntries(Object.entries(measures).filter(([, value]) => value !== undefined)) as Partial<
    Record<Names, number>
  >;

/** Teacher minus student, mean over the updates that played both. */
function meanGap(records: readonly UpdateRecord[], what: 'success-rate' | 'thought-correct'): number | undefined {
  const gaps = records.flatMap(({ metrics }) => {
    const [teacher, student] = [metrics[`teacher/${what}`], metrics[`student/${what}`]];
    return teacher === undefined || student === undefined ? [] : [teacher - student];
  });
  return gaps.length === 0 ? undefined : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}

/** Nats per token that the picture is worth to thoughts and actions together, in the last update that measured it. */
function answerSight(records: readonly UpdateRecord[], kind: 'swapped' | 'gray'): number | undefined {
  const last = records.findLast(({ metrics }) => metrics[`sight/answer-${kind}`] !== undefined);
  return last?.metrics[`sight/answer-${kind}`];
}

async function cellsOf(folder: string): Promise<Cell[]> {
  const evaluations = await recordedEvaluations(episodesOf(folder));
  const attempts = new Map<string, number>();
  return evaluations
    .flatMap(({ episodes }) => episodes)
    .filter(({ counted }) => counted)
    .map((row) => {
      const task = row.taskKey ?? `seed ${row.seed}`;
      const attempt = attempts.get(task) ?? 0;
      attempts.set(task, attempt + 1);
      return {
        ...{ task, attempt, seed: row.seed, success: row.success },
        strict: row.success && row.unreadable === 0 && row.fallbacks === 0,
        legal: [row.legal, row.spoken],
        thoughts: [row.thoughtsCorrect, row.thoughtsChecked],
      };
    });
}

async function distinctThoughts(folder: string): Promise<number | undefined> {
  const thoughts: string[] = [];
  for await (const { steps } of readTrajectories(episodesOf(folder))) {
    for (const { thought } of steps) if (thought !== undefined) thoughts.push(thought);
  }
  return thoughts.length === 0 ? undefined : new Set(thoughts).size / thoughts.length;
}

/** Least squares over the last third of the updates; `undefined` with fewer than three points. */
export function lateSlope(
  points: readonly (readonly [update: number, value: number | undefined])[],
): number | undefined {
  const end = Math.max(0, ...points.map(([update]) => update));
  const late = points.flatMap(([x, y]) => (x > (2 / 3) * end && y !== undefined ? [[x, y] as const] : []));
  if (late.length < 3) return undefined;
  const [middle, mean] = [0, 1].map((axis) => late.reduce((sum, point) => sum + point[axis]!, 0) / late.length);
  const spread = late.reduce((sum, [x]) => sum + (x - middle!) ** 2, 0);
  return late.reduce((sum, [x, y]) => sum + (x - middle!) * (y - mean!), 0) / spread;
}

/** Area under success over updates by trapezoids, as a share of the whole. */
export function areaOf(evaluations: RunResult['evaluations']): number {
  const points = evaluations.map(({ update, successes, episodes }) => [update, successes / episodes] as const);
  const [first, end] = [points[0], points.at(-1)];
  if (!first || !end || first[0] === end[0]) return first?.[1] ?? 0;
  const area = points.slice(1).reduce((sum, [update, rate], index) => {
    const [before, earlier] = points[index]!;
    return sum + ((update - before) * (rate + earlier)) / 2;
  }, 0);
  return area / (end[0] - first[0]);
}

const secondsOf = (records: readonly UpdateRecord[]) =>
  records.reduce((sum, { metrics }) => sum + (metrics['time/update'] ?? 0), 0);
