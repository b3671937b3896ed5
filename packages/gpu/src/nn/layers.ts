/** The usual layers. Initial values are those of PyTorch, drawn from `generator` where one is given. */
import { empty, ones, zeros } from '../tensor/creation.js';
import type { TensorOptions } from '../tensor/data.js';
import type { Generator } from '../tensor/generator.js';
import { tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import * as functional from './functional.js';
import { fans, kaimingUniform_, normal_, uniform_ } from './init.js';
import { Module } from './module.js';
import { Parameter } from './parameter.js';

export interface LayerOptions extends Pick<TensorOptions, 'dtype' | 'device'> {
  /** Source of the initial values; default: libtorch's global generator. */
  generator?: Generator | undefined;
}

function parameter(make: () => Tensor): Parameter {
  return tidy(() => new Parameter(make()));
}

/** A module that maps one tensor to one tensor. */
export interface UnaryModule extends Module {
  forward(x: Tensor): Tensor;
}

/** y = x · weightᵀ + bias; weight [out, in]. */
export class Linear extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter | null;

  constructor(
    readonly inFeatures: number,
    readonly outFeatures: number,
    { bias = true, generator, ...kind }: LayerOptions & { bias?: boolean } = {},
  ) {
    super();
    this.weight = parameter(() => kaimingUniform_(empty([outFeatures, inFeatures], kind), { generator }));
    const bound = 1 / Math.sqrt(inFeatures);
    this.bias = bias ? parameter(() => uniform_(empty([outFeatures], kind), -bound, bound, { generator })) : null;
  }

  forward(x: Tensor): Tensor {
    return functional.linear(x, this.weight, this.bias);
  }
}

/** A table of vectors; weight [count, width]. */
export class Embedding extends Module {
  readonly weight: Parameter;

  constructor(
    readonly numEmbeddings: number,
    readonly embeddingDim: number,
    { generator, ...kind }: LayerOptions = {},
  ) {
    super();
    this.weight = parameter(() => normal_(empty([numEmbeddings, embeddingDim], kind), 0, 1, { generator }));
  }

  /** index int64 [...] → [..., width]. */
  forward(index: Tensor): Tensor {
    return functional.embedding(index, this.weight);
  }
}

export class LayerNorm extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter | null;
  readonly shape: readonly number[];
  readonly eps: number;

  constructor(
    shape: number | readonly number[],
    { eps = 1e-5, bias = true, ...kind }: LayerOptions & { eps?: number; bias?: boolean } = {},
  ) {
    super();
    this.shape = typeof shape === 'number' ? [shape] : shape;
    this.eps = eps;
    this.weight = parameter(() => ones(this.shape, kind));
    this.bias = bias ? parameter(() => zeros(this.shape, kind)) : null;
  }

  forward(x: Tensor): Tensor {
    return functional.layerNorm(x, this.shape, { weight: this.weight, bias: this.bias, eps: this.eps });
  }
}

/** Zhang and Sennrich, arXiv 1910.07467. */
export class RMSNorm extends Module {
  readonly weight: Parameter;
  readonly eps: number;

  constructor(
    readonly width: number,
    { eps = 1e-6, ...kind }: LayerOptions & { eps?: number } = {},
  ) {
    super();
    this.eps = eps;
    this.weight = parameter(() => ones([width], kind));
  }

  forward(x: Tensor): Tensor {
    return functional.rmsNorm(x, [this.width], { weight: this.weight, eps: this.eps });
  }
}

export class Dropout extends Module {
  readonly #generator: Generator | undefined;

  constructor(
    readonly p = 0.5,
    { generator }: { generator?: Generator } = {},
  ) {
    super();
    this.#generator = generator;
  }

  forward(x: Tensor): Tensor {
    return functional.dropout(x, this.p, { training: this.training, generator: this.#generator });
  }
}

/** weight [out, in / groups, kernel, kernel]. */
export class Conv2d extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter | null;
  readonly options: functional.ConvOptions;

  constructor(
    readonly inChannels: number,
    readonly outChannels: number,
    readonly kernelSize: number | readonly [number, number],
    {
      bias = true,
      stride = 1,
      padding = 0,
      dilation = 1,
      groups = 1,
      generator,
      ...kind
    }: LayerOptions & functional.ConvOptions & { bias?: boolean } = {},
  ) {
    super();
    this.options = { stride, padding, dilation, groups };
    const kernel = typeof kernelSize === 'number' ? [kernelSize, kernelSize] : kernelSize;
    this.weight = parameter(() =>
      kaimingUniform_(empty([outChannels, inChannels / groups, ...kernel], kind), { generator }),
    );
    const bound = 1 / Math.sqrt(fans(this.weight).fanIn);
    this.bias = bias ? parameter(() => uniform_(empty([outChannels], kind), -bound, bound, { generator })) : null;
  }

  /** x [batch, in, height, width]. */
  forward(x: Tensor): Tensor {
    return functional.conv2d(x, this.weight, this.bias, this.options);
  }
}
