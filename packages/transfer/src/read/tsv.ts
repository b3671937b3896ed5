/** VLMEvalKit's tables: tab-separated, quoted as pandas writes them, pictures in base64. */
import { openRegularFile, type RegularFile } from '@vlgym/core/internal';
import type { Row } from '../benchmark.js';
import { QuestionFileError } from '../errors.js';

/** A shorter picture is the index of another row, whose picture this one shares. */
const MAX_INDEX = 64;
const CHUNK_BYTES = 1 << 20;

/** @throws {QuestionFileError} */
export async function* readTsv(file: string): AsyncGenerator<Row> {
  const handle = await openRegularFile(file);
  try {
    let names: readonly string[] | undefined;
    const pictures = new Map<string, string>();
    for await (const { cells, line } of records(linesOf(handle))) {
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

/** Not by a stream of Node: one whose reader stops early reports that to nobody, which ends the process. */
async function* linesOf(file: RegularFile): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(CHUNK_BYTES);
  let pending = '';
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    const lines = decoder.decode(chunk.subarray(0, bytesRead), { stream: bytesRead > 0 }).split('\n');
    lines[0] = pending + lines[0];
    pending = lines.pop()!;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (bytesRead === 0) break;
  }
  if (pending !== '') yield pending;
}

interface TableRecord {
  readonly cells: string[];
  readonly line: number;
}

/** A quoted cell may hold line ends; its quotes are doubled, so that a complete record has an even number. */
async function* records(lines: AsyncIterable<string>): AsyncGenerator<TableRecord> {
  let pending: string[] = [];
  let quotes = 0;
  let line = 0;
  for await (const text of lines) {
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
