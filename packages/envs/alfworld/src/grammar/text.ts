/**
 * The small language inside templates, feedback, and rules: lists, conditionals, symbols, plain words.
 *
 * Syntax: `docs/specs/alfworld.md` 8.2. Like the original, it parses a prefix: reading stops silently at the first
 * character that cannot start or continue a piece, and the rest is dropped.
 */
import { type Expression, readExpression } from './expression.js';
import { type Query, readQuery } from './query.js';

export type Piece =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'list'; readonly item: Conditional }
  | Conditional;

/** `{expression | query}`: the expression, once per solution of the query, or once without a query. */
export interface Conditional {
  readonly kind: 'conditional';
  readonly body:
    | { readonly kind: 'symbol'; readonly name: string }
    | { readonly kind: 'value'; readonly expression: Expression };
  readonly query?: Query;
}

// Separate patterns: `(?:\s+|…)+` would try every way to divide a run of blanks.
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
/** Games share almost all of their texts; known grammars have far fewer. */
const MAX_CACHED = 2000;

/** Parses a text. Equal texts give the same list. */
export function readText(text: string): readonly Piece[] {
  let pieces = parsed.get(text);
  if (pieces === undefined) {
    pieces = parse(text);
    if (parsed.size >= MAX_CACHED) parsed.clear();
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
    const item = conditional(cursor);
    if (item === undefined) return undefined;
    cursor.skipTabs();
    return cursor.take(/\]/y) === undefined ? undefined : { kind: 'list', item };
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

  /** Skips white space and `//` comments at the start of a text or line; elsewhere tabs only. */
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

  /** Moves back to the start if nothing was read. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.position;
    const result = read();
    if (result === undefined) this.position = start;
    return result;
  }
}
