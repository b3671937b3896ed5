/** Cuts a failing list down to one from which nothing can be taken (Zeller and Hildebrandt 2002, "ddmin"). */
export async function shrink<T>(
  list: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  attempts = 80,
): Promise<readonly T[]> {
  let best = list;
  let left = attempts;
  for (let size = Math.ceil(best.length / 2); size >= 1 && left > 0; ) {
    let smaller: readonly T[] | undefined;
    for (let from = 0; from < best.length && left > 0; from += size) {
      const part = [...best.slice(0, from), ...best.slice(from + size)];
      left -= 1;
      if (part.length > 0 && (await fails(part))) {
        smaller = part;
        break;
      }
    }
    if (smaller) best = smaller;
    else if (size === 1) break;
    size = Math.max(1, Math.min(Math.ceil(size / (smaller ? 1 : 2)), Math.ceil(best.length / 2)));
  }
  return best;
}
