/** The report of a benchmark: written after every run that has ended, and marked as partial until all have a result. */
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import type { RunResult, TaskReport } from '../../report/data.js';
import { markdownTables } from '../../report/markdown.js';
import { reportPage } from '../../report/page.js';
import { resultData } from '../../report/result-data.js';
import { type TransferCell, type TransferRow, transferMarkdown, transferRows } from '../../report/transfer.js';
import { counted } from '../../terminal/style.js';
import { VERSION } from '../../version.js';
import { machine, taskReport } from '../reports/task-report.js';
import { threadsPerJob } from '../resources.js';
import type { RunPlan } from '../spec.js';
import type { BenchmarkOptions, Prepared } from './benchmark-options.js';

type Results = ReadonlyMap<RunPlan, RunResult>;

export interface WrittenReport {
  readonly reports: readonly TaskReport[];
  /** Empty if no policy was judged elsewhere. */
  readonly transfers: readonly TransferRow[];
  readonly path: string;
}

export class BenchmarkReport {
  readonly #prepared: readonly Prepared[];
  readonly #options: BenchmarkOptions;
  #next: Results | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(prepared: readonly Prepared[], options: BenchmarkOptions) {
    this.#prepared = prepared;
    this.#options = options;
  }

  /** Writes what there is. Runs that end while a report is being written come together into the next one. */
  update(results: Results): void {
    const isWaiting = this.#next !== undefined;
    this.#next = new Map(results);
    if (isWaiting) return;
    this.#writing = this.#writing.then(async () => {
      const now = this.#next!;
      this.#next = undefined;
      await this.write(now).catch(({ message }: Error) => {
        this.#options.context.stderr.write(`the report so far cannot be written: ${message}\n`);
      });
    });
  }

  /** Resolves when nothing is being written. */
  updated(): Promise<void> {
    return this.#writing;
  }

  async write(results: Results, carried: readonly TransferCell[] = []): Promise<WrittenReport> {
    const { tasks, seeds, baseline, jobs, out, title, lead, command } = this.#options;
    const reports: TaskReport[] = [];
    for (const { task, folder, warmStart, plans } of this.#prepared) {
      const runs = plans.flatMap((plan) => results.get(plan) ?? []);
      reports.push(await taskReport({ task, start: { folder: startOf(folder), warmStart }, runs }, out));
    }
    const transfers = transferRows(carried);
    const shown = reports.filter(({ runs }) => runs.length > 0);
    const planned = this.#prepared.reduce((sum, { plans }) => sum + plans.length, 0);
    const partial = results.size < planned ? { partial: { runs: results.size, planned } } : {};
    const page = reportPage(
      {
        title,
        lead,
        command,
        model: `${tasks[0]!.model}, from random weights`,
        tasks: shown,
        transfers,
        ...partial,
        facts: [
          ['training seeds', seeds.join(', ')],
          ['vlgym', VERSION],
          ['machine', machine(`${counted(jobs, 'run')} side by side, ${counted(threadsPerJob(jobs), 'thread')} each`)],
        ],
      },
      baseline,
    );
    const path = join(out, 'report.html');
    await writeFileAtomic(path, page);
    const markdown = markdownTables(shown, baseline, partial.partial);
    const carries = transfers.length > 0 ? `\n${transferMarkdown(transfers)}` : '';
    await writeFileAtomic(join(out, 'table.md'), `${markdown}${carries}`);
    const data = resultData(shown, baseline).map((each) => ({ ...each, ...partial }));
    await writeFileAtomic(join(out, 'result.json'), `${JSON.stringify(data, null, 2)}\n`);
    if (transfers.length > 0)
      await writeFileAtomic(join(out, 'transfer.json'), `${JSON.stringify(transfers, null, 2)}\n`);
    return { reports, transfers, path };
  }
}

/** The common start of the runs in a folder. */
export const startOf = (folder: string) => join(folder, 'start');
