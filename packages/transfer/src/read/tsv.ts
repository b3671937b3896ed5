/** VLMEvalKit's tables: tab-separated, quoted as pandas writes them, pictures in base64. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { openRegularFile } from '@vlgym/core/internal';
import type { Row } from '../benchmark.js';
import { QuestionFileError } from '../errors.js';

/** A shorter picture is the index of another row, whose picture this one shares. */
const MAX_INDEX = 64;

/** @throws {QuestionFileError} */
export async function* readTsv(file: string): AsyncGenerator<Row> {
  const handle = await openRegularFile(file);
  try {
    let names: readonly string[] | undefined;
    const pictures = new Map<string, string>();
    for await (const { cells, line } of records(handle.createReadStream({ encoding: 'utf8', autoClose: false }))) {
      if (!names) {
        names = cells;
        continue;
      }
      if (cells.length !== names.length) {
        const problem = `the row has ${cells.length} cells, not ${names.length}`;
        throw new QuestionFileError(`${file}, line ${line}`, problem);
      }
      yield withPicture(
        Object.fromEntries(names.map((name, i) => [name, cells[i] === '' ? null : cells[i]])),
        pictures,
      );
    }
  } finally {
    await handle.close();
  }
}

/** Pictures stay in memory: a later row may share any of them. */
function withPicture(row: Record<string, unknown>, pictures: Map<string, string>): Row {
  const { index, image } = row;
  if (typeof image !== 'string') return row;
  if (image.length > MAX_INDEX) pictures.set(String(index), image);
  else if (pictures.has(image)) return { ...row, image: pictures.get(image) };
  return row;
}

interface TableRecord {
  readonly cells: string[];
  readonly line: number;
}

/** A quoted cell may hold line ends; its quotes are doubled, so that a complete record has an even number. */
async function* records(input: AsyncIterable<string>): AsyncGenerator<TableRecord> {
  let pending: string[] = [];
  let quotes = 0;
  let line = 0;
  for await (const text of createInterface({ input: Readable.from(input), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    pending.push(text);
    quotes += text.split('"').length - 1;
    if (quotes % 2 === 1) continue;
    const record = pending.join('\n');
    pending = [];
    if (record !== '') yield { cells: quotes === 0 ? record.split('\t') : quotedCells(record), line };
    quotes = 0;
  }
  if (pending.length > 0) yield { cells: quotedCells(pending.join('\n')), line };
}

function quotedCells(record: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < record.length; at += 1) {
    const character = record[at]!;
    if (character === '"' && isQuoted && record[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (character === '\t' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}
