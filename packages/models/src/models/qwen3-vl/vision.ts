/**
 * The vision encoder of Qwen3-VL: learned positions next to the rotary ones, the tanh form of GELU, and features of
 * several depths for the decoder (deepstack, arXiv 2406.04334).
 */
import { Module, nn, type Parameter, type Tensor, tidy } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import { freshParameter } from '../../layers/fresh-parameter.js';
import { Projection, type WeightInit } from '../../layers/projection.js';
import { finished, type Steps } from '../../layers/steps.js';
import {
  blockSteps,
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
import type { Qwen3VisionConfig } from './config.js';
import { resampling } from './resampling.js';

interface ResampledLayout extends VisionLayout {
  /** int64 [patches, 4] entries of the table of positions. */
  readonly entries: Tensor;
  /** [patches, 4, 1] their weights. */
  readonly shares: Tensor;
}

class Mlp extends Module {
  readonly linear_fc1: Projection;
  readonly linear_fc2: Projection;

  constructor({ hiddenSize, intermediateSize }: Qwen3VisionConfig, init: WeightInit) {
    super();
    this.linear_fc1 = new Projection(hiddenSize, intermediateSize, { ...init, bias: true });
    this.linear_fc2 = new Projection(intermediateSize, hiddenSize, { ...init, bias: true });
  }

  forward(x: Tensor): Tensor {
    return this.linear_fc2.forward(this.linear_fc1.forward(x).gelu('tanh'));
  }
}

/** Patches to tokens; that of the encoder's output normalizes patches, those of deepstack whole tokens. */
class Merger extends Module {
  readonly norm: nn.LayerNorm;
  readonly linear_fc1: Projection;
  readonly linear_fc2: Projection;
  readonly #inner: number;
  readonly #normsTokens: boolean;

  constructor(config: Qwen3VisionConfig, outSize: number, normsTokens: boolean, init: WeightInit) {
    super();
    this.#inner = config.hiddenSize * config.spatialMergeSize ** 2;
    this.#normsTokens = normsTokens;
    this.norm = visionNorm(normsTokens ? this.#inner : config.hiddenSize, init);
    this.linear_fc1 = new Projection(this.#inner, this.#inner, { ...init, bias: true });
    this.linear_fc2 = new Projection(this.#inner, outSize, { ...init, bias: true });
  }

  forward(x: Tensor): Tensor {
    const tokens = [-1, this.#inner];
    const normed = this.#normsTokens ? this.norm.forward(x.reshape(tokens)) : this.norm.forward(x).reshape(tokens);
    return this.linear_fc2.forward(this.linear_fc1.forward(normed).gelu());
  }
}

class PositionTable extends Module {
  /** [entries, width] */
  readonly weight: Parameter;

  constructor({ numPositionEmbeddings, hiddenSize }: Qwen3VisionConfig, init: WeightInit) {
    super();
    this.weight = freshParameter([numPositionEmbeddings, hiddenSize], init);
  }

  forward({ entries, shares }: ResampledLayout): Tensor {
    return nn.functional.embedding(entries, this.weight).mul(shares).sum(1);
  }
}

export class Qwen3VisionEncoder extends Module implements VisionEncoder<ResampledLayout> {
  readonly patch_embed: PatchEmbedding;
  readonly pos_embed: PositionTable;
  readonly blocks: readonly VisionBlock<Mlp>[];
  readonly merger: Merger;
  readonly deepstack_merger_list: readonly Merger[];
  readonly #config: Qwen3VisionConfig;
  readonly #tensors: LayoutTensors;

  constructor(config: Qwen3VisionConfig, outSize: number, init: WeightInit, tensors: LayoutTensors) {
    super();
    this.#config = config;
    this.#tensors = tensors;
    this.patch_embed = new PatchEmbedding(config, true, init);
    this.pos_embed = new PositionTable(config, init);
    this.blocks = Array.from(
      { length: config.depth },
      () => new VisionBlock(config, () => new Mlp(config, init), init),
    );
    this.merger = new Merger(config, outSize, false, init);
    this.deepstack_merger_list = config.deepstackBlocks.map(() => new Merger(config, outSize, true, init));
  }

  layout(grids: readonly Grid[], processor: ImageProcessor): ResampledLayout {
    const side = Math.sqrt(this.#config.numPositionEmbeddings);
    const parts = grids.map((grid) => resampling(processor.positions(grid), grid, side));
    const indices = parts.flatMap(({ indices: entries }) => Array.from(entries));
    const weights = parts.flatMap(({ weights: shares }) => Array.from(shares));
    const shares = this.#tensors.floats(Float64Array.from(weights), [weights.length / 4, 4, 1]);
    return {
      ...visionLayout(grids, processor, this.#config, this.#tensors),
      entries: this.#tensors.ints(Int32Array.from(indices), [indices.length / 4, 4]),
      shares: shares.to(this.#tensors.kind.dtype),
    };
  }

  forward(patches: Tensor, layout: ResampledLayout): VisionOutput {
    return finished(this.steps(patches, layout));
  }

  *steps(patches: Tensor, layout: ResampledLayout, observe?: Observer): Steps<VisionOutput> {
    const embedded = this.patch_embed.forward(patches);
    observe?.('vision/patch_embed', embedded);
    // in the order of the blocks, whatever that of their mergers; a block that is named twice has one feature
    const deepstack: Tensor[] = [];
    const after = (x: Tensor, block: number) => {
      const merger = this.deepstack_merger_list[this.#config.deepstackBlocks.indexOf(block)];
      if (merger) deepstack.push(tidy(() => merger.forward(x)));
    };
    const input = embedded.add(this.pos_embed.forward(layout));
    const x = yield* blockSteps(input, { blocks: this.blocks, layout, observe, after });
    for (const [j, feature] of deepstack.entries()) observe?.(`vision/deepstack/${j}`, feature);
    const tokens = this.merger.forward(x);
    observe?.('vision/merged', tokens);
    return { tokens, deepstack };
  }
}
