/** Cuts sequences into groups for one forward each. */
import type { Sequence } from '../policy.js';
import { conversations } from './conversations.js';

export interface MicroBatchLimits {
  /** Most sequences of a group; turns that are read together count once. Default: no limit. */
  readonly rows?: number | undefined;
  /** Most tokens of a group that are read, padding included; one sequence may exceed it. Default: no limit. */
  readonly tokens?: number | undefined;
  /**
   * Most response tokens of a group, padding included; one sequence may exceed it. Default: as many as are read, which
   * bounds the memory of their scores as if no turns were read together.
   */
  readonly responseTokens?: number | undefined;
}

/** Items that are read together: one, or turns of a conversation, the longest last. */
interface Unit<T> {
  readonly items: readonly T[];
  /** Tokens of the longest. */
  readonly length: number;
  /** Most tokens of a prompt and of a response. */
  readonly prompt: number;
  readonly response: number;
}

/**
 * All items, each once: those of similar length together, so that little is padding, and short ones first. Turns of a
 * conversation stay together as far as the limits allow.
 */
export function microBatches<T>(
  list: readonly T[],
  sequenceOf: (item: T) => Sequence,
  { rows = Infinity, tokens = Infinity, responseTokens = Infinity }: MicroBatchLimits,
): T[][] {
  const unitOf = (items: readonly T[]): Unit<T> => {
    const sequences = items.map(sequenceOf);
    const { input, responseIds } = sequences.at(-1)!;
    return {
      items,
      length: input.promptIds.length + responseIds.length,
      prompt: input.promptIds.length,
      response: Math.max(...sequences.map(({ responseIds }) => responseIds.length)),
    };
  };
  const units = conversations(list.map(sequenceOf))
    .map((group) => unitOf(group.map((i) => list[i]!)))
    .flatMap(({ items, length, response }) => parts(items, Math.min(length, responseTokens) / response).map(unitOf))
    .sort((a, b) => a.length - b.length);

  const groups: T[][] = [];
  let group: T[] = [];
  let [lines, prompt, response] = [0, 0, 0];
  for (const unit of units) {
    const widest = [Math.max(prompt, unit.prompt), Math.max(response, unit.response)] as const;
    const read = (lines + 1) * (widest[0] + widest[1]);
    const responses = (group.length + unit.items.length) * widest[1];
    const isFull = lines === rows || read > tokens || responses > Math.min(responseTokens, read);
    if (group.length > 0 && isFull) {
      groups.push(group);
      group = [];
      [lines, prompt, response] = [1, unit.prompt, unit.response];
    } else [lines, prompt, response] = [lines + 1, ...widest];
    group.push(...unit.items);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Runs of at most `size` items, at least 1. */
function parts<T>(items: readonly T[], size: number): T[][] {
  const length = Math.min(items.length, Math.max(1, Math.floor(size)));
  return Array.from({ length: Math.ceil(items.length / length) }, (_, i) => items.slice(i * length, (i + 1) * length));
}
