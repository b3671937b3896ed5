/** The tensor for a handle fresh from the addon, for everybody but the layers of `Tensor` themselves. */
import type { Handle } from '../native/native.js';
import { Tensor } from './tensor.js';

export function wrap(handle: Handle): Tensor {
  return new Tensor(handle);
}
