/** The box of a space, for wrappers that calculate with observations or actions. */
import { GymError } from '../errors.js';
import type { DType } from '../spaces/arrays.js';
import type { BoxSpace } from '../spaces/box.js';
import { isKind } from '../spaces/kinds.js';
import type { Space } from '../spaces/space.js';

/** @throws {GymError} `NOT_A_BOX_SPACE` */
export function boxOf(space: Space): BoxSpace<DType> {
  if (isKind(space, 'box')) return space;
  throw new GymError(`The space has ${space.describe()}.`, {
    code: 'NOT_A_BOX_SPACE',
    value: space.type,
    expected: 'a space made by `spaces.box`',
    hint: 'flatten it first: flattenObservation()',
  });
}

/** @throws {GymError} `NOT_A_BOX_SPACE`; also for a box with an open bound. */
export function boundedBoxOf(space: Space): BoxSpace<DType> {
  const box = boxOf(space);
  if (box.bounded) return box;
  throw new GymError('The box has an open bound.', {
    code: 'NOT_A_BOX_SPACE',
    value: box.describe(),
    expected: 'a bound below and above every element',
    hint: 'clip or transform it first',
  });
}
