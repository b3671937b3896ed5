/** `result.json` of an evaluation or a suite, and the report next to it. */
import { join } from 'node:path';
import { cellOf, RESULT_SCHEMA, recordedEvaluations, resultFileSchema, type SuiteCell } from '@vlgym/agents';
import { writeFileAtomic } from '@vlgym/core/internal';
import { UsageError } from '../command-line/usage-error.js';
import { recordingsIn } from '../folders/recordings.js';
import { jsonIn } from '../folders/text-file.js';
import type { AgentReport } from '../report/agents/agent-report.js';
import { agentReportPage } from '../report/agents/agents-page.js';

const EXPECTED = 'a folder of `vlgym suite`, `vlgym eval --record` or `evaluate`, its result.json, or a run';

/** Writes `result.json` and `report.html`. @returns The path of the report. */
export async function writeResult(folder: string, result: object, report: AgentReport): Promise<string> {
  await writeFileAtomic(join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  const path = join(folder, 'report.html');
  await writeFileAtomic(path, agentReportPage(report));
  return path;
}

export interface ReadResult {
  /** The path as given. */
  readonly path: string;
  readonly cells: readonly SuiteCell[];
}

/**
 * @param path  A folder or file with the `result.json` of agents, or else recorded episodes, those of a run included.
 * @throws {UsageError}  It is not there, or holds neither.
 */
export async function readResult(path: string): Promise<ReadResult> {
  const file = path.endsWith('.json') ? path : join(path, 'result.json');
  const data = (await jsonIn(file)) as { readonly schema?: unknown } | undefined;
  // a training run has a different result file; its evaluated episodes are recorded
  if (data?.schema === undefined && file !== path) return { path, cells: await recordedCells(path) };
  if (data === undefined) throw new UsageError(`${path} holds no result.`, { expected: EXPECTED });
  const parsed = resultFileSchema.safeParse(data);
  if (!parsed.success) {
    const { path: keys = [], message } = parsed.error.issues[0] ?? {};
    throw new UsageError(`${file} is not a result of agents: ${keys.map(String).join('.')} ${message}`, {
      expected: `${RESULT_SCHEMA}, as \`vlgym suite\` and \`vlgym eval --record\` write it`,
    });
  }
  return { path, cells: parsed.data.cells as unknown as readonly SuiteCell[] };
}

async function recordedCells(path: string): Promise<SuiteCell[]> {
  const cells: SuiteCell[] = [];
  const folders = await recordingsIn(path).catch((cause: Error) => {
    throw new UsageError(`${path} holds no result.`, {
      expected: EXPECTED,
      hint: cause.message.split('\n')[0]!,
      cause,
    });
  });
  for (const folder of folders) {
    const evaluations = await recordedEvaluations(folder);
    for (const each of evaluations) cells.push(cellOf(each.env ?? 'an environment without a name', each));
  }
  return cells;
}
