/**
 * Low-rank adapters (LoRA, arXiv 2106.09685): y = W x + (alpha / r) B A x with A Kaiming-uniform and B zero, so that a
 * fresh adapter changes nothing.
 *
 * Factors are float32 (float64 with float64 weights) for every dtype of the model: at a learning rate of 1e-5 most
 * entries of a bfloat16 factor would never move. Only the products are computed in the model's dtype.
 */
import {
  cat,
  type DType,
  empty,
  type Generator,
  keep,
  Module,
  nn,
  noGrad,
  Parameter,
  type Tensor,
  tidy,
  zeros,
} from '@vlgym/gpu';
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
  /** Alphas that differ from the default, by the same names. */
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

/** The active adapters: none, only those of an earlier training (θ_0), or those and the ones being trained. */
export type AdapterUse = 'none' | 'start' | 'all';

/** Two factors: a [r, in] and b [out, r]. */
export interface LoraFactors {
  readonly a: Tensor;
  readonly b: Tensor;
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
  readonly #dtype: DType;
  #start: LoraFactors | null = null;

  /** @param name  Name of the matrix that it changes; determines rank and scale. */
  constructor(inFeatures: number, outFeatures: number, lora: LoraOptions, init: ModelInit, name = '') {
    super();
    const { generator, device } = init;
    const kind = { dtype: init.dtype === 'float64' ? init.dtype : ('float32' as const), device };
    const { r, scaling } = adapterSize(lora, name);
    this.lora_A = tidy(() => new Parameter(nn.init.kaimingUniform_(empty([r, inFeatures], kind), { generator })));
    this.lora_B = tidy(() => new Parameter(zeros([outFeatures, r], kind)));
    this.scaling = scaling;
    this.#dropout = lora.dropout ?? 0;
    this.#dtype = init.dtype;
    this.generator = generator;
  }

  /** Probability that an entry of the input counts as zero now. */
  get dropout(): number {
    return this.training ? this.#dropout : 0;
  }

  /**
   * The frozen adapter of an earlier training, applied together with the one being trained. It is part of the adapter, so
   * that the base weights stay those of the folder. In the dtype of the products. Null without one.
   */
  get start(): LoraFactors | null {
    return this.#start;
  }

  /** Takes copies of the factors. */
  setStart(start: LoraFactors | null): void {
    const next = start && noGrad(() => tidy(() => ({ a: this.#kept(start.a), b: this.#kept(start.b) })));
    this.#start?.a.dispose();
    this.#start?.b.dispose();
    this.#start = next;
  }

  /** Merges the trained adapter into the frozen start; training continues from zero. */
  freeze(): void {
    noGrad(() =>
      tidy(() => {
        if (this.lora_B.abs().max().item() === 0) return;
        this.setStart(this.joined());
        this.lora_B.zero_();
      }),
    );
  }

  /** Start and trained factors side by side, in the dtype of the latter: one adapter of both ranks. */
  joined(dtype: DType = this.lora_A.dtype): LoraFactors {
    const [a, b] = [this.lora_A, this.lora_B].map((factor) => inDtype(factor, dtype)) as [Tensor, Tensor];
    if (!this.#start) return { a, b };
    return { a: cat([inDtype(this.#start.a, dtype), a], 0), b: cat([inDtype(this.#start.b, dtype), b], 1) };
  }

  /** The active factors, as products to be summed. */
  acting(use: AdapterUse): readonly (LoraFactors & { readonly dropout: number })[] {
    if (use === 'none') return [];
    const { dropout } = this;
    const start = this.#start ? [{ ...this.#start, dropout: 0 }] : [];
    if (use === 'start') return start;
    // as one product where it can be, with and without gradients alike: dropout is for what is trained alone
    if (this.#start && dropout === 0) return [{ ...this.joined(this.#dtype), dropout }];
    return [...start, { a: this.lora_A, b: this.lora_B, dropout }];
  }

  /** The change of x's product. */
  forward(x: Tensor, use: AdapterUse = 'all'): Tensor {
    const { functional } = nn;
    let sum: Tensor | null = null;
    for (const { a, b, dropout } of this.acting(use)) {
      const input = functional.dropout(x, dropout, { generator: this.generator });
      const low = functional.linear(input, inDtype(a, x.dtype)).mul(this.scaling);
      const change = functional.linear(low, inDtype(b, x.dtype));
      sum = sum ? sum.add(change) : change;
    }
    return sum ?? x.newZeros([...x.shape.slice(0, -1), this.lora_B.shape[0]!]);
  }

  #kept(factor: Tensor): Tensor {
    return keep(inDtype(factor, this.#dtype).detach().clone());
  }
}

function inDtype(tensor: Tensor, dtype: DType): Tensor {
  return tensor.dtype === dtype ? tensor : tensor.to(dtype);
}

/** b a, in float32. */
export function productOf({ a, b }: LoraFactors): Tensor {
  return b.to('float32').matmul(a.to('float32'));
}
