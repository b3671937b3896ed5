/**
 * Low-rank adapters (LoRA, arXiv 2106.09685): y = W x + (alpha / r) B A x with A Kaiming-uniform and B zero, so that a
 * fresh adapter changes nothing.
 */
import { empty, type Generator, Module, nn, Parameter, type Tensor, tidy, zeros } from '@vlgym/gpu';
import type { ModelInit } from '../language-model.js';

export interface LoraOptions {
  /** Rank. */
  readonly r: number;
  /** The adapter's product is scaled by alpha / r. */
  readonly alpha: number;
  /** Share of inputs dropped while training; 0 in reinforcement learning, where ratios must start at 1. */
  readonly dropout?: number;
}

export class LoraAdapter extends Module {
  /** [r, in] */
  readonly lora_A: Parameter;
  /** [out, r] */
  readonly lora_B: Parameter;
  readonly scaling: number;
  readonly #dropout: number;
  readonly #generator: Generator;

  constructor(inFeatures: number, outFeatures: number, lora: LoraOptions, { generator, dtype, device }: ModelInit) {
    super();
    this.lora_A = tidy(
      () => new Parameter(nn.init.kaimingUniform_(empty([lora.r, inFeatures], { dtype, device }), { generator })),
    );
    this.lora_B = tidy(() => new Parameter(zeros([outFeatures, lora.r], { dtype, device })));
    this.scaling = lora.alpha / lora.r;
    this.#dropout = lora.dropout ?? 0;
    this.#generator = generator;
  }

  forward(x: Tensor): Tensor {
    const { training } = this;
    const input = nn.functional.dropout(x, this.#dropout, { training, generator: this.#generator });
    return nn.functional.linear(nn.functional.linear(input, this.lora_A).mul(this.scaling), this.lora_B);
  }
}
