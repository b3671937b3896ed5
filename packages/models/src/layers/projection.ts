/**
 * A linear layer that computes several published matrices in one product, with a low-rank adapter beside any of them.
 *
 * Query, key and value read the same input, as do gate and up: one product is faster than three. Checkpoints keep the
 * published names and shapes (`weights.ts`). Adapters follow LoRA (arXiv 2106.09685): y = W x + (alpha/r) B A x with A
 * Kaiming-uniform and B zero, so that a fresh adapter changes nothing.
 */
import { functional, init, Module, Parameter } from '../nn/index.js';
import { cat, empty, zeros } from '../tensor/creation.js';
import type { DType } from '../tensor/dtype.js';
import type { Generator } from '../tensor/generator.js';
import { tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';

/** How weights begin. */
export interface Beginning {
  /** Standard deviation of weights; biases begin at zero. */
  readonly std: number;
  readonly generator: Generator;
  readonly dtype: DType;
  readonly device: string;
}

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

  constructor(inFeatures: number, outFeatures: number, lora: LoraOptions, { generator, dtype, device }: Beginning) {
    super();
    this.lora_A = tidy(
      () => new Parameter(init.kaimingUniform_(empty([lora.r, inFeatures], { dtype, device }), { generator })),
    );
    this.lora_B = tidy(() => new Parameter(zeros([outFeatures, lora.r], { dtype, device })));
    this.scaling = lora.alpha / lora.r;
    this.#dropout = lora.dropout ?? 0;
    this.#generator = generator;
  }

  forward(x: Tensor): Tensor {
    const { training } = this;
    const input = functional.dropout(x, this.#dropout, { training, generator: this.#generator });
    return functional.linear(functional.linear(input, this.lora_A).mul(this.scaling), this.lora_B);
  }
}

/** One published matrix inside a projection. */
export interface ProjectionPart {
  /** Last part of its published name, e.g. `q_proj`; empty when the projection is published as it is. */
  readonly name: string;
  /** Number of its outputs. */
  readonly rows: number;
}

export class Projection extends Module {
  /** [sum of rows, in] */
  readonly weight: Parameter;
  readonly bias: Parameter | null;
  readonly parts: readonly ProjectionPart[];
  /** One entry per part, or none at all. */
  readonly adapters: (LoraAdapter | null)[] = [];
  /** False while the weight in use already contains the adapters, or when none are wanted. */
  adapted = false;

  constructor(
    readonly inFeatures: number,
    parts: number | Readonly<Record<string, number>>,
    { bias = false, ...begin }: Beginning & { readonly bias?: boolean },
  ) {
    super();
    this.parts =
      typeof parts === 'number'
        ? [{ name: '', rows: parts }]
        : Object.entries(parts).map(([name, rows]) => ({ name, rows }));
    const rows = this.parts.reduce((sum, part) => sum + part.rows, 0);
    const { std, generator, dtype, device } = begin;
    this.weight = tidy(
      () => new Parameter(init.normal_(empty([rows, inFeatures], { dtype, device }), 0, std, { generator })),
    );
    this.bias = bias ? tidy(() => new Parameter(zeros([rows], { dtype, device }))) : null;
  }

  /** x [..., in] → [..., sum of rows], the parts one after the other. */
  forward(x: Tensor): Tensor {
    const y = functional.linear(x, this.weight, this.bias);
    if (!this.adapted) return y;
    const shape = x.shape.slice(0, -1);
    const changes = this.parts.map(({ rows }, i) => this.adapters[i]?.forward(x) ?? x.newZeros([...shape, rows]));
    return y.add(changes.length === 1 ? changes[0]! : cat(changes, -1));
  }
}
