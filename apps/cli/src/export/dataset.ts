/** Steps of recorded episodes as rows of a chat dataset. */
import { join } from 'node:path';
import {
  type ChatExample,
  type ReadExamplesOptions,
  readExamples,
  writeJsonLines,
  writeParquet,
} from '@vlgym/datasets';
import { recordingsIn } from '../folders/recordings.js';

export interface DatasetExport {
  readonly format: 'parquet' | 'jsonl';
  readonly out?: string | undefined;
  readonly episodes: 'success' | 'all';
  readonly minReturn?: number | undefined;
  readonly skipInvalid: boolean;
  readonly onProblem: (text: string) => void;
  /** Called after the last example, before the file is there. @param isRecorded  Some are of recorded episodes. */
  readonly onRead?: (isRecorded: boolean) => void;
}

/** @returns rows and path, in words. @throws {DatasetFileError} @throws {UsageError} There are no episodes. */
export async function exportDataset(folder: string, options: DatasetExport): Promise<string> {
  const { format, out, episodes, minReturn, skipInvalid, onProblem, onRead } = options;
  const paths = await recordingsIn(folder);
  const [first = folder] = paths;
  const isFile = /\.(jsonl|parquet)$/.test(first);
  const path =
    out ?? (isFile ? `${first}.dataset.${format}` : join(paths.length > 1 ? folder : first, `dataset.${format}`));
  const onInvalid = skipInvalid ? 'skip' : 'throw';
  const say = ({ message }: Error) => onProblem(message);
  const examples = examplesIn(paths, { episodes, minReturn, onInvalid, onProblem: say }, onRead);
  const rows = await (format === 'jsonl' ? writeJsonLines : writeParquet)(path, examples);
  return `${rows} rows\n${path}`;
}

async function* examplesIn(
  paths: readonly string[],
  options: ReadExamplesOptions,
  onRead: DatasetExport['onRead'],
): AsyncGenerator<ChatExample> {
  let isRecorded = false;
  let isEmpty = true;
  for (const path of paths) {
    for await (const example of readExamples(path, options)) {
      isRecorded ||= example.origin !== undefined;
      isEmpty = false;
      yield example;
    }
  }
  if (!isEmpty) onRead?.(isRecorded);
}
