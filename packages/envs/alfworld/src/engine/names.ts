/**
 * Display names as in the original: `Mug_bar__plus_00…` becomes `mug 2`.
 *
 * Rules: `docs/specs/alfworld.md`, section 7. Numbers descend along the sorted ids, so lists read `cabinet 3, a
 * cabinet 2, …`.
 */
import type { Generator } from '@vlgym/core';

const SEPARATOR = '_bar_';

/**
 * @param ids      Every id that is an argument of an initial fact, sorted by code point.
 * @param shuffle  Draws the order of numbering (domain randomization); default: as sorted.
 * @returns Id → name. An id without `_bar_` is its own name, followed by a space.
 */
export function displayNames(ids: readonly string[], shuffle?: Generator): ReadonlyMap<string, string> {
  const bases = new Map<string, string>();
  const left = new Map<string, number>();
  const ordered = [...ids];
  shuffle?.shuffle(ordered);
  for (const id of ordered) {
    const end = id.indexOf(SEPARATOR);
    if (end < 0) continue;
    // `sink…_bar_sinkbasin` is a sinkbasin
    const base = id.slice(0, end) + (id.includes('basin') ? 'basin' : '');
    bases.set(id, base);
    left.set(base, (left.get(base) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  for (const id of ordered) {
    const base = bases.get(id);
    if (base === undefined) {
      names.set(id, `${id} `);
      continue;
    }
    const number = left.get(base)!;
    left.set(base, number - 1);
    names.set(id, `${base} ${number}`);
  }
  return names;
}
