/** Comparisons in words: what the figures show, and what they do not. */
import { FALLBACK_WORDS } from '@vlgym/agents';
import type { TrainingComparison } from '@vlgym/agents/statistics';
import { runControls } from '../experiment/controls/index.js';
import { points } from './format.js';
import { comparisonOf, type Row } from './statistics.js';

export interface Verdict {
  readonly first: string;
  readonly second: string;
  readonly comparison: TrainingComparison;
  /** `VL-DAC solves more than RL4VLM: +9.1 points (…)`. */
  readonly text: string;
}

/** Every algorithm against the baseline, and against the controls that are runs and concern it. */
export function verdicts(rows: readonly Row[], baseline?: string): Verdict[] {
  const algorithms = rows.filter((row) => !row.isControl);
  return algorithms.flatMap((first) =>
    rows.flatMap((second) => {
      const concerned = second.isControl ? concerns(second.algorithm, first.algorithm) : second.algorithm === baseline;
      const comparison = concerned && first !== second ? comparisonOf(first.runs, second.runs) : undefined;
      if (!comparison) return [];
      return [{ first: first.title, second: second.title, comparison, text: sentence(first, second, comparison) }];
    }),
  );
}

/** A control with one part of an algorithm removed applies only to that algorithm. */
function concerns(control: string, algorithm: string): boolean {
  const known = runControls().find(({ name }) => name === control);
  return known?.kind !== 'algorithm' || known.algorithm === algorithm;
}

function sentence({ title: first }: Row, { title: second }: Row, comparison: TrainingComparison): string {
  const figures = inFigures(comparison);
  if (comparison.seeds === 1) return `${first} against ${second}: cannot tell from one training seed. ${figures}`;
  if (comparison.verdict === 'cannot tell') return `${first} against ${second}: cannot tell. ${figures}`;
  return `${first} solves ${comparison.verdict === 'higher' ? 'more' : 'less'} than ${second}. ${figures}`;
}

/** A short verdict for a column. */
export function verdictWords({ verdict, seeds }: TrainingComparison): string {
  if (seeds === 1) return 'cannot tell from one training seed';
  return { higher: 'solves more', lower: 'solves less', 'cannot tell': 'cannot tell' }[verdict];
}

/** `+9.1 points, 95 % interval +1.0 to +17.2 over tasks and training; 5 training seeds, 36 tasks, p = 0.031`. */
function inFigures({ difference, interval95, covers, seeds, tasks, pValue }: TrainingComparison): string {
  const [low, high] = interval95;
  return [
    `${points(difference)} points, 95 % interval ${points(low)} to ${points(high)} over ${covers}`,
    `${count(seeds, 'training seed')}, ${count(tasks, 'task')}${pValue === undefined ? '' : `, p ${formatP(pValue)}`}`,
  ].join('; ');
}

export const formatP = (p: number) => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`);
const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** The report's statement about unseen tasks, for all rows together. */
export function separation(rows: readonly Row[]): string {
  const reasons = [...new Set(rows.flatMap(({ notSeparated }) => notSeparated ?? []))];
  if (reasons.length > 0) return `Seen and unseen are not separated: ${reasons.join('; ')}.`;
  const met = Math.max(...rows.flatMap(({ runs }) => runs.map(({ content }) => content.met)));
  const seen = Math.max(0, ...rows.map((row) => row.seen?.tasks ?? 0));
  return [
    `No evaluated task was seen in the warm start or in training: overlap 0, verified by every run (up to ${met.toLocaleString('en')} distinct tasks seen).`,
    ...(seen > 0 ? [`Seen: the same policies on ${count(seen, 'task')} of the warm start.`] : []),
  ].join(' ');
}

/** Explains how unreadable answers were handled, and the columns about answers. */
export function answers(rows: readonly Row[]): string {
  const rules = [...new Set(rows.flatMap(({ fallbacks }) => fallbacks))];
  const isKnown = rows.every(({ fallbacks }) => fallbacks.length > 0);
  return [
    ...rules.map(
      (rule) => `An unreadable answer is ${FALLBACK_WORDS[rule]}${rules.length > 1 ? ' in some runs' : ''}.`,
    ),
    ...(isKnown ? [] : ['Older runs do not say what an unreadable answer was; it was a random action.']),
    ...(rows.some(({ strictRate }) => strictRate !== undefined) ? ['Strict: it fails the episode.'] : []),
    ...(rows.some(({ thoughts }) => thoughts)
      ? ['Correct thoughts: those of readable answers, as the environment checks them, before and after training.']
      : []),
  ].join(' ');
}

/** Explains intervals and p-values. */
export function method(rows: readonly Row[]): string {
  const one = rows.some(({ end }) => end.seeds === 1);
  const keys = rows.every(({ end }) => end.tasksBy === 'taskKey');
  return [
    'Tasks are the units, not episodes: episodes of one task are not independent.',
    ...(keys ? [] : ['The environment gives no content keys here, so every evaluation seed counts as a task.']),
    one
      ? 'One training seed: intervals cover other tasks, not another training; there are no p-values, because nothing is known of what another seed would give.'
      : 'Intervals cover other tasks and other training seeds (crossed random effects, Student’s t); comparisons pair equal training seeds and equal tasks. p-values are those of single comparisons, not corrected for their number.',
  ].join(' ');
}
