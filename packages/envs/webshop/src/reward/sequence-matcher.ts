/**
 * Python's `difflib.SequenceMatcher(None, a, b).ratio()`: 2 M / T, where M counts the characters in matching blocks.
 *
 * Ratcliff-Obershelp: the longest common block (earliest in `a`, then in `b`), then recursively left and right of it.
 * Characters that make up more than 1 % + 1 of a `b` of 200 or more cannot start a block, but may extend one
 * (`python/cpython`, `Lib/difflib.py`).
 */
export function difflibRatio(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  if (left.length + right.length === 0) return 1;
  return (2 * matches(left, right)) / (left.length + right.length);
}

function matches(a: readonly string[], b: readonly string[]): number {
  const places = placesOf(b);
  let lengths = new Uint32Array(b.length + 1);
  let next = new Uint32Array(b.length + 1);
  let total = 0;
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  while (open.length > 0) {
    const [fromA, toA, fromB, toB] = open.pop()!;
    let [bestA, bestB, size] = [fromA, fromB, 0];
    lengths.fill(0);
    for (let i = fromA; i < toA; i += 1) {
      next.fill(0, fromB, toB + 1);
      for (const j of places.get(a[i]!) ?? []) {
        if (j < fromB) continue;
        if (j >= toB) break;
        const length = (j > fromB ? lengths[j]! : 0) + 1; // lengths[j] ends at j - 1
        next[j + 1] = length;
        if (length > size) [bestA, bestB, size] = [i - length + 1, j - length + 1, length];
      }
      [lengths, next] = [next, lengths];
    }
    while (bestA > fromA && bestB > fromB && a[bestA - 1] === b[bestB - 1])
      [bestA, bestB, size] = [bestA - 1, bestB - 1, size + 1];
    while (bestA + size < toA && bestB + size < toB && a[bestA + size] === b[bestB + size]) size += 1;
    if (size === 0) continue;
    total += size;
    if (fromA < bestA && fromB < bestB) open.push([fromA, bestA, fromB, bestB]);
    if (bestA + size < toA && bestB + size < toB) open.push([bestA + size, toA, bestB + size, toB]);
  }
  return total;
}

/** Positions of each character in `b`, without popular ones. */
function placesOf(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  b.forEach((character, index) => {
    const list = places.get(character);
    if (list) list.push(index);
    else places.set(character, [index]);
  });
  if (b.length >= 200) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [character, list] of places) if (list.length > most) places.delete(character);
  }
  return places;
}
