import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { RESULT_SCHEMA } from '@vlgym/agents';
import { compare as compareResults, RegressionError } from '@vlgym/agents/results';
import { z } from 'zod';
import { defineCommand, UsageError } from '../command-line/command.js';
import { FAILED } from '../command-line/exit-codes.js';
import { checkOutputFile, checkOutputFolder } from '../folders/output-path.js';
import { type ReadResult, readResult, writeResult } from '../suite/result-file.js';
import { typedCommand } from '../terminal/command-line.js';
import { dim } from '../terminal/style.js';
import { comparisonsTable, suiteTable } from '../terminal/suite-table.js';
import { VERSION } from '../version.js';

export const compare = defineCommand({
  name: 'compare',
  summary: 'two results of agents, paired by task',
  description:
    'Compares two results of `eval --record`, `evaluate` or `suite`, or the last evaluations of two runs, on the tasks that both played: the difference with its interval, and an exact paired test, corrected for the number of comparisons. Agents of equal name are paired; where each result has one agent, these two.',
  positional: 'results',
  options: z.object({
    results: z.array(z.string()).length(2).describe('two results: folders of eval, suite or evaluate, or runs'),
    gate: z
      .boolean()
      .default(false)
      .describe('exit code 1 if the second is significantly worse, or cannot be compared: for merges in CI'),
    json: z.boolean().default(false).describe('print JSON for scripts'),
    folder: z.string().optional().describe('write result.json and report.html here'),
  }),
  examples: [
    { command: 'vlgym compare runs/yesterday runs/today', does: 'the same suite, before and after a change' },
    { command: 'vlgym compare runs/main runs/branch --gate', does: 'stops a merge that makes an agent worse' },
    { command: 'vlgym compare runs/a runs/b --json', does: 'for a script' },
  ],
  async run({ results, gate, json, folder }, { stdout, stderr }) {
    if (folder) await checkComparisonFolder(folder, results);
    const [first, second] = (await Promise.all(results.map(readResult))) as [ReadResult, ReadResult];
    const names = labels(first.path, second.path);
    const compared = await compareResults({ cells: first.cells }, { cells: second.cells }, { names });
    const { comparisons, regressions, undecided } = compared;
    const isEmpty = comparisons.length === 0;
    if (isEmpty && undecided.every(({ excluded }) => excluded === 0)) {
      throw new UsageError('The two results have no task in common.', {
        expected: 'the same environment and seeds in both, and agents of equal name or one agent each',
      });
    }
    const cells = [first.cells, second.cells].flatMap((each, index) =>
      each.map((cell) => ({ ...cell, agent: `${cell.agent} (${names[index]})` })),
    );
    const result = { schema: RESULT_SCHEMA, cells, comparisons, baselines: {} };
    if (json) stdout.write(`${JSON.stringify(compared, null, 2)}\n`);
    else stdout.write(`${suiteTable(cells)}\n\n${comparisonsTable(comparisons)}\n`);
    if (folder) {
      await mkdir(folder, { recursive: true });
      const report = await writeResult(folder, result, {
        ...result,
        title: `${names[0]} and ${names[1]}`,
        lead: 'Two results of agents on the tasks that both played.',
        command: typedCommand(),
        facts: [
          ['vlgym', VERSION],
          ['first', first.path],
          ['second', second.path],
        ],
      });
      if (!json) stdout.write(`\n${dim(report)}\n`);
    }
    if (!(gate || isEmpty) || regressions.length + undecided.length === 0) return 0;
    stderr.write(`${new RegressionError(regressions, undecided).message}\n`);
    return FAILED;
  },
});

/** @throws {UsageError} The folder holds one of the results, or a recording. */
async function checkComparisonFolder(folder: string, results: readonly string[]): Promise<void> {
  const inputs = results.map((path) => resolve(path.endsWith('.json') ? dirname(path) : path));
  if (inputs.includes(resolve(folder))) await checkOutputFile('--folder', join(folder, 'result.json'));
  await checkOutputFolder('--folder', folder);
}

/** Short names of two results: the folders' own, or their paths where those are equal. */
function labels(first: string, second: string): [string, string] {
  const label = (path: string) => basename(path.endsWith('result.json') ? dirname(join('.', path)) : path) || path;
  return label(first) === label(second) ? [first, second] : [label(first), label(second)];
}
