/** Observations of a vector: one array for boxes and pictures, a list for everything else. */
import { type Image, type Space, spaces } from '@vlgym/core';
import { NdArray } from '../frames/codec.js';
import { NUMPY_NAMES, toWire } from '../frames/values.js';

export function stackedObservations(space: Space, observations: readonly unknown[]) {
  if (spaces.isKind(space, 'image')) {
    const { height, width, channels } = space;
    const bytes = Buffer.concat(observations.map((image) => (image as Image).data));
    return { stacked: new NdArray('|u1', [observations.length, height, width, channels], bytes) };
  }
  if (spaces.isKind(space, 'box')) {
    const arrays = observations as readonly ArrayBufferView[];
    const bytes = Buffer.concat(
      arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)),
    );
    return { stacked: new NdArray(NUMPY_NAMES[space.dtype], [observations.length, ...space.shape], bytes) };
  }
  return { observations: observations.map((observation) => toWire(space, observation)) };
}
