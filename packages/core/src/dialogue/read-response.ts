/**
 * A response as its environment reads it: parsed, and its thought checked. Everything that plays reads responses here, so
 * that success and correct thoughts are about the same turns.
 */
import type { Info } from '../env.js';
import { isRecord } from '../type-tests.js';
import type { Dialogue, ParsedResponse, ParseFailure, PromptContext } from './dialogue.js';

/** Thoughts are checked in readable responses only: a response without an action is counted as unreadable. */
export function readResponse<O, A, I extends Info>(
  dialogue: Dialogue<O, A, I>,
  text: string,
  context: PromptContext<O, A, I>,
): ParsedResponse<A> {
  return withCheckedThought(dialogue, dialogue.parse(text, context), text, context.info);
}

/** A parsed response with `thoughtCorrect`, where the dialogue can tell. */
export function withCheckedThought<O, A, I extends Info>(
  dialogue: Dialogue<O, A, I>,
  parsed: ParsedResponse<A>,
  text: string,
  info: I,
): ParsedResponse<A> {
  if (!dialogue.check || isUnreadable(parsed)) return parsed;
  const { thought: [start, end] = [0, 0] } = parsed.spans;
  const thoughtCorrect = dialogue.check(text.slice(start, end), info);
  return thoughtCorrect === undefined ? parsed : { ...parsed, thoughtCorrect };
}

/** A text that some environments execute to no effect is not an action that could be read. */
const NOTHING_READ: ReadonlySet<string> = new Set<ParseFailure>([
  'empty',
  'no-action-marker',
  'no-action',
  'ambiguous-action',
]);

/** True if no action could be read from the response. A readable action may still be illegal. */
export function isUnreadable({ action, reason }: Readonly<{ action?: unknown; reason?: string | undefined }>): boolean {
  return action === undefined || (reason !== undefined && NOTHING_READ.has(reason));
}

/**
 * The part of a response before the action entry, by key. Text that is not the beginning of a JSON object becomes one entry,
 * `thoughts`, without the tag around it.
 *
 * @example
 * thoughtEntries('{"cards": [7, 10], "thoughts": "7+10=17", '); // { cards: [7, 10], thoughts: '7+10=17' }
 */
export function thoughtEntries(said: string): Readonly<Record<string, unknown>> {
  const start = said.indexOf('{');
  const object = start < 0 ? undefined : objectFrom(said.slice(start).trimEnd());
  if (object) return object;
  return { thoughts: said.replace(/^\s*<[\w-]+>|<\/[\w-]+>\s*$/g, '').trim() };
}

/** The object, closed where the action entry follows; the arguments of a tool call. */
function objectFrom(text: string): Readonly<Record<string, unknown>> | undefined {
  const open = text.endsWith(',') ? text.slice(0, -1) : text;
  for (const closed of [`${open}}`, `${open}}}`, open]) {
    try {
      const value: unknown = JSON.parse(closed);
      if (isRecord(value)) return isRecord(value.arguments) ? value.arguments : value;
    } catch {} // another ending may fit
  }
  return undefined;
}
