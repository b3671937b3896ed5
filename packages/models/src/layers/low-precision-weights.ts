/**
 * Copies of a decoder's matrices in fewer bytes, for sampling: each token reads every weight, and that dominates the time.
 *
 * The copies are of the weights alone. Adapters compute next to them in the model's dtype, so that the next token sees a
 * change that bfloat16 would round away.
 */
import { keep, nn, noGrad, type Tensor, tidy } from '@vlgym/gpu';

const BYTES = { bfloat16: 2, int8: 1 } as const satisfies Record<nn.NarrowDType, number>;

export class LowPrecisionWeights {
  readonly #copies = new Map<Tensor, nn.NarrowWeight>();

  constructor(readonly dtype: nn.NarrowDType) {}

  /** The copy of a matrix, made when it is first asked for. */
  of(weight: Tensor): nn.NarrowWeight {
    const known = this.#copies.get(weight);
    if (known) return known;
    const copy = noGrad(() =>
      tidy(() => {
        const made = nn.narrowed(weight, this.dtype);
        keep(made.weight);
        if (made.scales) keep(made.scales);
        return made;
      }),
    );
    this.#copies.set(weight, copy);
    return copy;
  }

  /** Bytes held. */
  get bytes(): number {
    let sum = 0;
    for (const { weight, scales } of this.#copies.values()) {
      sum += weight.numel * BYTES[this.dtype] + 4 * (scales?.numel ?? 0);
    }
    return sum;
  }

  /** To be called when weights have changed: copies are made again when they are asked for. */
  clear(): void {
    for (const { weight, scales } of this.#copies.values()) {
      weight.dispose();
      scales?.dispose();
    }
    this.#copies.clear();
  }
}

/** A layer that can replace its matrices by copies of lower precision. */
export interface HasLowPrecision {
  lowPrecision?: LowPrecisionWeights | null;
}

/** Computes with the copies in place. Synchronous, as all exchanges of weights are. */
export function withLowPrecision<T>(model: HasLowPrecision, lowPrecision: LowPrecisionWeights, compute: () => T): T {
  const before = model.lowPrecision ?? null;
  model.lowPrecision = lowPrecision;
  try {
    return compute();
  } finally {
    model.lowPrecision = before;
  }
}
