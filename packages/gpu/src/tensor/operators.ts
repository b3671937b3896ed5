/** Element-wise operators of `Tensor`: arithmetic, comparison, logic. Names and meaning are PyTorch's. */
import { native } from '../native/load.js';
import { type Operand, TensorCore } from './core.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

export class TensorOperators extends TensorCore {
  // ---- arithmetic; the right side is broadcast ----

  /** `this + alpha * other`. */
  add(other: Operand, alpha = 1): Tensor {
    return typeof other === 'number'
      ? wrap(native().addScalar(this.handle, other * alpha))
      : wrap(native().add(this.handle, other.handle, alpha));
  }

  /** `this - alpha * other`. */
  sub(other: Operand, alpha = 1): Tensor {
    return typeof other === 'number'
      ? wrap(native().subScalar(this.handle, other * alpha))
      : wrap(native().sub(this.handle, other.handle, alpha));
  }

  /** `other - this`. */
  rsub(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().rsubScalar(this.handle, other))
      : wrap(native().sub(other.handle, this.handle, 1));
  }

  /** `this * other`. */
  mul(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().mulScalar(this.handle, other))
      : wrap(native().mul(this.handle, other.handle));
  }

  /** `this / other`; integers give floats. */
  div(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().divScalar(this.handle, other))
      : wrap(native().div(this.handle, other.handle));
  }

  /** `this ** other`. */
  pow(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().powScalar(this.handle, other))
      : wrap(native().pow(this.handle, other.handle));
  }

  /** Remainder with the sign of `other`, as in Python. */
  remainder(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().remainderScalar(this.handle, other))
      : wrap(native().remainder(this.handle, other.handle));
  }

  /** Largest integer at or below `this / other`. */
  floorDivide(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().floorDivideScalar(this.handle, other))
      : wrap(native().floorDivide(this.handle, other.handle));
  }

  /** `this + value * a * b`. */
  addcmul(a: Tensor, b: Tensor, value = 1): Tensor {
    return wrap(native().addcmul(this.handle, a.handle, b.handle, value));
  }

  /** `this + value * a / b`. */
  addcdiv(a: Tensor, b: Tensor, value = 1): Tensor {
    return wrap(native().addcdiv(this.handle, a.handle, b.handle, value));
  }

  /** `this + weight * (end - this)`. */
  lerp(end: Tensor, weight: number): Tensor {
    return wrap(native().lerp(this.handle, end.handle, weight));
  }

  /** Entries moved into [min, max]; an absent bound is open. */
  clamp(min?: number | null, max?: number | null): Tensor {
    return wrap(native().clamp(this.handle, min ?? null, max ?? null));
  }

  /** `clamp` with one pair of bounds per entry. */
  clampTensor(min?: Tensor | null, max?: Tensor | null): Tensor {
    return wrap(native().clampTensor(this.handle, min?.handle ?? null, max?.handle ?? null));
  }

  // ---- comparison and logic ----

  /** bool: entry-wise equal. */
  eq(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().eqScalar(this.handle, other))
      : wrap(native().eq(this.handle, other.handle));
  }

  /** bool: entry-wise not equal. */
  ne(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().neScalar(this.handle, other))
      : wrap(native().ne(this.handle, other.handle));
  }

  /** bool: entry-wise less. */
  lt(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().ltScalar(this.handle, other))
      : wrap(native().lt(this.handle, other.handle));
  }

  /** bool: entry-wise less or equal. */
  le(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().leScalar(this.handle, other))
      : wrap(native().le(this.handle, other.handle));
  }

  /** bool: entry-wise greater. */
  gt(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().gtScalar(this.handle, other))
      : wrap(native().gt(this.handle, other.handle));
  }

  /** bool: entry-wise greater or equal. */
  ge(other: Operand): Tensor {
    return typeof other === 'number'
      ? wrap(native().geScalar(this.handle, other))
      : wrap(native().ge(this.handle, other.handle));
  }

  /** bool. */
  logicalAnd(other: Tensor): Tensor {
    return wrap(native().logicalAnd(this.handle, other.handle));
  }

  /** bool. */
  logicalOr(other: Tensor): Tensor {
    return wrap(native().logicalOr(this.handle, other.handle));
  }

  /** bool. */
  logicalXor(other: Tensor): Tensor {
    return wrap(native().logicalXor(this.handle, other.handle));
  }

  /** The larger entry; NaN spreads. */
  maximum(other: Tensor): Tensor {
    return wrap(native().maximum(this.handle, other.handle));
  }

  /** The smaller entry; NaN spreads. */
  minimum(other: Tensor): Tensor {
    return wrap(native().minimum(this.handle, other.handle));
  }

  /** Angle of (other, this), radians. */
  atan2(other: Tensor): Tensor {
    return wrap(native().atan2(this.handle, other.handle));
  }
}
