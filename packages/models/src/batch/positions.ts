/** Slices of positions, for the tensors of any model family: rows are dimension 0, columns dimension 1. */
import { cat, keep, type Tensor, tidy } from '@vlgym/gpu';
import type { Positions } from '../language-model.js';
import type { BatchBuilder } from './batch-builder.js';

function map(positions: Positions, change: (tensor: Tensor) => Tensor): Positions {
  return Object.fromEntries(Object.entries(positions).map(([name, tensor]) => [name, change(tensor)]));
}

/** `length` columns from `start`; views. */
export function narrowPositions(positions: Positions, start: number, length: number): Positions {
  return map(positions, (tensor) => tensor.narrow(1, start, length));
}

/** The same tensors, to outlive every `tidy`. */
export function keepPositions(positions: Positions): Positions {
  return map(positions, keep);
}

/** Only the rows at `index`; disposes what it was given. A tensor of one row serves all rows and stays as it is. */
export function selectPositions(positions: Positions, index: Tensor): Positions {
  return map(positions, (tensor) => (tensor.size(0) > 1 ? selectRows(tensor, index) : tensor));
}

export function disposePositions(positions: Positions): void {
  for (const tensor of Object.values(positions)) tensor.dispose();
}

/** The rows of a kept tensor at `index`, kept in its place. */
export function selectRows(source: Tensor, index: Tensor): Tensor {
  const rows = tidy(() => keep(source.indexSelect(0, index)));
  source.dispose();
  return rows;
}

/** Column `columns[i]` of row i, as one column of all rows. */
export function positionsAt(positions: Positions, columns: readonly number[], builder: BatchBuilder): Positions {
  const [first] = columns;
  if (columns.every((column) => column === first)) return narrowPositions(positions, first!, 1);
  const ints = (data: Int32Array) => builder.ints(data, [data.length]);
  const rows = ints(Int32Array.from(columns.keys()));
  const places = ints(Int32Array.from(columns));
  return map(positions, (tensor) => ofRows(tensor, columns.length).index([rows, places]).unsqueeze(1));
}

/** The rows of both, one after the other; disposes what it was given. */
export function joinPositions(a: Positions, rowsOfA: number, b: Positions, rowsOfB: number): Positions {
  return Object.fromEntries(
    Object.entries(a).map(([name, tensor]) => {
      const other = b[name]!;
      const joined = tidy(() => keep(cat([ofRows(tensor, rowsOfA), ofRows(other, rowsOfB)], 0)));
      tensor.dispose();
      other.dispose();
      return [name, joined];
    }),
  );
}

/** A tensor of one row serves all rows. */
function ofRows(tensor: Tensor, rows: number): Tensor {
  return tensor.size(0) === rows ? tensor : tensor.expand([rows, ...tensor.shape.slice(1)]);
}
