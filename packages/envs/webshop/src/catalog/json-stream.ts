/**
 * Reads a huge JSON array or object entry by entry, because the original's files exceed the maximum length of strings.
 * The reader only finds the ends of entries; each entry is parsed on its own.
 */
import { createReadStream } from 'node:fs';
import { GymError } from '@vlgym/core';

export interface JsonEntry {
  /** Key of the entry, in an object. */
  readonly key: string | undefined;
  readonly value: unknown;
  /** The reason why the entry is unreadable; `value` is then undefined. */
  readonly problem?: string;
}

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [34, 92, 44, 58, 91, 93, 123, 125];
const isBlank = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** Expected shape of a file; `any` accepts both. */
export type JsonShape = 'array' | 'object' | 'any';

/** @throws {JsonFormatError} The file has an unexpected structure or is truncated. */
export async function* jsonEntries(path: string, shape: JsonShape = 'any'): AsyncGenerator<JsonEntry> {
  const reader = new EntryReader();
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const entries = reader.push(chunk as Buffer);
    for (const entry of entries) {
      refuseOther(path, shape, reader.shape);
      yield entry;
    }
  }
  refuseOther(path, shape, reader.shape);
  if (!reader.ended) {
    const other = 'a table is read where its name ends with .csv or .tsv, lines of JSON with .jsonl';
    const hint =
      reader.shape === undefined ? `it has no bracket: ${other}` : 'the file may be truncated: copy it again';
    throw new JsonFormatError(path, shape, hint);
  }
}

function refuseOther(path: string, wanted: JsonShape, found: JsonShape | undefined): void {
  if (found === undefined || wanted === 'any' || found === wanted) return;
  const lines = 'convert lines of JSON to an array with `jq --slurp . FILE`';
  throw new JsonFormatError(path, wanted, wanted === 'array' ? lines : 'check whether two files were swapped');
}

/** The file is not the expected JSON. */
export class JsonFormatError extends GymError {
  constructor(
    readonly path: string,
    shape: JsonShape,
    hint: string,
  ) {
    const what = shape === 'any' ? 'JSON array or object' : `JSON ${shape}`;
    super(`${path} is not a complete ${what}.`, {
      code: 'JSON_FORMAT',
      value: path,
      expected: `one ${what}, to its closing bracket`,
      hint,
    });
  }
}

class EntryReader {
  ended = false;
  #started = false;
  #isMap = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #kept: Buffer[] = [];
  #key: string | undefined;

  /** `undefined` before the first bracket. */
  get shape(): JsonShape | undefined {
    if (!this.#started) return undefined;
    return this.#isMap ? 'object' : 'array';
  }

  *push(chunk: Buffer): Generator<JsonEntry> {
    let start = 0; // of the open entry in this chunk
    for (let at = 0; at < chunk.length && !this.ended; at += 1) {
      const byte = chunk[at]!;
      if (!this.#started) {
        if (isBlank(byte) || byte === 0xef || byte === 0xbb || byte === 0xbf) continue; // also a byte order mark
        if (byte !== OPEN_LIST && byte !== OPEN_MAP) return;
        this.#started = true;
        this.#isMap = byte === OPEN_MAP;
        start = at + 1;
      } else if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_LIST || byte === OPEN_MAP) this.#depth += 1;
      else if (byte === COLON && this.#depth === 0 && this.#isMap && this.#key === undefined) {
        this.#key = String(parsed(this.#take(chunk.subarray(start, at))).value);
        start = at + 1;
      } else if (byte === COMMA && this.#depth === 0) {
        yield* this.#entry(chunk.subarray(start, at));
        start = at + 1;
      } else if (byte === CLOSE_LIST || byte === CLOSE_MAP) {
        if (this.#depth === 0) {
          yield* this.#entry(chunk.subarray(start, at));
          this.ended = true;
        } else this.#depth -= 1;
      }
    }
    if (this.#started && !this.ended) this.#kept.push(Buffer.from(chunk.subarray(start)));
  }

  #take(last: Buffer): string {
    const text = Buffer.concat([...this.#kept, last]).toString('utf8');
    this.#kept = [];
    return text;
  }

  *#entry(last: Buffer): Generator<JsonEntry> {
    const text = this.#take(last).trim();
    const key = this.#key;
    this.#key = undefined;
    if (text !== '') yield { key, ...parsed(text) };
  }
}

const BROKEN = { value: undefined, problem: 'not JSON' } as const;
/** A text, a list or a map begins here. */
const NESTED_START = /^["[{]/;
const SCALAR = /^(?:true|false|null|-?(?:NaN|Infinity|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?))$/;

function parsed(text: string): Omit<JsonEntry, 'key'> {
  const trimmed = text.trim();
  // cheaper than an exception for every short entry
  if (!NESTED_START.test(trimmed) && !SCALAR.test(trimmed)) return BROKEN;
  try {
    return { value: JSON.parse(withoutPythonNumbers(text)) };
  } catch {
    return BROKEN;
  }
}

const PYTHON_NUMBERS = /-?\b(?:NaN|Infinity)\b/g;

/** Replaces Python's NaN and Infinity by `null`, outside of strings. A loop skips strings, because entries can be huge. */
function withoutPythonNumbers(text: string): string {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    pieces.push(text.slice(at, quote < 0 ? text.length : quote).replace(PYTHON_NUMBERS, 'null'));
    if (quote < 0) break;
    at = stringEnd(text, quote);
    pieces.push(text.slice(quote, at));
  }
  return pieces.join('');
}

/** Offset after the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}
