/** Cuts sequences into groups for one forward each. */
import type { Sequence } from '../policy.js';

export interface GroupLimits {
  /** Most rows of a group. */
  readonly rows: number;
  /** Most tokens of a group, padding included; one row may exceed it. Left out: no limit. */
  readonly tokens?: number | undefined;
}

/** Consecutive groups of a list; sort it by length first, so that little of a group is padding. */
export function groupsWithin<T>(
  list: readonly T[],
  sequenceOf: (item: T) => Sequence,
  { rows, tokens = Number.POSITIVE_INFINITY }: GroupLimits,
): T[][] {
  const groups: T[][] = [];
  let group: T[] = [];
  let [prompt, response] = [0, 0];
  for (const item of list) {
    const { input, responseIds } = sequenceOf(item);
    const widest = [Math.max(prompt, input.promptIds.length), Math.max(response, responseIds.length)] as const;
    const isFull = group.length === rows || (group.length + 1) * (widest[0] + widest[1]) > tokens;
    if (group.length > 0 && isFull) {
      groups.push(group);
      group = [];
      [prompt, response] = [input.promptIds.length, responseIds.length];
    } else [prompt, response] = widest;
    group.push(item);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
