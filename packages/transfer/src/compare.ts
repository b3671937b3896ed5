/**
 * Before and after training, question by question: won and lost, and whether chance explains the difference.
 *
 * Right or wrong: McNemar's exact test. Graded scores: sign flips of the sums by video or page, and an interval by
 * resampling these. No difference is reported without its counts.
 */
import { holm, pairedComparison } from '@vlgym/agents';
import { bootstrapMean } from '@vlgym/agents/statistics';
import { Generator, InvalidOptionError } from '@vlgym/core';
import { AnswersDifferError } from './errors.js';
import { mean } from './metrics/means.js';
import type { ScoredAnswer, TransferReport } from './report.js';

export interface TransferComparison {
  readonly benchmark: string;
  readonly rules: string;
  /** Questions that both answered. */
  readonly n: number;
  /** Questions that only one side answered: they count nowhere else. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  /** The published figures over the questions that both answered, in the unit of the benchmark. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Mean score after minus before, over the questions; -1 to 1. */
  readonly difference: number;
  readonly interval95: readonly [low: number, high: number];
  /** Questions with a higher score after, and with a lower one. */
  readonly won: number;
  readonly lost: number;
  /** Two-sided. */
  readonly pValue: number;
  readonly test: 'mcnemar' | 'sign-flips';
  readonly invalidBefore: number;
  readonly invalidAfter: number;
  /** The same difference among questions with readable answers in both, and their number. */
  readonly amongValid: { readonly difference: number | undefined; readonly n: number };
  /** Smallest difference that this test would find in four of five repetitions. */
  readonly detectable: number;
  /** Too few questions changed for any p-value below 0.05. */
  readonly undecidable: boolean;
}

/** With fewer changes, even all in one direction, the two-sided exact p-value is above 0.05. */
const MIN_CHANGED = 6;
const EXACT_CLUSTERS = 16;
const FLIPS = 10_000;

/** @throws {AnswersDifferError} Another benchmark, rule or prompt. @throws {InvalidOptionError} No common question. */
export function compareAnswers(before: TransferReport, after: TransferReport): TransferComparison {
  const pairs = pairsOf(before, after);
  const differences = pairs.map(([a, b]) => b.verdict.score - a.verdict.score);
  const won = differences.filter((difference) => difference > 0).length;
  const lost = differences.filter((difference) => difference < 0).length;
  const isBinary = pairs.every((pair) => pair.every(({ verdict }) => verdict.score === 0 || verdict.score === 1));
  const valid = pairs.filter((pair) => pair.every(({ verdict }) => !verdict.invalid));
  const rate = (side: 0 | 1) => mean(pairs.map((pair) => Number(pair[side].verdict.invalid)));
  return {
    benchmark: before.benchmark,
    rules: before.rules,
    n: pairs.length,
    onlyBefore: unanswered(before, after),
    onlyAfter: unanswered(after, before),
    before: before.summarize(pairs.map(([first]) => first)).value,
    after: after.summarize(pairs.map(([, second]) => second)).value,
    difference: mean(differences),
    won,
    lost,
    ...(isBinary ? binary(pairs) : graded(pairs, differences)),
    invalidBefore: rate(0),
    invalidAfter: rate(1),
    amongValid: {
      difference: valid.length === 0 ? undefined : mean(valid.map(([a, b]) => b.verdict.score - a.verdict.score)),
      n: valid.length,
    },
    detectable: 2.8 * Math.sqrt((won + lost) / pairs.length / pairs.length),
    undecidable: won + lost < MIN_CHANGED,
  };
}

/** Several benchmarks at once: p-values after Holm's correction, in their order. */
export const adjustedPValues = (comparisons: readonly TransferComparison[]): number[] =>
  holm(comparisons.map(({ pValue }) => pValue));

type Pair = readonly [before: ScoredAnswer, after: ScoredAnswer];
type Tested = Pick<TransferComparison, 'interval95' | 'pValue' | 'test'>;

/** Questions that both answered. @throws {AnswersDifferError | InvalidOptionError} */
export function pairsOf(before: TransferReport, after: TransferReport): Pair[] {
  for (const name of ['benchmark', 'rules'] as const) {
    if (before[name] !== after[name]) throw new AnswersDifferError('after', name, after[name], before[name]);
  }
  const later = new Map(after.answers.map((answer) => [answer.key, answer]));
  const pairs = before.answers.flatMap((first): Pair[] => {
    const second = later.get(first.key);
    if (second && second.prompt !== first.prompt) {
      throw new AnswersDifferError(`question ${first.key}`, 'prompt', second.prompt, first.prompt);
    }
    const isCounted = second && first.verdict.dropped !== true && second.verdict.dropped !== true;
    return isCounted ? [[first, second]] : [];
  });
  if (pairs.length === 0) throw new InvalidOptionError('after', after.answers.length, 'questions that both answered');
  return pairs;
}

/** Questions of a report that another has no answer to. */
function unanswered({ answers }: TransferReport, other: TransferReport): number {
  const answered = new Set(other.answers.map(({ key }) => key));
  return answers.filter(({ key }) => !answered.has(key)).length;
}

function binary(pairs: readonly Pair[]): Tested {
  const outcomes = (side: 0 | 1) => pairs.map((pair, seed) => ({ seed, success: pair[side].verdict.score === 1 }));
  const { interval95, pValue } = pairedComparison(outcomes(1), outcomes(0));
  return { interval95, pValue, test: 'mcnemar' };
}

function graded(pairs: readonly Pair[], differences: readonly number[]): Tested {
  const clusters = pairs.map(([{ cluster }]) => cluster);
  const sums = new Map<string, number>();
  for (const [i, cluster] of clusters.entries()) sums.set(cluster, (sums.get(cluster) ?? 0) + differences[i]!);
  const { interval: interval95 } = bootstrapMean(differences, { clusters });
  return { interval95, pValue: flipPValue([...sums.values()]), test: 'sign-flips' };
}

/** All sign flips of few sums, or 10,000 drawn ones of many, the observed one included. */
function flipPValue(sums: readonly number[]): number {
  const observed = Math.abs(sums.reduce((total, value) => total + value, 0));
  const reaches = (total: number) => Math.abs(total) >= observed - 1e-12;
  if (sums.length <= EXACT_CLUSTERS) {
    let count = 0;
    for (let signs = 0; signs < 2 ** sums.length; signs += 1) {
      count += Number(reaches(sums.reduce((total, value, i) => total + ((signs >> i) & 1 ? -value : value), 0)));
    }
    return count / 2 ** sums.length;
  }
  const rng = new Generator(0);
  let count = 1;
  for (let draw = 1; draw < FLIPS; draw += 1) {
    count += Number(reaches(sums.reduce((total, value) => total + (rng.integers(2) === 0 ? value : -value), 0)));
  }
  return count / FLIPS;
}
