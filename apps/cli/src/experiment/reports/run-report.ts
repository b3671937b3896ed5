/** The report of one run, next to its files. */
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import { getNumThreads } from '@vlgym/gpu';
import type { RunResult, WarmStartResult } from '../../report/data.js';
import { reportPage } from '../../report/page.js';
import { typedCommand } from '../../terminal/command-line.js';
import { counted } from '../../terminal/style.js';
import { VERSION } from '../../version.js';
import type { CompleteTask } from '../settings/settings.js';
import { machine, taskReport } from './task-report.js';

interface RunParts {
  readonly task: CompleteTask;
  /** Folder of the start weights. */
  readonly start: string;
  /** Absent if the start weights were given. */
  readonly warmStart?: WarmStartResult | undefined;
}

/** @returns the path of the report. */
export async function writeRunReport(
  result: RunResult,
  { task, start, warmStart }: RunParts,
  folder: string,
): Promise<string> {
  const common = warmStart && { folder: start, warmStart };
  const report = await taskReport({ task, start: common, runs: [result] }, folder);
  const path = join(folder, 'report.html');
  const page = reportPage({
    title: `${result.title} on ${report.title ?? task.env}`,
    lead: `One run, from ${warmStart ? 'its start' : `the weights in ${start}`} to its last update.`,
    command: typedCommand(),
    model: task.model,
    tasks: [report],
    facts: [
      ['training seed', String(result.seed)],
      ['vlgym', VERSION],
      ['machine', machine(counted(getNumThreads(), 'thread'))],
    ],
  });
  await writeFileAtomic(path, page);
  return path;
}
