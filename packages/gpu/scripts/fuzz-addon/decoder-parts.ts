/** The smallest decoder with everything in it: two layers, shared keys, biases, norms per head, adapters. */

const HIDDEN = 4;
const HEADS = 2;
const GROUPS = 1;
const WIDTH = 2;
const INNER = 3;
const VOCABULARY = 8;

/** The dtype of its matrices. */
export type MatrixKind = 'float32' | 'bfloat16' | 'int8';

/** A tensor of a decoder; `entries` and `scales` are the two that int8 makes of a matrix. */
export interface DecoderTensor {
  readonly shape: readonly number[];
  readonly kind: 'float32' | 'bfloat16' | 'entries' | 'scales';
}

interface DecoderParts {
  readonly numbers: readonly number[];
  /** Null for one that is absent. */
  readonly tensors: readonly (DecoderTensor | null)[];
}

/**
 * @param records   1 for a decoder that records gradients; its matrices are then float32.
 * @param autocast  1 for products in bfloat16.
 */
export function decoderParts(records: number, matrices: MatrixKind = 'float32', autocast = 0): DecoderParts {
  const numbers = [2, HEADS, GROUPS, WIDTH, 1e-6, 0, records, autocast];
  const tensors: (DecoderTensor | null)[] = [];
  const add = (...shapes: (readonly number[] | null)[]) => {
    tensors.push(...shapes.map((shape) => shape && ({ shape, kind: 'float32' } as const)));
  };
  add([VOCABULARY, HIDDEN]);
  const linear = (rows: number, columns: number, isAdapted: boolean) => {
    const shape = [rows, columns];
    if (matrices === 'int8') tensors.push({ shape, kind: 'entries' }, { shape, kind: 'scales' });
    else tensors.push({ shape, kind: matrices }, null);
    add(isAdapted ? [rows] : null);
    numbers.push(isAdapted ? 2 : 0);
    if (!isAdapted) return;
    // two parts: the first row, and the rest
    numbers.push(0, 0.5, 0, 1, 2, 0);
    add([1, columns], [1, 1], [2, columns], [rows - 1, 2]);
  };
  for (const hasNorms of [true, false]) {
    add([HIDDEN]);
    linear((HEADS + 2 * GROUPS) * WIDTH, HIDDEN, true);
    add(...(hasNorms ? [[WIDTH], [WIDTH]] : [null, null]));
    linear(HIDDEN, HEADS * WIDTH, false);
    add([HIDDEN]);
    linear(2 * INNER, HIDDEN, false);
    linear(HIDDEN, INNER, true);
  }
  add([HIDDEN]);
  linear(VOCABULARY, HIDDEN, false);
  return { numbers, tensors };
}
