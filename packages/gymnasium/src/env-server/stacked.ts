/** Observations of a vector that are not pictures: one array for boxes, a list for everything else. */
import { type Space, spaces } from '@vlgym/core';
import { NdArray } from '../frames/codec.js';
import { NUMPY_NAMES, toWire } from '../frames/values.js';

export function stackedObservations(space: Space, observations: readonly unknown[]) {
  if (spaces.isKind(space, 'box')) {
    const arrays = observations as readonly ArrayBufferView[];
    const bytes = Buffer.concat(
      arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)),
    );
    return { stacked: new NdArray(NUMPY_NAMES[space.dtype], [observations.length, ...space.shape], bytes) };
  }
  return { observations: observations.map((observation) => toWire(space, observation)) };
}
