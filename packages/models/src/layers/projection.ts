/**
 * A linear layer that computes several published matrices in one product, with a low-rank adapter next to any of them.
 *
 * Query, key and value read the same input, as do gate and up: one product is faster than three. Checkpoints keep the
 * published names and shapes (`adapters/published-weights.ts`).
 */
import { cat, Module, nn, Parameter, type Tensor, tidy, zeros } from '@vlgym/gpu';
import type { AdapterUse, LoraAdapter } from '../adapters/lora.js';
import { freshParameter, type WeightInit } from './fresh-parameter.js';

export type { WeightInit } from './fresh-parameter.js';

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
  /** `none` while the weight in use already contains the adapters, or where adapters must not act. */
  adapted: AdapterUse = 'none';
  /** The product alone in bfloat16: weights, bias, adapters and result in the model's dtype. Of layers, by `autocast`. */
  inBfloat16 = false;

  constructor(
    readonly inFeatures: number,
    parts: number | Readonly<Record<string, number>>,
    { bias = false, ...init }: WeightInit & { readonly bias?: boolean | undefined },
  ) {
    super();
    this.parts =
      typeof parts === 'number'
        ? [{ name: '', rows: parts }]
        : Object.entries(parts).map(([name, rows]) => ({ name, rows }));
    const rows = this.parts.reduce((sum, part) => sum + part.rows, 0);
    this.weight = freshParameter([rows, inFeatures], init);
    this.bias = bias ? tidy(() => new Parameter(zeros([rows], { dtype: init.dtype, device: init.device }))) : null;
  }

  /** The weight where the layer is a product with it alone; null otherwise. */
  get plainWeight(): Parameter | null {
    return this.bias || this.inBfloat16 || this.#isAdapted ? null : this.weight;
  }

  /** x [..., in] → [..., sum of rows], the parts one after the other. */
  forward(x: Tensor): Tensor {
    const y = this.inBfloat16 ? this.#rounded(x) : nn.functional.linear(x, this.weight, this.bias);
    if (!this.#isAdapted) return y;
    const shape = x.shape.slice(0, -1);
    const changes = this.parts.map(
      ({ rows }, i) => this.adapters[i]?.forward(x, this.adapted) ?? x.newZeros([...shape, rows]),
    );
    return y.add(changes.length === 1 ? changes[0]! : cat(changes, -1));
  }

  get #isAdapted(): boolean {
    const { adapted, adapters } = this;
    return adapted !== 'none' && adapters.some((adapter) => adapter && (adapted === 'all' || adapter.start !== null));
  }

  #rounded(x: Tensor): Tensor {
    const y = nn.functional.linear(x.to('bfloat16'), this.weight.to('bfloat16')).to(x.dtype);
    return this.bias ? y.add(this.bias) : y;
  }
}
