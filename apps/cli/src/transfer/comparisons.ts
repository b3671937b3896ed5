/** Pairs the answers of files by benchmark, or those in folders. */
import { scoreAnswers, type TransferReport } from '@vlgym/transfer';
import { UsageError } from '../command-line/command.js';
import { answersIn } from './answers-files.js';

export interface SharedReports {
  /** A benchmark that all have answers to: those before, and those after of each training seed. */
  readonly shared: readonly { readonly before: TransferReport; readonly after: readonly TransferReport[] }[];
  /** Benchmarks that some have no answers to. */
  readonly unpaired: readonly string[];
}

/** @throws {UsageError} A folder has two files of one benchmark, or nothing can be paired. */
export async function sharedReports(paths: readonly string[], rules?: string): Promise<SharedReports> {
  const all = await Promise.all(paths.map((path) => reportsIn(path, rules)));
  const [before = new Map(), ...after] = all;
  const areSingle = all.every(({ size }) => size === 1);
  // single files are paired whatever they are: the comparison says what differs
  const keys = areSingle
    ? [...before.keys()]
    : [...before.keys()].filter((key) => after.every((each) => each.has(key)));
  if (keys.length === 0) {
    throw new UsageError('These have no benchmark in common.', {
      expected: `one of ${[...before.keys()].join(', ')} in ${paths.slice(1).join(', ')}`,
    });
  }
  const reportOf = (reports: ReadonlyMap<string, TransferReport>, key: string) =>
    areSingle ? [...reports.values()][0]! : reports.get(key)!;
  const known = new Set(all.flatMap((reports) => [...reports.keys()]));
  return {
    shared: keys.map((key) => ({ before: before.get(key)!, after: after.map((reports) => reportOf(reports, key)) })),
    unpaired: areSingle ? [] : [...known].filter((key) => !keys.includes(key)),
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
