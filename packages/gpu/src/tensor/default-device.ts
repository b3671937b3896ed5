/** The device for new tensors, if a call names no `device`. */
import { native } from '../native/load.js';
import { dtypeCode } from './dtype.js';

let current = 'cpu';

/**
 * Sets the device of tensors that are made without one, in this JavaScript thread; as `torch.set_default_device`. Tensors read
 * from files and from buffers, and generators of random numbers, stay on the CPU.
 *
 * @throws {TensorArgumentError} This machine lacks the device.
 */
export function setDefaultDevice(device: string): void {
  const addon = native();
  addon.dispose(addon.empty([0], dtypeCode('float32'), device));
  current = device;
}

/** `cpu` until `setDefaultDevice` was called. */
export function getDefaultDevice(): string {
  return current;
}
