/** Reads tables with a header: CSV (RFC 4180) with commas, semicolons or tabs, record by record. */
import { createReadStream } from 'node:fs';
import { GymError } from '@vlgym/core';

/** Column → text. */
export type CsvRecord = Readonly<Record<string, string>>;

/** Characters of one record; a quote without an end would take the rest of the file. */
const MAX_RECORD = 1 << 20;
const SEPARATORS = [',', ';', '\t'] as const;

/** @throws {CsvFormatError} No header, or a record that does not end or has more cells than the header. */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  const reader = new CellReader(path);
  let header: readonly string[] | undefined;
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 });
  for await (const chunk of stream) {
    for (const cells of reader.push(chunk as string)) {
      if (header) yield recordOf(path, header, cells, reader.line);
      else header = headerOf(path, cells);
    }
  }
  for (const cells of reader.end()) {
    if (header) yield recordOf(path, header, cells, reader.line);
    else header = headerOf(path, cells);
  }
  if (!header) throw new CsvFormatError(path, 'it is empty', 'its first line names the columns');
}

function headerOf(path: string, cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index);
  if (twice !== undefined) throw new CsvFormatError(path, `it has two columns "${twice}"`, 'rename one of them');
  return names;
}

function recordOf(path: string, header: readonly string[], cells: readonly string[], line: number): CsvRecord {
  if (cells.length > header.length && cells.slice(header.length).some((cell) => cell !== '')) {
    const what = `the record that ends on line ${line} has ${cells.length} cells for ${header.length} columns`;
    throw new CsvFormatError(path, what, 'put texts with separators into double quotes');
  }
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
}

/** The file is not a table. */
class CsvFormatError extends GymError {
  constructor(
    readonly path: string,
    what: string,
    hint: string,
  ) {
    super(`${path} is not a CSV file: ${what}.`, {
      code: 'CSV_FORMAT',
      value: path,
      expected: 'a line of column names, then one record per product, UTF-8',
      hint,
    });
  }
}

class CellReader {
  line = 1;
  readonly #path: string;
  #separator: string | undefined;
  /** Text before the separator is known. */
  #head = '';
  #cells: string[] = [];
  #cell = '';
  #inQuotes = false;
  /** A quote inside of quotes: an end, or half of a doubled one. */
  #quoteSeen = false;
  #size = 0;
  #isFirst = true;

  constructor(path: string) {
    this.#path = path;
  }

  *push(chunk: string): Generator<readonly string[]> {
    let text = this.#isFirst && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk;
    this.#isFirst = false;
    if (this.#separator === undefined) {
      this.#head += text;
      if (!/[\r\n]/.test(this.#head)) {
        if (this.#head.length > MAX_RECORD) throw this.#tooLong();
        return;
      }
      text = this.#head;
      this.#separator = separatorOf(text.split(/[\r\n]/, 1)[0]!);
    }
    yield* this.#read(text);
  }

  *end(): Generator<readonly string[]> {
    if (this.#separator === undefined) {
      this.#separator = separatorOf(this.#head);
      yield* this.#read(this.#head);
    }
    if (this.#inQuotes && !this.#quoteSeen) {
      throw new CsvFormatError(this.#path, 'a double quote does not end', 'write a quote inside of quotes twice: ""');
    }
    yield* this.#endRecord();
  }

  *#read(text: string): Generator<readonly string[]> {
    for (const character of text) {
      if (character === '\n') this.line += 1;
      if (this.#inQuotes) {
        if (this.#quoteSeen) {
          this.#quoteSeen = false;
          if (character === '"') {
            this.#add('"');
            continue;
          }
          this.#inQuotes = false; // read on below
        } else if (character === '"') {
          this.#quoteSeen = true;
          continue;
        } else {
          this.#add(character);
          continue;
        }
      }
      if (character === '"' && this.#cell === '') this.#inQuotes = true;
      else if (character === this.#separator) this.#endCell();
      else if (character === '\n') yield* this.#endRecord();
      else if (character !== '\r') this.#add(character);
    }
  }

  #add(character: string): void {
    this.#cell += character;
    this.#size += character.length;
    if (this.#size > MAX_RECORD) throw this.#tooLong();
  }

  #tooLong(): CsvFormatError {
    const what = `a record has more than ${MAX_RECORD} characters`;
    return new CsvFormatError(this.#path, what, 'a double quote may not end: write a quote inside of quotes twice: ""');
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  *#endRecord(): Generator<readonly string[]> {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    this.#size = 0;
    this.#inQuotes = false;
    this.#quoteSeen = false;
    if (cells.length > 1 || cells[0] !== '') yield cells; // an empty line
  }
}

/** The one that the header has most of. */
function separatorOf(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return SEPARATORS.reduce((best, next) => (count(next) > count(best) ? next : best));
}
