/** Operations of `Tensor` that write into it and return it. Names and meaning are PyTorch's. */
import { native } from '../native/load.js';
import type { Scalar } from '../native/native.js';
import type { Operand } from './core.js';
import { TensorMath } from './math.js';
import type { Tensor } from './tensor.js';

export class TensorInPlace extends TensorMath {
  add_(other: Operand, alpha = 1): this {
    if (typeof other === 'number') native().add_Scalar(this.handle, other * alpha);
    else native().add_(this.handle, other.handle, alpha);
    return this;
  }

  sub_(other: Operand, alpha = 1): this {
    if (typeof other === 'number') native().sub_Scalar(this.handle, other * alpha);
    else native().sub_(this.handle, other.handle, alpha);
    return this;
  }

  mul_(other: Operand): this {
    if (typeof other === 'number') native().mul_Scalar(this.handle, other);
    else native().mul_(this.handle, other.handle);
    return this;
  }

  div_(other: Operand): this {
    if (typeof other === 'number') native().div_Scalar(this.handle, other);
    else native().div_(this.handle, other.handle);
    return this;
  }

  zero_(): this {
    native().zero_(this.handle);
    return this;
  }

  fill_(value: Scalar): this {
    native().fill_(this.handle, value);
    return this;
  }

  copy_(source: Tensor): this {
    native().copy_(this.handle, source.handle);
    return this;
  }

  clamp_(min?: number | null, max?: number | null): this {
    native().clamp_(this.handle, min ?? null, max ?? null);
    return this;
  }

  addcmul_(a: Tensor, b: Tensor, value = 1): this {
    native().addcmul_(this.handle, a.handle, b.handle, value);
    return this;
  }

  addcdiv_(a: Tensor, b: Tensor, value = 1): this {
    native().addcdiv_(this.handle, a.handle, b.handle, value);
    return this;
  }

  lerp_(end: Tensor, weight: number): this {
    native().lerp_(this.handle, end.handle, weight);
    return this;
  }

  /**
   * Exclusive or of the bits of two float tensors: applied twice, everything is as it was. Autograd does not see it, so
   * undo it before a backward pass that needs the numbers.
   */
  xorBits_(other: Tensor): this {
    native().xorBits_(this.handle, other.handle);
    return this;
  }

  maskedFill_(mask: Tensor, value: number): this {
    native().maskedFill_(this.handle, mask.handle, value);
    return this;
  }
}
