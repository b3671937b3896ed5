/** The smallest decoder with everything in it: two layers, shared keys, biases, norms per head, adapters. */

const HIDDEN = 4;
const HEADS = 2;
const GROUPS = 1;
const WIDTH = 2;
const INNER = 3;
const VOCABULARY = 8;

interface DecoderParts {
  readonly numbers: readonly number[];
  /** Shapes of the tensors; null for one that is absent. */
  readonly shapes: readonly (readonly number[] | null)[];
}

/** @param records  1 for a decoder that records gradients. */
export function decoderParts(records: number): DecoderParts {
  const numbers = [2, HEADS, GROUPS, WIDTH, 1e-6, 0, records];
  const shapes: (readonly number[] | null)[] = [[VOCABULARY, HIDDEN]];
  const linear = (rows: number, columns: number, isAdapted: boolean) => {
    shapes.push([rows, columns], isAdapted ? [rows] : null);
    numbers.push(isAdapted ? 2 : 0);
    if (!isAdapted) return;
    // two parts: the first row, and the rest
    numbers.push(0, 0.5, 1, 2);
    shapes.push([1, columns], [1, 1], [2, columns], [rows - 1, 2]);
  };
  for (const hasNorms of [true, false]) {
    shapes.push([HIDDEN]);
    linear((HEADS + 2 * GROUPS) * WIDTH, HIDDEN, true);
    shapes.push(...(hasNorms ? [[WIDTH], [WIDTH]] : [null, null]));
    linear(HIDDEN, HEADS * WIDTH, false);
    shapes.push([HIDDEN]);
    linear(2 * INNER, HIDDEN, false);
    linear(HIDDEN, INNER, true);
  }
  shapes.push([HIDDEN]);
  linear(VOCABULARY, HIDDEN, false);
  return { numbers, shapes };
}
