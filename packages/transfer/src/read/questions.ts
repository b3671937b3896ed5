/** Questions from the user's files, one at a time: JSON Lines, VLMEvalKit's TSV, Parquet of the hub, TFRecord. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, readJsonLines } from '@vlgym/core/internal';
import { readParquetRows } from '@vlgym/datasets';
import type { Row } from '../benchmark.js';
import { QuestionFileError } from '../errors.js';
import { readTfRecords } from './tfrecord.js';
import { readTsv } from './tsv.js';

export interface PlacedRow {
  readonly row: Row;
  /** The file that pictures are beside. */
  readonly file: string;
  /** File with line or row, for messages. */
  readonly place: string;
}

/** Files of rows, by the end of their names. */
const READERS: Readonly<Record<string, (file: string) => AsyncIterable<Row>>> = {
  '.tsv': readTsv,
  '.parquet': (file) => readParquetRows(file),
  '.tfrecord': readTfRecords,
  '.tfrecords': readTfRecords,
};
const ENDINGS = ['.jsonl', ...Object.keys(READERS)];
const endingOf = (file: string) => ENDINGS.find((ending) => file.endsWith(ending));

/**
 * Rows in the order of the file; those of a folder's files in the order of their names.
 *
 * @throws {QuestionFileError}  @throws {DatasetFileError} A Parquet file is damaged.
 */
export async function* readQuestions(path: string): AsyncGenerator<PlacedRow> {
  for (const file of await filesOf(path)) {
    const read = READERS[endingOf(file)!];
    yield* read ? numbered(file, read(file)) : jsonLines(file);
  }
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause) => {
    throw new QuestionFileError(path, 'it does not exist', cause);
  });
  const isRead = (file: string) => endingOf(file) !== undefined;
  if (!found.isDirectory()) {
    if (!isRead(path)) throw new QuestionFileError(path, `its name ends in none of ${ENDINGS.join(', ')}`);
    return [path];
  }
  const files = (await readdir(path)).filter(isRead).sort();
  if (files.length === 0) throw new QuestionFileError(path, `it has no file that ends in ${ENDINGS.join(', ')}`);
  return files.map((file) => join(path, file));
}

async function* jsonLines(file: string): AsyncGenerator<PlacedRow> {
  for await (const line of readJsonLines(file)) {
    const place = `${file}, line ${line.line}`;
    if (!('value' in line)) throw new QuestionFileError(place, `the line is ${line.problem}`);
    if (!isRecord(line.value)) throw new QuestionFileError(place, 'the line is not an object');
    yield { row: line.value, file, place };
  }
}

async function* numbered(file: string, rows: AsyncIterable<Row>): AsyncGenerator<PlacedRow> {
  let count = 0;
  for await (const row of rows) {
    yield { row, file, place: `${file}, row ${count}` };
    count += 1;
  }
}
