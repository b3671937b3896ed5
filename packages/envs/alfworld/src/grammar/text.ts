/**
 * The small language inside templates, feedback and rules: lists, conditionals, symbols, plain words.
 *
 * Syntax: `docs/specs/alfworld.md` 8.2. It is a prefix parse: reading stops in silence at the first character that
 * cannot begin or continue a piece, and the rest is dropped. That is how the original reads, so we keep it.
 */
import { type Expression, readExpression } from './expression.js';
import { type Query, readQuery } from './query.js';

export type Piece =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'list'; readonly each: Conditional }
  | Conditional;

/** `{expression | query}`: the expression once per solution of the query, or once without one. */
export interface Conditional {
  readonly kind: 'conditional';
  readonly body:
    | { readonly kind: 'symbol'; readonly name: string }
    | { readonly kind: 'value'; readonly expression: Expression };
  readonly query?: Query;
}

// one at a time: `(?:\s+|…)+` tries every way to divide a run of blanks
const BLANKS = /\s+/y;
const COMMENT = /\/\/[^\n]*\n?/y;
const TABS = /\t+/y;
const SYMBOL = /#([\w()/!<>\-\s,.]+)#/y;
const WORDS = /[^;|"<>[\]#{}]+/y;
const QUOTED = /"([^;|"<>[\]#{}]+)"/y;
const EXPRESSION = /[^|[\]{}\n<>]+/y;
const BAR = /\s*\|\s*/y;
const QUERY = /[^;|{}\n[\]#]+/y;

const parsed = new Map<string, readonly Piece[]>();
/** Games share almost all of their texts; the bound is far above what the known grammars have. */
const MOST_KEPT = 2000;

/** Pieces of a text. Equal texts give the same list. */
export function readText(text: string): readonly Piece[] {
  let pieces = parsed.get(text);
  if (pieces === undefined) {
    pieces = parse(text);
    if (parsed.size >= MOST_KEPT) parsed.clear();
    parsed.set(text, pieces);
  }
  return pieces;
}

function parse(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const cursor = new Cursor(text);
  for (;;) {
    cursor.skipBlanks();
    const start = cursor.position;
    const piece = list(cursor) ?? conditional(cursor) ?? symbol(cursor) ?? words(cursor);
    if (piece === undefined) return pieces;
    if (cursor.position === start) return pieces;
    pieces.push(piece);
  }
}

function list(cursor: Cursor): Piece | undefined {
  return cursor.attempt(() => {
    if (cursor.take(/\[/y) === undefined) return undefined;
    cursor.skipTabs();
    const each = conditional(cursor);
    if (each === undefined) return undefined;
    cursor.skipTabs();
    return cursor.take(/\]/y) === undefined ? undefined : { kind: 'list', each };
  });
}

function conditional(cursor: Cursor): Conditional | undefined {
  return cursor.attempt(() => {
    if (cursor.take(/\{/y) === undefined) return undefined;
    const body = symbol(cursor) ?? value(cursor);
    if (body === undefined) return undefined;
    if (cursor.take(BAR) === undefined) {
      return cursor.take(/\}/y) === undefined ? undefined : { kind: 'conditional', body };
    }
    const [written] = cursor.take(QUERY) ?? [];
    if (written === undefined || cursor.take(/\}/y) === undefined) return undefined;
    return { kind: 'conditional', body, query: readQuery(written) };
  });
}

function symbol(cursor: Cursor): { kind: 'symbol'; name: string } | undefined {
  const [, name] = cursor.take(SYMBOL) ?? [];
  return name === undefined ? undefined : { kind: 'symbol', name };
}

function value(cursor: Cursor): Conditional['body'] | undefined {
  const [written] = cursor.take(EXPRESSION) ?? [];
  return written === undefined ? undefined : { kind: 'value', expression: readExpression(written) };
}

function words(cursor: Cursor): Piece | undefined {
  const [, inside] = cursor.take(QUOTED) ?? [];
  const [plain] = inside === undefined ? (cursor.take(WORDS) ?? []) : [inside];
  return plain === undefined ? undefined : { kind: 'words', text: plain };
}

class Cursor {
  position = 0;
  constructor(readonly text: string) {}

  /** At the start of a text or of a line, all white space and `//` comments; elsewhere tabs only. */
  skipBlanks(): void {
    this.skipTabs();
    if (this.position > 0 && this.text.charCodeAt(this.position - 1) !== 10) return;
    while (this.take(BLANKS) !== undefined || this.take(COMMENT) !== undefined);
  }

  skipTabs(): void {
    this.take(TABS);
  }

  take(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.position;
    const match = sticky.exec(this.text);
    if (match === null) return undefined;
    this.position += match[0].length;
    return match;
  }

  /** Back to where it began when nothing was read. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.position;
    const result = read();
    if (result === undefined) this.position = start;
    return result;
  }
}
