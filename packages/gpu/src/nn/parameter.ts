/** A tensor that a module trains. */
import { native } from '../native/load.js';
import type { DType } from '../tensor/dtype.js';
import { dtypeCode } from '../tensor/dtype.js';
import { keep } from '../tensor/scope.js';
import { Tensor } from '../tensor/tensor.js';

/**
 * A leaf tensor that records gradients and outlives every `tidy`. Takes the memory of `data`, which may be disposed.
 */
export class Parameter extends Tensor {
  constructor(data: Tensor, requiresGrad = true) {
    super(native().detach(data.handle));
    this.requiresGrad_(requiresGrad);
    keep(this);
  }

  /** Moves this parameter itself to a dtype or device; its gradient is dropped. */
  moveTo({ dtype, device }: { dtype?: DType; device?: string }): this {
    const addon = native();
    const requiresGrad = this.requiresGrad;
    const detached = addon.detach(this.handle);
    const moved = addon.to(detached, dtype === undefined ? null : dtypeCode(dtype), device ?? null);
    addon.dispose(detached);
    this.adopt(moved);
    return this.requiresGrad_(requiresGrad);
  }
}
