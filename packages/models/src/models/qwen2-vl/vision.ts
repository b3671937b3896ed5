/** The vision encoder of Qwen2-VL: LayerNorm, rotary rows and columns, and an MLP with the sigmoid form of GELU. */
import { Module, type nn, type Tensor } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import type { WeightInit } from '../../layers/projection.js';
import { finished, type Steps } from '../../layers/steps.js';
import type { VisionConfig } from '../shared/config.js';
import {
  blockSteps,
  type LayoutTensors,
  type Observer,
  PatchEmbedding,
  PatchMerger,
  QuickGeluMlp,
  VisionBlock,
  type VisionEncoder,
  type VisionLayout,
  type VisionOutput,
  visionLayout,
  visionNorm,
} from '../shared/vision.js';

export class Qwen2VisionEncoder extends Module implements VisionEncoder {
  readonly patch_embed: PatchEmbedding;
  readonly blocks: readonly VisionBlock<QuickGeluMlp>[];
  readonly merger: PatchMerger<nn.LayerNorm>;
  readonly #config: VisionConfig;
  readonly #tensors: LayoutTensors;

  constructor(config: VisionConfig, outSize: number, init: WeightInit, tensors: LayoutTensors) {
    super();
    this.#config = config;
    this.#tensors = tensors;
    this.patch_embed = new PatchEmbedding(config, false, init);
    this.blocks = Array.from(
      { length: config.depth },
      () => new VisionBlock(config, () => new QuickGeluMlp(config, init), init),
    );
    this.merger = new PatchMerger(config, visionNorm(config.hiddenSize, init), outSize, init);
  }

  layout(grids: readonly Grid[], processor: ImageProcessor): VisionLayout {
    return visionLayout(grids, processor, this.#config, this.#tensors);
  }

  forward(patches: Tensor, layout: VisionLayout): VisionOutput {
    return finished(this.steps(patches, layout));
  }

  *steps(patches: Tensor, layout: VisionLayout, observe?: Observer): Steps<VisionOutput> {
    const embedded = this.patch_embed.forward(patches);
    observe?.('vision/patch_embed', embedded);
    const x = yield* blockSteps(embedded, { blocks: this.blocks, layout, observe });
    const tokens = this.merger.forward(x);
    observe?.('vision/merged', tokens);
    return { tokens, deepstack: [] };
  }
}
