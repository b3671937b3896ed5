/**
 * Low-rank adapters (LoRA, arXiv 2106.09685): y = W x + (alpha / r) B A x with A Kaiming-uniform and B zero, so that a
 * fresh adapter changes nothing.
 *
 * Factors are float32 (float64 beside float64 weights) whatever the dtype of the model: at a learning rate of 1e-5 most
 * entries of a bfloat16 factor would never move. Only the products are computed in the model's dtype.
 */
import { empty, type Generator, Module, nn, Parameter, type Tensor, tidy, zeros } from '@vlgym/gpu';
import type { ModelInit } from '../language-model.js';

export interface LoraOptions {
  /** Rank. */
  readonly r: number;
  /** The adapter's product is scaled by alpha / r. */
  readonly alpha: number;
  /** Share of inputs dropped while training; 0 in reinforcement learning, where ratios must start at 1. */
  readonly dropout?: number | undefined;
  /** Other ranks by the end of a matrix's name, a regular expression; as in peft. */
  readonly rankPattern?: Readonly<Record<string, number>> | undefined;
  /** Other alphas in the same way. */
  readonly alphaPattern?: Readonly<Record<string, number>> | undefined;
  /** Scale by alpha / sqrt(r) (arXiv 2312.03732). */
  readonly rankStabilized?: boolean | undefined;
}

/** Rank and scale of one adapter. */
export interface AdapterSize {
  readonly r: number;
  /** Factor on the adapter's product. */
  readonly scaling: number;
}

/** Rank and scale for the matrix of a name, without `.weight`. */
export function adapterSize(
  { r, alpha, rankPattern = {}, alphaPattern = {}, rankStabilized = false }: LoraOptions,
  name: string,
): AdapterSize {
  const rank = byPattern(rankPattern, name) ?? r;
  return { r: rank, scaling: (byPattern(alphaPattern, name) ?? alpha) / (rankStabilized ? Math.sqrt(rank) : rank) };
}

/** The value of the first pattern that a name ends with, at a dot. */
function byPattern(patterns: Readonly<Record<string, number>>, name: string): number | undefined {
  const [, value] = Object.entries(patterns).find(([key]) => ending(key).test(name)) ?? [];
  return value;
}

function ending(pattern: string): RegExp {
  return new RegExp(`^(?:.*\\.)?(?:${pattern})$`);
}

/** Can it be a key of `rankPattern` or `alphaPattern`? */
export function isPattern(source: string): boolean {
  try {
    return ending(source) instanceof RegExp;
  } catch {
    return false;
  }
}

export class LoraAdapter extends Module {
  /** [r, in] */
  readonly lora_A: Parameter;
  /** [out, r] */
  readonly lora_B: Parameter;
  readonly scaling: number;
  /** Draws dropout. */
  readonly generator: Generator;
  readonly #dropout: number;

  /** @param name  Of the matrix it changes; decides rank and scale. */
  constructor(inFeatures: number, outFeatures: number, lora: LoraOptions, init: ModelInit, name = '') {
    super();
    const { generator, device } = init;
    const kind = { dtype: init.dtype === 'float64' ? init.dtype : ('float32' as const), device };
    const { r, scaling } = adapterSize(lora, name);
    this.lora_A = tidy(() => new Parameter(nn.init.kaimingUniform_(empty([r, inFeatures], kind), { generator })));
    this.lora_B = tidy(() => new Parameter(zeros([outFeatures, r], kind)));
    this.scaling = scaling;
    this.#dropout = lora.dropout ?? 0;
    this.generator = generator;
  }

  /** Probability that an entry of the input counts as zero now. */
  get dropout(): number {
    return this.training ? this.#dropout : 0;
  }

  forward(x: Tensor): Tensor {
    const input = nn.functional.dropout(x, this.dropout, { generator: this.generator });
    const [a, b] = [this.lora_A, this.lora_B].map((factor) => (factor.dtype === x.dtype ? factor : factor.to(x.dtype)));
    return nn.functional.linear(nn.functional.linear(input, a!).mul(this.scaling), b!);
  }
}
