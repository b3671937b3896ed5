/** Pairs the answers of two files, or of two folders by benchmark. */
import {
  compareAnswers,
  type Summary,
  scoreAnswers,
  type TransferComparison,
  type TransferReport,
} from '@vlgym/transfer';
import { UsageError } from '../command-line/command.js';
import { answersIn } from './answers-files.js';

export interface Comparisons {
  readonly comparisons: readonly TransferComparison[];
  /** Units of the figures, in the order of the comparisons. */
  readonly units: readonly Summary['unit'][];
  /** Benchmarks that only one side has answers to. */
  readonly unpaired: readonly string[];
}

/** @throws {UsageError} A folder has two files of one benchmark, or nothing can be paired. */
export async function comparisonsOf(before: string, after: string, rules?: string): Promise<Comparisons> {
  const [first, second] = [await reportsIn(before, rules), await reportsIn(after, rules)];
  const isPair = first.size === 1 && second.size === 1;
  const shared = isPair ? [...first.keys()] : [...first.keys()].filter((key) => second.has(key));
  if (shared.length === 0) {
    throw new UsageError('The two have no benchmark in common.', {
      expected: `one of ${[...first.keys()].join(', ')} in ${after}`,
    });
  }
  const other = (key: string) => (isPair ? [...second.values()][0]! : second.get(key)!);
  const all = new Set([...first.keys(), ...second.keys()]);
  return {
    comparisons: shared.map((key) => compareAnswers(first.get(key)!, other(key))),
    units: shared.map((key) => first.get(key)!.summary.unit),
    unpaired: isPair ? [] : [...all].filter((key) => !shared.includes(key)),
  };
}

/** By benchmark and rules. */
async function reportsIn(path: string, rules: string | undefined): Promise<Map<string, TransferReport>> {
  const reports = new Map<string, TransferReport>();
  for (const file of await answersIn(path)) {
    const report = await scoreAnswers(file, rules);
    const key = `${report.benchmark}/${report.rules}`;
    if (reports.has(key)) {
      throw new UsageError(`${path} has two files with answers to ${key}.`, {
        expected: 'one file for each benchmark',
      });
    }
    reports.set(key, report);
  }
  return reports;
}
