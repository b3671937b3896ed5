/**
 * Reads actions written as calls in Python's syntax: `fill('12', "two\nlines")`, `click('3', modifiers=["Shift"])`.
 *
 * BrowserGym's agents write actions this way, one or more per step. Only literals are read: strings, numbers, booleans,
 * None, and lists of them. Nothing is evaluated.
 */

export type Literal = string | number | boolean | null | readonly Literal[];

export interface PythonCall {
  readonly name: string;
  readonly positional: readonly Literal[];
  readonly named: ReadonlyMap<string, Literal>;
  /** As written, for messages. */
  readonly source: string;
}

/** Whether the text looks like calls and not like `name[argument]`. */
export const looksLikeCalls = (text: string): boolean => /^(\s*#[^\n]*\n)*\s*[A-Za-z_]\w*\s*\(/.test(text);

/** Calls separated by line feeds or semicolons; comments are skipped. @returns The problem if it cannot be read. */
export function readCalls(text: string): readonly PythonCall[] | string {
  const reader = new Reader(text);
  const calls: PythonCall[] = [];
  try {
    for (reader.skipGaps(); !reader.atEnd; reader.skipGaps()) {
      const start = reader.position;
      const name = reader.take(/[A-Za-z_]\w*/y, 'a name');
      reader.take(/\s*\(\s*/y, '"("');
      const positional: Literal[] = [];
      const named = new Map<string, Literal>();
      while (!reader.tryTake(/\s*\)/y)) {
        const key = reader.tryTake(/[A-Za-z_]\w*(?=\s*=[^=])/y);
        if (key !== undefined) {
          reader.take(/\s*=\s*/y, '"="');
          named.set(key, reader.literal());
        } else if (named.size > 0)
          throw new ReadError(`expected a named argument, at character ${reader.position + 1}`);
        else positional.push(reader.literal());
        if (!reader.tryTake(/\s*,\s*/y) && !reader.looking(/\s*\)/y)) reader.fail('"," or ")"');
      }
      calls.push({ name, positional, named, source: text.slice(start, reader.position) });
      if (!reader.atEnd && !reader.looking(/[ \t]*(?:[\r\n;#]|$)/y)) reader.fail('the end of the line');
    }
  } catch (error) {
    if (error instanceof ReadError) return error.message;
    throw error;
  }
  return calls;
}

class ReadError extends Error {}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const CONSTANTS: Readonly<Record<string, Literal>> = { True: true, False: false, None: null, true: true, false: false };
/** Lists in lists beyond this are refused. */
const MAX_DEPTH = 4;

class Reader {
  position = 0;

  constructor(readonly text: string) {}

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Skips white space, semicolons and comments between calls. */
  skipGaps(): void {
    this.tryTake(/(?:[\s;]|#[^\n]*(?:\n|$))*/y);
  }

  looking(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    return pattern.test(this.text);
  }

  tryTake(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  take(pattern: RegExp, expected: string): string {
    return this.tryTake(pattern) ?? this.fail(expected);
  }

  fail(expected: string): never {
    throw new ReadError(`expected ${expected} at character ${this.position + 1}`);
  }

  literal(depth = 0): Literal {
    const number = this.tryTake(/[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y);
    if (number !== undefined) return Number(number);
    const word = this.tryTake(/[A-Za-z]+(?![\w'"])/y);
    if (word !== undefined) return Object.hasOwn(CONSTANTS, word) ? CONSTANTS[word]! : this.fail('a text in quotes');
    if (this.tryTake(/\[\s*/y) !== undefined) return this.#list(depth + 1);
    return this.#string();
  }

  #list(depth: number): readonly Literal[] {
    if (depth > MAX_DEPTH) this.fail('fewer nested lists');
    const items: Literal[] = [];
    while (this.tryTake(/\s*\]/y) === undefined) {
      items.push(this.literal(depth));
      if (this.tryTake(/\s*,\s*/y) === undefined && !this.looking(/\s*\]/y)) this.fail('"," or "]"');
    }
    return items;
  }

  #string(): string {
    const quote = this.take(/"""|'''|"|'/y, 'a text in quotes, a number or a list');
    let value = '';
    while (!this.text.startsWith(quote, this.position)) {
      if (this.atEnd) this.fail(`the closing ${quote}`);
      if (this.text[this.position] !== '\\') {
        value += this.text[this.position];
        this.position += 1;
        continue;
      }
      const unicode = this.tryTake(/\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/y);
      if (unicode !== undefined) {
        value += String.fromCharCode(Number.parseInt(unicode.slice(2), 16));
        continue;
      }
      const escaped = this.text[this.position + 1] ?? '';
      value += Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : `\\${escaped}`; // as Python keeps unknown escapes
      this.position += 2;
    }
    this.position += quote.length;
    return value;
  }
}
