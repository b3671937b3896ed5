/**
 * From handles of the addon to tensors.
 *
 * `Tensor` is built in layers whose methods return tensors, so they cannot import the class: `tensor.ts` hands in its
 * constructor. Every other module takes `wrap` from `tensor.ts`, which makes sure that this has happened.
 */
import type { Handle } from '../native/native.js';
import type { Tensor } from './tensor.js';

let construct: (handle: Handle) => Tensor;

export function setConstructor(make: (handle: Handle) => Tensor): void {
  construct = make;
}

/** The tensor for a handle fresh from the addon. */
export function wrap(handle: Handle): Tensor {
  return construct(handle);
}

export function wrapAll(handles: readonly Handle[]): Tensor[] {
  return handles.map(construct);
}
