/** Parts of positions, whatever tensors a model family keeps in them: rows are dimension 0, columns dimension 1. */
import { keep, type Tensor, tidy } from '@vlgym/gpu';
import type { Positions } from '../language-model.js';

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
