/** `result.json` of an evaluation or a suite, and the report beside it. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RESULT_SCHEMA, resultFileSchema, type SuiteCell, type SuiteResult } from '@vlgym/agents';
import { writeFileAtomic } from '@vlgym/core';
import { type AgentReport, agentReportPage } from '../report/agents-page.js';
import { UsageError } from '../usage-error.js';

/** Writes `result.json` and `report.html`. @returns The path of the report. */
export async function writeResult(folder: string, result: object, report: AgentReport): Promise<string> {
  await writeFileAtomic(join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  const path = join(folder, 'report.html');
  await writeFileAtomic(path, agentReportPage(report));
  return path;
}

export interface ReadResult {
  /** What was named. */
  readonly path: string;
  readonly cells: readonly SuiteCell[];
}

/**
 * @param path  A folder with `result.json`, or the file.
 * @throws {UsageError}  It is not there, or not a result of `eval` or `suite`.
 */
export async function readResult(path: string): Promise<ReadResult> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(path, 'result.json') : path;
  let data: unknown;
  try {
    data = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`${path} holds no result.`, {
      expected: 'a folder of `vlgym suite`, or of `vlgym eval --record`, or its result.json',
      cause,
    });
  }
  const parsed = resultFileSchema.safeParse(data);
  if (!parsed.success) {
    const { path: keys = [], message } = parsed.error.issues[0] ?? {};
    throw new UsageError(`${file} is not a result of agents: ${keys.map(String).join('.')} ${message}`, {
      expected: `${RESULT_SCHEMA}, as \`vlgym suite\` and \`vlgym eval --record\` write it`,
    });
  }
  return { path, cells: parsed.data.cells as unknown as readonly SuiteCell[] };
}

/** One evaluation as a suite of one cell. */
export const singleResult = (cell: SuiteCell, baselines: SuiteResult['baselines']): SuiteResult => ({
  schema: RESULT_SCHEMA,
  attempts: 1,
  seeds: [...new Set(cell.episodes.map(({ seed }) => seed))],
  cells: [cell],
  comparisons: [],
  baselines,
  interrupted: cell.stopped === 'interrupted',
});
