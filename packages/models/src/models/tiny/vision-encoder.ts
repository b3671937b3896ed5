/** The vision encoder of Qwen2-VL, with the learned positions of Qwen3-VL as an option. */
import { Module, type nn, type Parameter, type Tensor } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import { freshParameter, type WeightInit } from '../../layers/fresh-parameter.js';
import { frequencies } from '../../layers/rotary.js';
import { finished, type Steps } from '../../layers/steps.js';
import { resampling } from '../qwen3-vl/resampling.js';
import {
  blockSteps,
  type LayoutTensors,
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
import type { TinyConfig } from './config.js';

type VisionConfig = TinyConfig['vision'];

export interface TinyLayout extends VisionLayout {
  /**
   * [patches, numPositionEmbeddings] weights that resample the learned positions: of all pictures, or of the first where all
   * have the same size. Null without learned positions.
   */
  readonly resampling: Tensor | null;
}

/** A square table of positions. */
class PositionTable extends Module {
  /** [entries, width] */
  readonly weight: Parameter;

  constructor({ numPositionEmbeddings, hiddenSize }: VisionConfig, init: WeightInit) {
    super();
    this.weight = freshParameter([numPositionEmbeddings, hiddenSize], init);
  }

  /** Adds its positions to the patches [patches of all pictures, width]. */
  forward(patches: Tensor, resampling: Tensor): Tensor {
    const positions = resampling.matmul(this.weight);
    return patches
      .unflatten(0, [-1, positions.size(0)])
      .add(positions)
      .flatten(0, 1);
  }
}

export class TinyVisionEncoder extends Module implements VisionEncoder<TinyLayout> {
  readonly patch_embed: PatchEmbedding;
  readonly pos_embed: PositionTable | null;
  readonly blocks: readonly VisionBlock<QuickGeluMlp>[];
  readonly merger: PatchMerger<nn.LayerNorm>;
  readonly #config: VisionConfig;
  readonly #tensors: LayoutTensors;

  constructor(config: VisionConfig, outSize: number, init: WeightInit, tensors: LayoutTensors) {
    super();
    this.#config = config;
    this.#tensors = tensors;
    this.patch_embed = new PatchEmbedding(config, false, init);
    this.pos_embed = config.numPositionEmbeddings > 0 ? new PositionTable(config, init) : null;
    this.blocks = Array.from(
      { length: config.depth },
      () => new VisionBlock(config, () => new QuickGeluMlp(config, init), init),
    );
    this.merger = new PatchMerger(config, visionNorm(config.hiddenSize, init), outSize, init);
  }

  layout(grids: readonly Grid[], processor: ImageProcessor): TinyLayout {
    // `frequencies`, because trained weights keep the angles that they were trained with
    const shared = visionLayout(grids, processor, this.#config, this.#tensors, frequencies);
    return { ...shared, resampling: this.pos_embed && this.#resampling(grids, processor) };
  }

  forward(patches: Tensor, layout: TinyLayout): VisionOutput {
    return finished(this.steps(patches, layout));
  }

  *steps(patches: Tensor, layout: TinyLayout): Steps<VisionOutput> {
    const embedded = this.patch_embed.forward(patches);
    const input = layout.resampling ? this.pos_embed!.forward(embedded, layout.resampling) : embedded;
    const x = yield* blockSteps(input, { blocks: this.blocks, layout });
    return { tokens: this.merger.forward(x), deepstack: [] };
  }

  #resampling(grids: readonly Grid[], processor: ImageProcessor): Tensor {
    const { dtype } = this.#tensors.kind;
    const entries = this.#config.numPositionEmbeddings;
    const [first, ...others] = grids as [Grid, ...Grid[]];
    const isUniform = others.every(({ rows, columns }) => rows === first.rows && columns === first.columns);
    const parts = (isUniform ? [first] : grids).map((grid) =>
      resampling(processor.positions(grid), grid, Math.sqrt(entries), Number),
    );
    const indices = parts.flatMap((part) => Array.from(part.indices));
    const weights = parts.flatMap((part) => Array.from(part.weights));
    const dense = new Float64Array((indices.length / 4) * entries);
    for (const [i, entry] of indices.entries()) dense[Math.floor(i / 4) * entries + entry]! += weights[i]!;
    return this.#tensors.floats(dense, [indices.length / 4, entries]).to(dtype);
  }
}
