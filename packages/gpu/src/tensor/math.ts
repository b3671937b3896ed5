/** Element-wise operations of `Tensor`: arithmetic, comparison, logic, conversion. Names and meaning are PyTorch's. */
import { native } from '../native/load.js';
import type { Scalar } from '../native/native.js';
import { type Operand, TensorCore } from './core.js';
import { DTYPES, type DType, dtypeCode } from './dtype.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

export class TensorMath extends TensorCore {
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

  // ---- functions ----

  gelu(approximate: 'none' | 'tanh' = 'none'): Tensor {
    return wrap(native().gelu(this.handle, approximate));
  }

  leakyRelu(slope = 0.01): Tensor {
    return wrap(native().leakyRelu(this.handle, slope));
  }

  /** NaN and infinities replaced; by default with 0 and the largest finite numbers. */
  nanToNum(nan?: number, positiveInfinity?: number, negativeInfinity?: number): Tensor {
    return wrap(native().nanToNum(this.handle, nan ?? null, positiveInfinity ?? null, negativeInfinity ?? null));
  }

  /** `-this`. */
  neg(): Tensor {
    return wrap(native().neg(this.handle));
  }

  /** Absolute value. */
  abs(): Tensor {
    return wrap(native().abs(this.handle));
  }

  /** -1, 0 or 1. */
  sign(): Tensor {
    return wrap(native().sign(this.handle));
  }

  /** e^x. */
  exp(): Tensor {
    return wrap(native().exp(this.handle));
  }

  /** e^x - 1, exact near 0. */
  expm1(): Tensor {
    return wrap(native().expm1(this.handle));
  }

  /** Natural logarithm. */
  log(): Tensor {
    return wrap(native().log(this.handle));
  }

  /** log(1 + x), exact near 0. */
  log1p(): Tensor {
    return wrap(native().log1p(this.handle));
  }

  /** Logarithm to base 2. */
  log2(): Tensor {
    return wrap(native().log2(this.handle));
  }

  /** Square root. */
  sqrt(): Tensor {
    return wrap(native().sqrt(this.handle));
  }

  /** 1 / sqrt(x). */
  rsqrt(): Tensor {
    return wrap(native().rsqrt(this.handle));
  }

  /** x². */
  square(): Tensor {
    return wrap(native().square(this.handle));
  }

  /** 1 / x. */
  reciprocal(): Tensor {
    return wrap(native().reciprocal(this.handle));
  }

  /** Sine, radians. */
  sin(): Tensor {
    return wrap(native().sin(this.handle));
  }

  /** Cosine, radians. */
  cos(): Tensor {
    return wrap(native().cos(this.handle));
  }

  /** Hyperbolic tangent. */
  tanh(): Tensor {
    return wrap(native().tanh(this.handle));
  }

  /** 1 / (1 + e^-x). */
  sigmoid(): Tensor {
    return wrap(native().sigmoid(this.handle));
  }

  /** max(x, 0). */
  relu(): Tensor {
    return wrap(native().relu(this.handle));
  }

  /** x · sigmoid(x). */
  silu(): Tensor {
    return wrap(native().silu(this.handle));
  }

  /** log(1 + e^x). */
  softplus(): Tensor {
    return wrap(native().softplus(this.handle));
  }

  /** log(sigmoid(x)), stable. */
  logSigmoid(): Tensor {
    return wrap(native().logSigmoid(this.handle));
  }

  /** Error function. */
  erf(): Tensor {
    return wrap(native().erf(this.handle));
  }

  /** Largest integer at or below. */
  floor(): Tensor {
    return wrap(native().floor(this.handle));
  }

  /** Smallest integer at or above. */
  ceil(): Tensor {
    return wrap(native().ceil(this.handle));
  }

  /** Nearest integer, halves to even. */
  round(): Tensor {
    return wrap(native().round(this.handle));
  }

  /** Integer part. */
  trunc(): Tensor {
    return wrap(native().trunc(this.handle));
  }

  /** True where the entry is 0. */
  logicalNot(): Tensor {
    return wrap(native().logicalNot(this.handle));
  }

  /** True where NaN. */
  isnan(): Tensor {
    return wrap(native().isnan(this.handle));
  }

  /** True where infinite. */
  isinf(): Tensor {
    return wrap(native().isinf(this.handle));
  }

  /** True where neither NaN nor infinite. */
  isfinite(): Tensor {
    return wrap(native().isfinite(this.handle));
  }

  /** A copy in new memory; differentiable. */
  clone(): Tensor {
    return wrap(native().clone(this.handle));
  }

  /** Row-major in memory; shares it when it is already. */
  contiguous(): Tensor {
    return wrap(native().contiguous(this.handle));
  }

  // ---- conversion ----

  /** Converted to a dtype, a device (`cpu`, `cuda`, `cuda:1`), or both; shares memory when nothing changes. */
  to(target: DType | (string & {}) | { dtype?: DType; device?: string }): Tensor {
    const { dtype, device } =
      typeof target !== 'string'
        ? target
        : (DTYPES as readonly string[]).includes(target)
          ? { dtype: target as DType }
          : { device: target };
    return wrap(native().to(this.handle, dtype === undefined ? null : dtypeCode(dtype), device ?? null));
  }

  float(): Tensor {
    return this.to('float32');
  }

  double(): Tensor {
    return this.to('float64');
  }

  half(): Tensor {
    return this.to('float16');
  }

  bfloat16(): Tensor {
    return this.to('bfloat16');
  }

  long(): Tensor {
    return this.to('int64');
  }

  int(): Tensor {
    return this.to('int32');
  }

  byte(): Tensor {
    return this.to('uint8');
  }

  bool(): Tensor {
    return this.to('bool');
  }

  // ---- in place: write into this tensor and return it ----

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
