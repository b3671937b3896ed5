/** The vision encoder of Qwen2-VL: LayerNorm, rotary rows and columns, and an MLP with the sigmoid form of GELU. */
import { Module, nn, type Tensor, tidy } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import { Projection, type WeightInit } from '../../layers/projection.js';
import { finished, type Steps } from '../../layers/steps.js';
import type { VisionConfig } from '../shared/config.js';
import {
  type LayoutTensors,
  type Observer,
  PatchEmbedding,
  VisionBlock,
  type VisionEncoder,
  type VisionLayout,
  type VisionOutput,
  visionLayout,
  visionNorm,
} from '../shared/vision.js';

class Mlp extends Module {
  readonly fc1: Projection;
  readonly fc2: Projection;

  constructor({ hiddenSize, intermediateSize }: VisionConfig, init: WeightInit) {
    super();
    this.fc1 = new Projection(hiddenSize, intermediateSize, { ...init, bias: true });
    this.fc2 = new Projection(intermediateSize, hiddenSize, { ...init, bias: true });
  }

  /** x · sigmoid(1.702 x) between the layers. */
  forward(x: Tensor): Tensor {
    return this.fc2.forward(nn.functional.quickGelu(this.fc1.forward(x)));
  }
}

/** Neighboring patches, which stand next to each other, become one token of the decoder's width. */
class Merger extends Module {
  readonly ln_q: nn.LayerNorm;
  /** Published as `mlp.0` and `mlp.2`; the activation between them is the exact GELU. */
  readonly mlp: readonly [Projection, null, Projection];
  readonly #inner: number;

  constructor({ hiddenSize, spatialMergeSize }: VisionConfig, outSize: number, init: WeightInit) {
    super();
    this.#inner = hiddenSize * spatialMergeSize ** 2;
    this.ln_q = visionNorm(hiddenSize, init);
    this.mlp = [
      new Projection(this.#inner, this.#inner, { ...init, bias: true }),
      null,
      new Projection(this.#inner, outSize, { ...init, bias: true }),
    ];
  }

  forward(x: Tensor): Tensor {
    const blocks = this.ln_q.forward(x).reshape([-1, this.#inner]);
    return this.mlp[2].forward(this.mlp[0].forward(blocks).gelu());
  }
}

export class Qwen2VisionEncoder extends Module implements VisionEncoder {
  readonly patch_embed: PatchEmbedding;
  readonly blocks: readonly VisionBlock<Mlp>[];
  readonly merger: Merger;
  readonly #config: VisionConfig;
  readonly #tensors: LayoutTensors;

  constructor(config: VisionConfig, outSize: number, init: WeightInit, tensors: LayoutTensors) {
    super();
    this.#config = config;
    this.#tensors = tensors;
    this.patch_embed = new PatchEmbedding(config, false, init);
    this.blocks = Array.from(
      { length: config.depth },
      () => new VisionBlock(config, () => new Mlp(config, init), init),
    );
    this.merger = new Merger(config, outSize, init);
  }

  layout(grids: readonly Grid[], processor: ImageProcessor): VisionLayout {
    return visionLayout(grids, processor, this.#config, this.#tensors);
  }

  forward(patches: Tensor, layout: VisionLayout): VisionOutput {
    return finished(this.steps(patches, layout));
  }

  *steps(patches: Tensor, layout: VisionLayout, observe?: Observer): Steps<VisionOutput> {
    let x = this.patch_embed.forward(patches);
    observe?.('vision/patch_embed', x);
    observe?.('vision/block_input', x);
    for (const [i, block] of this.blocks.entries()) {
      const before = x;
      yield;
      x = tidy(() => block.forward(before, layout));
      // those of many pictures are large, and only an observer or a feature looks at those between the blocks
      if (i > 0 && !observe) before.dispose();
      observe?.(`vision/block/${i}`, x);
    }
    const tokens = this.merger.forward(x);
    observe?.('vision/merged', tokens);
    return { tokens, deepstack: [] };
  }
}
