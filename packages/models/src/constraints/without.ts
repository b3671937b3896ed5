/**
 * The automaton of texts in which none of some short texts occurs (Aho and Corasick, 1975): a state is the longest end of
 * the text so far that one of them begins with.
 */

export interface ByteRange {
  readonly from: number;
  readonly to: number;
  /** Index of the next state. */
  readonly target: number;
}

/** @param texts  ASCII in lower case; upper case counts too. @returns The ways on from each state; 0 is the first. */
export function statesWithout(texts: readonly string[]): ByteRange[][] {
  const begins = ['', ...new Set(texts.flatMap((text) => Array.from(text, (_, i) => text.slice(0, i))))];
  const states = [...new Set(begins)];
  const indices = new Map(states.map((state, index) => [state, index]));
  return states.map((state) => {
    const ranges: ByteRange[] = [];
    for (let byte = 0; byte < 256; byte += 1) {
      const text = state + (byte < 0x80 ? String.fromCharCode(byte).toLowerCase() : '\u0080');
      if (texts.some((forbidden) => text.endsWith(forbidden))) continue;
      let start = 0;
      while (!indices.has(text.slice(start))) start += 1;
      const target = indices.get(text.slice(start))!;
      const last = ranges.at(-1);
      if (last?.to === byte - 1 && last.target === target) ranges[ranges.length - 1] = { ...last, to: byte };
      else ranges.push({ from: byte, to: byte, target });
    }
    return ranges;
  });
}
