/** Scores and comparisons of question benchmarks, as tables of text. */
import {
  adjustedPValues,
  type SeedsComparison,
  type Summary,
  type TransferComparison,
  type TransferReport,
} from '@vlgym/transfer';
import { pText } from '../report/agents/agents-sections.js';
import { printable } from '../terminal/printable.js';
import { bold, counted, dim, percent, table, wrapText } from '../terminal/style.js';

const WIDTH = 100;

type Unit = Summary['unit'];

/** The figure as its harness prints it: 0 to 1, percent, or points. */
const figure = (value: number | undefined, unit: Unit): string => {
  if (value === undefined) return '–';
  return unit === 'share' ? value.toFixed(4) : value.toFixed(unit === 'percent' ? 2 : 1);
};

/** A row for each report. */
export function scoresTable(reports: readonly TransferReport[]): string {
  return table([
    ['benchmark', 'rules', 'model', 'figure', 'value', 'questions', 'unreadable'],
    ...reports.map(({ benchmark, rules, model, summary: { metric, value, unit, n, invalidRate } }) => [
      ...[
        printable(benchmark, 80),
        printable(rules, 80),
        printable(model, 80),
        printable(metric, 80),
        figure(value, unit),
        String(n),
        percent(invalidRate),
      ],
    ]),
  ]);
}

/** The parts of one report, and those without a question. */
export function partsTable({ benchmark, rules, summary }: TransferReport): string {
  const rows = Object.entries(summary.parts).map(([name, { value, n }]) => [
    ...[printable(name, 80), figure(value, summary.unit), String(n)],
  ]);
  const missing =
    summary.missing.length === 0 ? '' : `\n${dim(`no question: ${printable(summary.missing.join(', '))}`)}`;
  return `${bold(printable(`${benchmark}/${rules}`))}\n${table([['part', 'value', 'questions'], ...rows])}${missing}`;
}

const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;

const TESTS: Readonly<Record<TransferComparison['test'], string>> = {
  mcnemar: "McNemar's exact test",
  'sign-flips': 'sign flips of sums by video or page',
};

export function comparisonTable(comparisons: readonly TransferComparison[], units: readonly Unit[]): string {
  const adjusted = adjustedPValues(comparisons);
  const several = comparisons.length > 1;
  const rows = comparisons.map((each, i) => [
    printable(`${each.benchmark}/${each.rules}`, 80),
    ...[figure(each.before, units[i]!), figure(each.after, units[i]!), points(each.difference)],
    each.interval95.map(points).join(' to '),
    ...[String(each.won), String(each.lost), String(each.n), pText(each.pValue)],
    ...(several ? [pText(adjusted[i]!)] : []),
    `${percent(each.invalidBefore)} → ${percent(each.invalidAfter)}`,
  ]);
  const head = ['benchmark', 'before', 'after', 'points', '95 % interval', 'won', 'lost', 'questions', 'p'];
  return [
    table([[...head, ...(several ? ['p, Holm'] : []), 'unreadable'], ...rows]),
    '',
    dim(wrapText(comparisons.map(notes).join('\n'), WIDTH)),
  ].join('\n');
}

/** The test of a comparison, and its limits. */
function notes({ benchmark, test, undecidable, detectable, amongValid, ...sides }: TransferComparison): string {
  const among =
    amongValid.difference === undefined
      ? 'no question has readable answers in both'
      : `${points(amongValid.difference)} points among the ${amongValid.n} questions with readable answers in both`;
  const power = undecidable
    ? 'fewer than 6 questions changed, so no p-value below 0.05 is possible'
    : `differences above ${(100 * detectable).toFixed(1)} points would be found in 4 of 5 repetitions`;
  const { onlyBefore, onlyAfter } = sides;
  const left =
    onlyBefore + onlyAfter === 0
      ? ''
      : `; ${counted(onlyBefore, 'question')} answered only before and ${onlyAfter} only after are left out`;
  return `${printable(benchmark, 80)}: ${TESTS[test]}; ${among}; ${power}${left}.`;
}

/** A start against the policies of several training seeds, with a row for each benchmark. */
export function seedsTable(comparisons: readonly SeedsComparison[], units: readonly Unit[]): string {
  const rows = comparisons.map((each, i) => [
    printable(`${each.benchmark}/${each.rules}`, 80),
    ...[figure(each.before, units[i]!), each.after.map((value) => figure(value, units[i]!)).join(' ')],
    ...[points(each.difference), each.interval95.map(points).join(' to ')],
    ...[each.won.join(' '), each.lost.join(' '), String(each.n)],
    `${percent(each.invalidBefore)} → ${percent(each.invalidAfter)}`,
  ]);
  const head = ['benchmark', 'before', 'after, by seed', 'points', '95 % interval', 'won', 'lost', 'questions'];
  const notes = comparisons.map(({ benchmark, seeds, isSeedNoiseUnknown }) =>
    isSeedNoiseUnknown
      ? `${printable(benchmark, 80)}: ${seeds === 1 ? 'one training seed' : `${seeds} training seeds`}: the interval is over questions alone, and another training may differ by more.`
      : `${printable(benchmark, 80)}: the interval is over ${seeds} training seeds and the questions, those of one video or page as one.`,
  );
  return [table([[...head, 'unreadable'], ...rows]), '', dim(wrapText(notes.join('\n'), WIDTH))].join('\n');
}

/** A report for scripts. */
export const withoutAnswers = <T extends { readonly answers: unknown }>({ answers: _, ...report }: T) => report;
