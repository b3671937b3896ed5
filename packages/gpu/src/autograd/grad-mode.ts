/** Switching the recording of gradients off and on; per JavaScript thread. */
import { TorchError } from '../native/errors.js';
import { native } from '../native/load.js';

/** Runs `fn` without recording gradients. @throws {TorchError} `fn` returns a promise: the switch is not per task. */
export function noGrad<T>(fn: () => T): T {
  return withGrad(false, fn, 'noGrad');
}

/** Runs `fn` recording gradients, inside a `noGrad`. */
export function enableGrad<T>(fn: () => T): T {
  return withGrad(true, fn, 'enableGrad');
}

export function isGradEnabled(): boolean {
  return native().isGradEnabled();
}

function withGrad<T>(enabled: boolean, fn: () => T, name: string): T {
  const addon = native();
  const before = addon.setGradEnabled(enabled);
  let result: T;
  try {
    result = fn();
  } finally {
    addon.setGradEnabled(before);
  }
  if (result instanceof Promise) {
    throw new TorchError(name, 'the function returned a promise', {
      hint: `call \`${name}\` around each synchronous part`,
    });
  }
  return result;
}
