/** Examples of any dataset that this package reads: recorded episodes, JSON Lines, Parquet. */
import { open, stat } from 'node:fs/promises';
import { checkNames, type Given, names, readJsonLines, withDefaults } from '@vlgym/core/internal';
import { DatasetFileError, DatasetRowError } from './errors.js';
import type { ChatExample } from './example.js';
import { type DatasetLimits, DEFAULT_LIMITS } from './limits.js';
import { readParquet } from './parquet/read-parquet.js';
import { type RecordingFilter, readRecordings } from './read-recordings.js';
import { RowReader } from './row.js';

export interface ReadExamplesOptions extends RecordingFilter {
  /** `throw` (default) stops at the first invalid row; `skip` leaves it out and tells `onProblem`. */
  readonly onInvalid?: 'throw' | 'skip' | undefined;
  readonly onProblem?: ((problem: Error) => void) | undefined;
  readonly limits?: Given<DatasetLimits> | undefined;
}

const READ_EXAMPLES_OPTIONS = names<ReadExamplesOptions>({
  onInvalid: 0,
  onProblem: 0,
  limits: 0,
  episodes: 0,
  legalOnly: 0,
  minReturn: 0,
});

/**
 * Examples in the order of the files.
 *
 * @param path  A folder of recorded episodes, a `.jsonl` of episodes or of chat rows, or a `.parquet` of chat rows.
 * @throws {DatasetRowError}  Names the file, and the line (from 1) or row (from 0).
 * @throws {DatasetFileError} The file is missing, damaged, or not a dataset.
 *
 * @example for await (const { prompt, response } of readExamples('runs/today/episodes')) console.log(prompt, response);
 */
export async function* readExamples(path: string, options: ReadExamplesOptions = {}): AsyncGenerator<ChatExample> {
  checkNames('options', options, READ_EXAMPLES_OPTIONS);
  const { onInvalid = 'throw', onProblem = () => {} } = options;
  const limits = withDefaults(DEFAULT_LIMITS, options.limits ?? {});
  if (await isRecording(path, limits)) {
    yield* readRecordings(path, options, onInvalid, onProblem);
    return;
  }
  const reader = new RowReader(path, limits);
  for await (const { place, value, problem } of rows(path, limits)) {
    let examples: readonly ChatExample[] = [];
    try {
      if (problem !== undefined) throw new DatasetRowError(place, problem);
      examples = await reader.examples(value, place);
    } catch (error) {
      if (!(error instanceof DatasetRowError) || onInvalid === 'throw') throw error;
      onProblem(error);
    }
    yield* examples;
  }
}

/** Columns of chat rows. */
const COLUMNS = ['messages', 'prompt', 'completion', 'images', 'image'];

interface Row {
  readonly place: string;
  readonly value?: unknown;
  readonly problem?: string;
}

const LINE_PROBLEMS = {
  torn: 'the last line is torn',
  'not-utf8': 'the line is not UTF-8',
  'not-json': 'the line is not JSON',
} as const;

async function* rows(path: string, limits: DatasetLimits): AsyncGenerator<Row> {
  if (path.endsWith('.parquet')) {
    for await (const { row, value } of readParquet(path, limits, COLUMNS))
      yield { place: `${path}, row ${row}`, value };
    return;
  }
  for await (const line of readJsonLines(path, { maxLineBytes: limits.rowBytes })) {
    const place = `${path}, line ${line.line}`;
    if ('value' in line) yield { place, value: line.value };
    else if (line.problem === 'too-long')
      yield { place, problem: `the line has ${line.bytes} bytes, more than ${limits.rowBytes}` };
    else yield { place, problem: LINE_PROBLEMS[line.problem] };
  }
}

/** Episodes are a folder, or lines with events or steps. */
async function isRecording(path: string, { rowBytes }: DatasetLimits): Promise<boolean> {
  const found = await stat(path).catch((cause) => {
    throw new DatasetFileError(path, 'it does not exist', cause);
  });
  if (found.isDirectory()) return true;
  if (!found.isFile()) throw new DatasetFileError(path, 'it is neither a file nor a folder');
  if (path.endsWith('.parquet')) return false;
  if (!path.endsWith('.jsonl')) throw new DatasetFileError(path, 'its name ends in neither .jsonl nor .parquet');
  await (await open(path, 'r')).close();
  for await (const line of readJsonLines(path, { maxLineBytes: rowBytes })) {
    if (!('value' in line)) return false;
    const { value } = line;
    return typeof value === 'object' && value !== null && ('event' in value || 'steps' in value);
  }
  return false;
}
