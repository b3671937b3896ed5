/**
 * The twl2 file of a game: a symbol table, and one template and feedback per action.
 *
 * Syntax: `docs/specs/alfworld.md` 8.1. Between items, white space is ignored and `#` starts a comment. Strings end
 * at the next quote and may contain line breaks. `"""` blocks hold JSON, in which lines that start with `#` are dropped.
 */
import { GameFileError } from '../errors.js';

export interface Rule {
  readonly rhs: string;
  /** A query; the rule applies if it has a solution. */
  readonly condition?: string;
}

export interface ActionText {
  readonly template: string;
  readonly feedback: string;
}

export interface GrammarFile {
  /** Symbol → rules; the first that applies is used. Later blocks replace symbols of earlier ones. */
  readonly symbols: ReadonlyMap<string, readonly Rule[]>;
  /** By PDDL action name, in lower case. */
  readonly actions: ReadonlyMap<string, ActionText>;
}

/** @throws {GameFileError} `INVALID_GRAMMAR` with the line where reading stopped. */
export function readGrammarFile(text: string): GrammarFile {
  const scanner = new Scanner(text);
  const symbols = new Map<string, readonly Rule[]>();
  const actions = new Map<string, ActionText>();
  while (!scanner.atEnd()) {
    const word = scanner.word();
    if (word === 'grammar') {
      addSymbols(symbols, scanner.blockItem(), scanner);
    } else if (word === 'action') {
      const name = scanner.word();
      actions.set(name.toLowerCase(), readAction(scanner, name, symbols));
    } else {
      throw scanner.fail('`grammar` or `action`');
    }
  }
  return { symbols, actions };
}

function readAction(scanner: Scanner, name: string, symbols: Map<string, readonly Rule[]>): ActionText {
  scanner.expect('{');
  const items = new Map<string, string>();
  while (!scanner.accept('}')) {
    const key = scanner.word();
    if (key === 'grammar') {
      addSymbols(symbols, scanner.blockItem(), scanner);
    } else if (key === 'pddl') {
      scanner.blockItem(); // the domain text defines what an action does
    } else if (key === 'template' || key === 'feedback') {
      items.set(key, scanner.stringItem());
    } else {
      throw scanner.fail('`template`, `feedback`, `grammar` or `pddl`');
    }
  }
  const template = items.get('template');
  const feedback = items.get('feedback');
  if (template === undefined || feedback === undefined)
    throw scanner.fail(`a template and a feedback in action ${name}`);
  return { template, feedback };
}

/** `^` matches after every line end, so blanks before `#` must not include line ends. */
const COMMENT_LINES = /^[^\S\n\r\u2028\u2029]*#.*/gm;

function addSymbols(symbols: Map<string, readonly Rule[]>, block: string, scanner: Scanner): void {
  const json = block.includes('#') ? block.replace(COMMENT_LINES, '') : block;
  let table: unknown;
  try {
    table = JSON.parse(json);
  } catch (cause) {
    throw new GameFileError('A grammar block is not JSON.', {
      code: 'INVALID_GRAMMAR',
      value: block.slice(0, 80),
      cause,
    });
  }
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw scanner.fail('a JSON object of symbols');
  for (const [symbol, rules] of Object.entries(table)) {
    if (!Array.isArray(rules) || !rules.every(isRule)) throw scanner.fail(`a list of rules for "${symbol}"`);
    symbols.set(symbol, rules);
  }
}

function isRule(value: unknown): value is Rule {
  const { rhs, condition } = (value ?? {}) as Partial<Rule>;
  return typeof rhs === 'string' && (condition === undefined || typeof condition === 'string');
}

const TRIPLE = '"""';

class Scanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#skip();
    return this.#position >= this.#text.length;
  }

  word(): string {
    this.#skip();
    const match = this.#match(/[A-Za-z_][\w-]*/y);
    if (match === undefined) throw this.fail('a name');
    return match;
  }

  accept(sign: string): boolean {
    this.#skip();
    if (!this.#text.startsWith(sign, this.#position)) return false;
    this.#position += sign.length;
    return true;
  }

  expect(sign: string): void {
    if (!this.accept(sign)) throw this.fail(`"${sign}"`);
  }

  /** Reads `:: """ … """;` and returns the text between the quotes. */
  blockItem(): string {
    this.expect('::');
    this.expect(TRIPLE);
    const block = this.#upTo(TRIPLE);
    this.expect(';');
    return block;
  }

  /** Reads `:: "…";` and returns the text between the quotes. */
  stringItem(): string {
    this.expect('::');
    if (this.accept(TRIPLE)) {
      const block = this.#upTo(TRIPLE);
      this.expect(';');
      return block;
    }
    this.expect('"');
    const string = this.#upTo('"');
    this.expect(';');
    return string;
  }

  fail(expected: string): GameFileError {
    const line = this.#text.slice(0, this.#position).split('\n').length;
    return new GameFileError(`The grammar cannot be read at line ${line}.`, {
      code: 'INVALID_GRAMMAR',
      value: this.#text.slice(this.#position, this.#position + 40),
      expected,
    });
  }

  #upTo(sign: string): string {
    const end = this.#text.indexOf(sign, this.#position);
    if (end < 0) throw this.fail(`a closing ${sign}`);
    const content = this.#text.slice(this.#position, end);
    this.#position = end + sign.length;
    return content;
  }

  #skip(): void {
    while (this.#match(/\s+|#[^\n]*/y) !== undefined);
  }

  #match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#position;
    const [match] = sticky.exec(this.#text) ?? [];
    if (match !== undefined) this.#position += match.length;
    return match;
  }
}
