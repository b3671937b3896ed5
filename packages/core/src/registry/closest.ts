/** "Did you mean …?": the nearest known name by Damerau-Levenshtein distance (optimal string alignment). */

/** Edits (insert, delete, replace, swap neighbors) that turn `a` into `b`, letter case ignored. */
export function editDistance(a: string, b: string): number {
  const left = [...a.toLowerCase()];
  const right = [...b.toLowerCase()];
  let twoBack: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) best = Math.min(best, twoBack[j - 2]! + 1);
      row.push(best);
    }
    twoBack = previous;
    previous = row;
  }
  return previous[right.length]!;
}

/**
 * The known name nearest to `name`, or `undefined` when none is near: more than two fifths of the longer name would
 * have to change. Ties go to the first in `known`.
 */
export function closest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance && distance <= 0.4 * Math.max(name.length, candidate.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
