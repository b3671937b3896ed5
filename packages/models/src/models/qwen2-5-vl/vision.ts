/** The vision encoder of Qwen2.5-VL: RMSNorm, SwiGLU with biases, and attention inside windows in most blocks. */
import { Module, type Tensor, tidy } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import { Projection, type WeightInit } from '../../layers/projection.js';
import { HalfSafeRmsNorm } from '../../layers/rms-norm.js';
import { finished, type Steps } from '../../layers/steps.js';
import { Segments } from '../shared/segments.js';
import {
  blockSteps,
  type LayoutTensors,
  type Observer,
  PatchEmbedding,
  PatchMerger,
  VisionAttention,
  type VisionEncoder,
  type VisionLayout,
  type VisionOutput,
  visionLayout,
} from '../shared/vision.js';
import type { Qwen25VisionConfig } from './config.js';
import { windowsOf } from './windows.js';

/** Independent of the language side's `rms_norm_eps`. */
const NORM_EPS = 1e-6;

interface WindowedLayout extends VisionLayout {
  /** int64 [tokens] reading order → window order. */
  readonly order: Tensor;
  /** int64 [tokens] window order → reading order. */
  readonly restore: Tensor;
  readonly windows: Segments;
}

class Mlp extends Module {
  readonly gate_up_proj: Projection;
  readonly down_proj: Projection;

  constructor({ hiddenSize, intermediateSize }: Qwen25VisionConfig, init: WeightInit) {
    super();
    const parts = { gate_proj: intermediateSize, up_proj: intermediateSize };
    this.gate_up_proj = new Projection(hiddenSize, parts, { ...init, bias: true });
    this.down_proj = new Projection(intermediateSize, hiddenSize, { ...init, bias: true });
  }

  forward(x: Tensor): Tensor {
    const gated = tidy(() => {
      const [gate, up] = this.gate_up_proj.forward(x).chunk(2, -1) as [Tensor, Tensor];
      return gate.silu().mul(up);
    });
    return this.down_proj.forward(gated);
  }
}

class Block extends Module {
  readonly norm1: HalfSafeRmsNorm;
  readonly norm2: HalfSafeRmsNorm;
  readonly attn: VisionAttention;
  readonly mlp: Mlp;
  readonly #isFull: boolean;

  constructor(config: Qwen25VisionConfig, index: number, init: WeightInit) {
    super();
    this.norm1 = new HalfSafeRmsNorm(config.hiddenSize, NORM_EPS, init);
    this.norm2 = new HalfSafeRmsNorm(config.hiddenSize, NORM_EPS, init);
    this.attn = new VisionAttention(config, init);
    this.mlp = new Mlp(config, init);
    this.#isFull = config.fullAttentionBlocks.includes(index);
  }

  forward(x: Tensor, { rotary, pictures, windows }: WindowedLayout): Tensor {
    const segments = this.#isFull ? pictures : windows;
    const attended = tidy(() => x.add(this.attn.forward(this.norm1.forward(x), rotary, segments)));
    return attended.add(this.mlp.forward(this.norm2.forward(attended)));
  }
}

export class Qwen25VisionEncoder extends Module implements VisionEncoder<WindowedLayout> {
  readonly patch_embed: PatchEmbedding;
  readonly blocks: readonly Block[];
  readonly merger: PatchMerger<HalfSafeRmsNorm>;
  readonly #config: Qwen25VisionConfig;
  readonly #tensors: LayoutTensors;

  constructor(config: Qwen25VisionConfig, outSize: number, init: WeightInit, tensors: LayoutTensors) {
    super();
    this.#config = config;
    this.#tensors = tensors;
    this.patch_embed = new PatchEmbedding(config, false, init);
    this.blocks = Array.from({ length: config.depth }, (_, index) => new Block(config, index, init));
    const norm = new HalfSafeRmsNorm(config.hiddenSize, NORM_EPS, init);
    this.merger = new PatchMerger(config, norm, outSize, init);
  }

  layout(grids: readonly Grid[], processor: ImageProcessor): WindowedLayout {
    const { windowSize, patchSize, spatialMergeSize } = this.#config;
    const { order, borders } = windowsOf(
      grids,
      spatialMergeSize,
      Math.floor(windowSize / spatialMergeSize / patchSize),
    );
    const restore = new Int32Array(order.length);
    for (const [place, token] of order.entries()) restore[token] = place;
    const { rotary, pictures } = visionLayout(grids, processor, this.#config, this.#tensors);
    const permutation = this.#tensors.ints(order);
    // angles follow their patches
    const permute = (angles: Tensor) => this.#permuted(angles.squeeze(0), permutation).unsqueeze(0);
    return {
      rotary: { cos: permute(rotary.cos), sin: permute(rotary.sin) },
      pictures,
      order: permutation,
      restore: this.#tensors.ints(restore),
      windows: new Segments(borders, this.#tensors.ints),
    };
  }

  forward(patches: Tensor, layout: WindowedLayout): VisionOutput {
    return finished(this.steps(patches, layout));
  }

  *steps(patches: Tensor, layout: WindowedLayout, observe?: Observer): Steps<VisionOutput> {
    const embedded = this.patch_embed.forward(patches);
    observe?.('vision/patch_embed', embedded);
    const input = this.#permuted(embedded, layout.order);
    const x = yield* blockSteps(input, { blocks: this.blocks, layout, observe });
    const tokens = this.merger.forward(x).indexSelect(0, layout.restore);
    observe?.('vision/merged', tokens);
    return { tokens, deepstack: [] };
  }

  /** Rows [patches, …] in groups of the patches of one token, the groups in a new order. */
  #permuted(rows: Tensor, order: Tensor): Tensor {
    const group = this.#config.spatialMergeSize ** 2;
    return rows.unflatten(0, [-1, group]).indexSelect(0, order).flatten(0, 1);
  }
}
