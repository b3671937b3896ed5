/**
 * A start and the policies that several training seeds made of it, question by question: a difference that another training would
 * show, too.
 */
import { newTasksInterval } from '@vlgym/agents/statistics';
import { InvalidOptionError } from '@vlgym/core';
import { pairsOf } from './compare.js';
import { mean } from './metrics/means.js';
import type { TransferReport } from './report.js';

export interface SeedsComparison {
  readonly benchmark: string;
  readonly rules: string;
  /** Training seeds. */
  readonly seeds: number;
  /** Questions that all answered. */
  readonly n: number;
  /** The published figures over the questions that all answered, in the unit of the benchmark. */
  readonly before: number | undefined;
  readonly after: readonly (number | undefined)[];
  /** Mean score after minus before, over seeds and questions; -1 to 1. */
  readonly difference: number;
  /** Over training seeds and questions, which are crossed; over questions alone where the noise of seeds is unknown. */
  readonly interval95: readonly [low: number, high: number];
  /** There are fewer than three seeds. */
  readonly isSeedNoiseUnknown: boolean;
  /** By seed: questions with a higher score after, and with a lower one. */
  readonly won: readonly number[];
  readonly lost: readonly number[];
  /** Shares of answers of a wrong form, means over seeds. */
  readonly invalidBefore: number;
  readonly invalidAfter: number;
}

/** With fewer, the spread over seeds says nothing. */
const MIN_SEEDS = 3;

/**
 * Questions that share a video or a page count as one.
 *
 * @param after  A report for each training seed.
 * @throws {AnswersDifferError} Another benchmark, rule or prompt. @throws {InvalidOptionError} No seed, or no common question.
 */
export function compareSeeds(before: TransferReport, after: readonly TransferReport[]): SeedsComparison {
  if (after.length === 0)
    throw new InvalidOptionError('after', after.length, 'the answers of one training seed or more');
  const bySeed = after.map((each) => new Map(pairsOf(before, each).map((pair) => [pair[0].key, pair])));
  const common = before.answers.filter(({ key }) => bySeed.every((pairs) => pairs.has(key)));
  if (common.length === 0) throw new InvalidOptionError('after', after.length, 'questions that all answered');
  const pairs = bySeed.map((seed) => common.map(({ key }) => seed.get(key)!));
  const differences = pairs.map((row) => row.map(([a, b]) => b.verdict.score - a.verdict.score));
  const invalid = (side: 0 | 1) => mean(pairs.flat().map((pair) => Number(pair[side].verdict.invalid)));
  const isSeedNoiseUnknown = after.length < MIN_SEEDS;
  const { cells, sizes } = byCluster(
    differences,
    common.map(({ cluster }) => cluster),
  );
  const rows = isSeedNoiseUnknown ? [cells[0]!.map((_, i) => mean(cells.map((row) => row[i]!)))] : cells;
  return {
    benchmark: before.benchmark,
    rules: before.rules,
    seeds: after.length,
    n: common.length,
    before: before.summarize(common).value,
    after: after.map(({ summarize }, seed) => summarize(pairs[seed]!.map(([, each]) => each)).value),
    difference: mean(differences.flat()),
    interval95: newTasksInterval(rows, 0.05, sizes),
    isSeedNoiseUnknown,
    won: differences.map((row) => row.filter((difference) => difference > 0).length),
    lost: differences.map((row) => row.filter((difference) => difference < 0).length),
    invalidBefore: invalid(0),
    invalidAfter: invalid(1),
  };
}

/** Means by video or page, [seed][cluster], and their numbers of questions. */
function byCluster(
  differences: readonly (readonly number[])[],
  clusters: readonly string[],
): { readonly cells: number[][]; readonly sizes: number[] } {
  const members = new Map<string, number[]>();
  for (const [question, cluster] of clusters.entries())
    members.set(cluster, [...(members.get(cluster) ?? []), question]);
  const groups = [...members.values()];
  return {
    cells: differences.map((row) => groups.map((group) => mean(group.map((question) => row[question]!)))),
    sizes: groups.map(({ length }) => length),
  };
}
