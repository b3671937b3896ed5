/** Actions without a language model: as text for people, and drawn at random. */
import { type Info, InvalidActionError, matchAction, type Space } from '@vlgym/core';
import type { AgentContext } from './agent.js';

/** The actions of a discrete space by name, in order: its labels, or its numbers. `undefined` for other spaces. */
export function actionWords(space: Space): readonly string[] | undefined {
  const {
    type,
    n,
    start = 0,
    labels,
  } = space.toJSON() as { type: string; n?: number; start?: number; labels?: string[] };
  if (type !== 'discrete' || n === undefined) return undefined;
  return labels ?? Array.from({ length: n }, (_, index) => String(index + start));
}

/** The names of what a list may hold, such as the moves of a turn; `undefined` for other spaces. */
function itemWords(space: Space): readonly string[] | undefined {
  const { type, element } = space.toJSON() as {
    type: string;
    element?: { type: string; labels?: string[]; start?: number };
  };
  if (type !== 'sequence' || element?.type !== 'discrete' || (element.start ?? 0) !== 0) return undefined;
  return element.labels;
}

/** One action as a person would write it: its label, its labels with commas, its text, or its JSON. */
export function actionText<A>(space: Space<A>, action: A): string {
  const words = actionWords(space);
  if (words) return words[Number(action) - firstAction(space)] ?? String(action);
  const items = itemWords(space);
  if (items && Array.isArray(action) && action.length > 0) return action.map((item) => items[item] ?? item).join(', ');
  return typeof action === 'string' ? action : JSON.stringify(space.encode(action));
}

/**
 * Parses what a person typed: a label or number of a discrete space, several labels for a list of them, the text of a text
 * space, JSON for any other.
 *
 * @throws {InvalidActionError}  The text is not an action of the space.
 */
export function readAction<A>(space: Space<A>, text: string): A {
  const words = actionWords(space);
  const items = itemWords(space);
  const action = words
    ? readWord(words, firstAction(space), text)
    : ((items && readItems(items, text)) ?? readJson(space, text));
  if (space.contains(action)) return action;
  const expected = words?.join(', ') ?? (items ? `one or more of ${items.join(', ')}` : space.describe());
  throw new InvalidActionError(text, expected);
}

/** A random action from the caller's generator; `mask` as the space's `sample` takes it. */
export function drawAction<O, A, I extends Info>({ env, rng }: AgentContext<O, A, I>, mask?: Uint8Array): A {
  env.actionSpace.seed(rng.integers(2 ** 32));
  return env.actionSpace.sample(mask ? { mask } : {});
}

function firstAction(space: Space): number {
  return Number(space.toJSON().start ?? 0);
}

function readWord(words: readonly string[], start: number, text: string): unknown {
  const match = matchAction(text, words);
  if (match.kind === 'found') return match.index + start;
  return /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined;
}

/** `up, up, left` or `up up left` */
function readItems(words: readonly string[], text: string): number[] | undefined {
  const parts = text.trim().split(text.includes(',') ? ',' : /\s+/);
  const read = parts.map((part) => words.findIndex((word) => word.toLowerCase() === part.trim().toLowerCase()));
  return read.includes(-1) ? undefined : read;
}

function readJson<A>(space: Space<A>, text: string): unknown {
  if (space.contains(text)) return text;
  try {
    return space.decode(JSON.parse(text));
  } catch {
    return undefined;
  }
}
