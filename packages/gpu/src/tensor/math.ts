/** Element-wise functions of `Tensor`, and conversion. Names and meaning are PyTorch's. */
import { native } from '../native/load.js';
import { DTYPES, type DType, dtypeCode } from './dtype.js';
import { TensorOperators } from './operators.js';
import type { Tensor } from './tensor.js';
import { wrap } from './wrap.js';

export class TensorMath extends TensorOperators {
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

  /** A tensor that is row-major in memory: itself if it is already, otherwise a copy. */
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
}
