/** The result table for a README: `table.md` next to the report. */
import { columns } from './columns.js';
import { type PartialRuns, partialText, type TaskReport } from './data.js';
import { summarize } from './statistics.js';
import { answers, method, separation, verdicts } from './verdicts.js';

export function markdownTables(tasks: readonly TaskReport[], baseline: string, partial?: PartialRuns): string {
  return `${partial ? `**${partialText(partial)}**\n\n` : ''}${tasks.map((task) => section(task, baseline)).join('\n\n')}\n`;
}

function section({ envId, runs }: TaskReport, baseline: string): string {
  const rows = summarize(runs, baseline);
  const shown = columns(rows);
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    `### ${envId}`,
    '',
    line(['', ...shown.map(({ title }) => title)]),
    line(['---', ...shown.map(() => '---:')]),
    ...rows.map((row) =>
      line([row.isControl ? `control: ${row.title}` : row.title, ...shown.map(({ cell }) => cell(row))]),
    ),
    '',
    ...verdicts(rows, baseline).map(({ text }) => `- ${text}.`),
    '',
    `${separation(rows)} ${answers(rows)} ${method(rows)}`,
  ].join('\n');
}
