/**
 * RMSNorm (arXiv 1910.07467) as the Qwen family computes it in half precision: the norm in float32, cast back, and only
 * then times the weight.
 */
import { Module, nn, ones, Parameter, type Tensor, tidy, zeros } from '@vlgym/gpu';
import type { ModelInit } from '../language-model.js';

export class HalfSafeRmsNorm extends Module {
  readonly weight: Parameter;
  readonly #eps: number;

  constructor(width: number, eps: number, { dtype, device }: Pick<ModelInit, 'dtype' | 'device'>) {
    super();
    this.weight = tidy(() => new Parameter(ones([width], { dtype, device })));
    this.#eps = eps;
  }

  /** [..., width] → the same shape and dtype. */
  forward(x: Tensor): Tensor {
    const { weight } = this;
    const eps = this.#eps;
    const width = [weight.numel];
    if (x.dtype === 'float32' || x.dtype === 'float64') return nn.functional.rmsNorm(x, width, { weight, eps });
    return nn.functional.rmsNorm(x.to('float32'), width, { eps }).to(x.dtype).mul(weight);
  }
}

/** The same as Gemma computes it: times one plus the weight, in float32 where the dtype has fewer bits, and only then cast back. */
export class OffsetRmsNorm extends Module {
  readonly weight: Parameter;
  readonly #eps: number;

  constructor(width: number, eps: number, { dtype, device }: Pick<ModelInit, 'dtype' | 'device'>) {
    super();
    this.weight = tidy(() => new Parameter(zeros([width], { dtype, device })));
    this.#eps = eps;
  }

  /** [..., width] → the same shape and dtype. */
  forward(x: Tensor): Tensor {
    const dtype = x.dtype === 'float64' ? 'float64' : 'float32';
    const weight = this.weight.to(dtype).add(1);
    return nn.functional.rmsNorm(x.to(dtype), [weight.numel], { weight, eps: this.#eps }).to(x.dtype);
  }
}
