import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RESULT_SCHEMA, type SuiteCell } from '@vlgym/agents';
import { type CellPair, compareCells } from '@vlgym/agents/statistics';
import { z } from 'zod';
import { defineCommand, UsageError } from '../command-line/command.js';
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
    json: z.boolean().default(false).describe('print JSON for scripts'),
    folder: z.string().optional().describe('write result.json and report.html here'),
  }),
  examples: [
    { command: 'vlgym compare runs/yesterday runs/today', does: 'the same suite, before and after a change' },
    { command: 'vlgym compare runs/a runs/b --json', does: 'for a script' },
  ],
  async run({ results, json, folder }, { stdout }) {
    const [first, second] = (await Promise.all(results.map(readResult))) as [ReadResult, ReadResult];
    const names = labels(first.path, second.path);
    const comparisons = compareCells(pairsBetween(first.cells, second.cells, names));
    if (comparisons.length === 0) {
      throw new UsageError('The two results have no task in common.', {
        expected: 'the same environment and seeds in both, and agents of equal name or one agent each',
      });
    }
    const cells = [first.cells, second.cells].flatMap((each, index) =>
      each.map((cell) => ({ ...cell, agent: `${cell.agent} (${names[index]})` })),
    );
    const result = { schema: RESULT_SCHEMA, cells, comparisons, baselines: {} };
    if (json) stdout.write(`${JSON.stringify({ schema: RESULT_SCHEMA, names, comparisons }, null, 2)}\n`);
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
    return 0;
  },
});

/** Short names of two results: the folders' own, or their paths where those are equal. */
function labels(first: string, second: string): [string, string] {
  const label = (path: string) => basename(path.endsWith('result.json') ? dirname(join('.', path)) : path) || path;
  return label(first) === label(second) ? [first, second] : [label(first), label(second)];
}

function pairsBetween(
  first: readonly SuiteCell[],
  second: readonly SuiteCell[],
  names: readonly [string, string],
): CellPair[] {
  const on = (cells: readonly SuiteCell[], environment: string) =>
    cells.filter((cell) => cell.environment === environment);
  return first.flatMap((cell) => {
    const others = on(second, cell.environment);
    const isOnly = others.length === 1 && on(first, cell.environment).length === 1;
    const other = isOnly ? others[0] : others.find(({ agent }) => agent === cell.agent);
    const named = [`${cell.agent} (${names[0]})`, `${other?.agent} (${names[1]})`] as const;
    return other ? [{ first: cell, second: other, names: named }] : [];
  });
}
