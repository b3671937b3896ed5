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

/** One action as a person would write it: its label, its text, or its JSON. */
export function actionText<A>(space: Space<A>, action: A): string {
  const words = actionWords(space);
  if (words) return words[Number(action) - firstAction(space)] ?? String(action);
  return typeof action === 'string' ? action : JSON.stringify(space.encode(action));
}

/**
 * Parses what a person typed: a label or number of a discrete space, the text of a text space, JSON for any other.
 *
 * @throws {InvalidActionError}  The text is not an action of the space.
 */
export function readAction<A>(space: Space<A>, text: string): A {
  const words = actionWords(space);
  const action = words ? readWord(words, firstAction(space), text) : readJson(space, text);
  if (!space.contains(action)) throw new InvalidActionError(text, words ? words.join(', ') : space.describe());
  return action;
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

function readJson<A>(space: Space<A>, text: string): unknown {
  if (space.contains(text)) return text;
  try {
    return space.decode(JSON.parse(text));
  } catch {
    return undefined;
  }
}
