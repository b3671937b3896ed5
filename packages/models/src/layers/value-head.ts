/**
 * The value head: what a critic reads from the hidden state of a language model, at the last prompt token
 * (`docs/specs/algorithms.md` 8.3).
 */
import { Module, nn, noGrad, ones, type Tensor, tidy, zeros } from '@vlgym/gpu';
import type { ModelInit } from '../language-model.js';

/** Scale of a fresh value head's output weights, relative to PyTorch's initialization. */
const FRESH_OUTPUT_SCALE = 0.1;

/**
 * MLP with ReLU from the hidden state at the last prompt token to one number, in float32.
 *
 * Hidden states of different observations share a large mean (in the tiny model of norm 1.0, with a spread of 0.12
 * around it). `standardize` removes it: otherwise the first layer would see almost a constant and learn very little.
 */
export class ValueHead extends Module {
  readonly layers: readonly nn.Linear[];

  constructor(hiddenSize: number, widths: readonly number[], { generator, device, dtype }: ModelInit) {
    super();
    const sizes = [hiddenSize, ...widths, 1];
    const kind = { generator, device, dtype: dtype === 'float64' ? dtype : ('float32' as const) };
    this.layers = widths.concat(1).map((width, i) => new nn.Linear(sizes[i]!, width, kind));
    // a fresh head predicts values close to 0: random values would enter the targets that it learns from
    noGrad(() => this.layers.at(-1)!.weight.mul_(FRESH_OUTPUT_SCALE));
    const { dtype: precision } = kind;
    this.registerBuffer('input_mean', zeros([hiddenSize], { dtype: precision, device }));
    this.registerBuffer('input_scale', ones([hiddenSize], { dtype: precision, device }));
  }

  /**
   * Sets the mean and spread that inputs are taken relative to, from these states [N, D]. Training the backbone moves
   * all states together, far in units of their spread: call this for every buffer.
   */
  standardize(states: Tensor): void {
    noGrad(() =>
      tidy(() => {
        const x = states.to(this.layers[0]!.weight.dtype);
        const mean = x.mean(0);
        const deviations = x.sub(mean);
        // the floor keeps a dimension that hardly varies from being scaled up
        const floor = 1e-3 * Math.sqrt(x.mul(x).mean().item());
        this.buffer('input_mean').copy_(mean);
        this.buffer('input_scale').copy_(deviations.mul(deviations).mean(0).sqrt().add(floor));
      }),
    );
  }

  /** [..., D] → [...] */
  forward(hidden: Tensor): Tensor {
    const last = this.layers.length - 1;
    const inputs = hidden.to(this.layers[0]!.weight.dtype);
    let x = inputs.sub(this.buffer('input_mean')).div(this.buffer('input_scale'));
    for (const [i, layer] of this.layers.entries()) x = i < last ? layer.forward(x).relu() : layer.forward(x);
    return x.squeeze(-1);
  }
}
