/**
 * Patches to tokens: the vision transformer of Qwen2-VL (arXiv 2409.12191) with bidirectional attention inside each
 * picture, rotary positions over rows and columns, and a merger that makes one token of 2 × 2 patches.
 *
 * Property names are the published ones (`visual.blocks.0.attn.qkv.weight`, …). All pictures of a batch go through in one
 * forward; smaller ones are padded and masked.
 */
import { empty, Module, nn, Parameter, type Tensor, tidy } from '@vlgym/gpu';
import { Projection, type WeightInit } from '../../layers/projection.js';
import { type Rotary, rotate } from '../../layers/rotary.js';
import { finished, type Steps } from '../../layers/steps.js';
import type { TinyConfig } from './config.js';

type VisionConfig = TinyConfig['vision'];

/** Pictures ready for the encoder: N pictures of at most S patches. */
export interface VisionBatch {
  /** [N, S, numbers per patch] normalized pixels; 0 on padding. */
  readonly patches: Tensor;
  /** Rows and columns as angles, [N or 1, S, …]. */
  readonly rotary: Rotary;
  /** [N or 1, S, numPositionEmbeddings] weights that resample the learned positions; null without them. */
  readonly resampling: Tensor | null;
  /** [N, 1, 1, S] float, 0 on patches and -inf on padding; null when all pictures have the same size. */
  readonly mask: Tensor | null;
}

/** The convolution that makes a vector of each patch, as a product: patches do not overlap. */
class PatchProjection extends Module {
  /** [width, channels, frames, patch, patch] as published. */
  readonly weight: Parameter;

  constructor(
    width: number,
    { patchSize, temporalPatchSize }: VisionConfig,
    { std, generator, dtype, device }: WeightInit,
  ) {
    super();
    const shape = [width, 3, temporalPatchSize, patchSize, patchSize];
    this.weight = tidy(() => new Parameter(nn.init.normal_(empty(shape, { dtype, device }), 0, std, { generator })));
  }

  forward(patches: Tensor): Tensor {
    return nn.functional.linear(patches, this.weight.flatten(1));
  }
}

class PatchEmbedding extends Module {
  readonly proj: PatchProjection;

  constructor(config: VisionConfig, init: WeightInit) {
    super();
    this.proj = new PatchProjection(config.hiddenSize, config, init);
  }

  forward(patches: Tensor): Tensor {
    return this.proj.forward(patches);
  }
}

class VisionAttention extends Module {
  readonly qkv: Projection;
  readonly proj: Projection;
  readonly #heads: number;

  constructor({ hiddenSize, numHeads }: VisionConfig, init: WeightInit) {
    super();
    this.qkv = new Projection(hiddenSize, 3 * hiddenSize, { ...init, bias: true });
    this.proj = new Projection(hiddenSize, hiddenSize, { ...init, bias: true });
    this.#heads = numHeads;
  }

  forward(x: Tensor, { rotary, mask }: VisionBatch): Tensor {
    const [pictures, patches, width] = x.shape as [number, number, number];
    const heads = this.#heads;
    const all = this.qkv.forward(x).view([pictures, patches, 3 * heads, width / heads]);
    const rotated = rotate(all.narrow(2, 0, 2 * heads), rotary);
    const [query, key, value] = [
      rotated.narrow(2, 0, heads),
      rotated.narrow(2, heads, heads),
      all.narrow(2, 2 * heads, heads),
    ].map((part) => part.transpose(1, 2)) as [Tensor, Tensor, Tensor];
    const attended = nn.functional.scaledDotProductAttention(query, key, value, { attnMask: mask });
    return this.proj.forward(attended.transpose(1, 2).reshape([pictures, patches, width]));
  }
}

class VisionMlp extends Module {
  readonly fc1: Projection;
  readonly fc2: Projection;

  constructor({ hiddenSize, intermediateSize }: VisionConfig, init: WeightInit) {
    super();
    this.fc1 = new Projection(hiddenSize, intermediateSize, { ...init, bias: true });
    this.fc2 = new Projection(intermediateSize, hiddenSize, { ...init, bias: true });
  }

  /** The activation is the sigmoid form of GELU, x · sigmoid(1.702 x), as in Qwen2-VL. */
  forward(x: Tensor): Tensor {
    return this.fc2.forward(nn.functional.quickGelu(this.fc1.forward(x)));
  }
}

class VisionBlock extends Module {
  readonly norm1: nn.LayerNorm;
  readonly norm2: nn.LayerNorm;
  readonly attn: VisionAttention;
  readonly mlp: VisionMlp;

  constructor(config: VisionConfig, init: WeightInit) {
    super();
    const norm = { eps: 1e-6, dtype: init.dtype, device: init.device };
    this.norm1 = new nn.LayerNorm(config.hiddenSize, norm);
    this.norm2 = new nn.LayerNorm(config.hiddenSize, norm);
    this.attn = new VisionAttention(config, init);
    this.mlp = new VisionMlp(config, init);
  }

  forward(x: Tensor, batch: VisionBatch): Tensor {
    const attended = x.add(this.attn.forward(this.norm1.forward(x), batch));
    return attended.add(this.mlp.forward(this.norm2.forward(attended)));
  }
}

/** Neighboring patches, which stand next to each other in the batch, become one token of the decoder's width. */
class PatchMerger extends Module {
  readonly ln_q: nn.LayerNorm;
  /** Published as `mlp.0` and `mlp.2`; the activation between them is the exact GELU. */
  readonly mlp: readonly [Projection, null, Projection];
  readonly #patches: number;

  constructor({ hiddenSize, spatialMergeSize }: VisionConfig, outSize: number, init: WeightInit) {
    super();
    this.#patches = spatialMergeSize ** 2;
    const inner = hiddenSize * this.#patches;
    this.ln_q = new nn.LayerNorm(hiddenSize, { eps: 1e-6, dtype: init.dtype, device: init.device });
    this.mlp = [
      new Projection(inner, inner, { ...init, bias: true }),
      null,
      new Projection(inner, outSize, { ...init, bias: true }),
    ];
  }

  forward(x: Tensor): Tensor {
    const [pictures, patches, width] = x.shape as [number, number, number];
    const blocks = this.ln_q.forward(x).reshape([pictures, patches / this.#patches, this.#patches * width]);
    return this.mlp[2].forward(this.mlp[0].forward(blocks).gelu());
  }
}

/** Learned positions of Qwen3-VL: a square table, resampled to the grid of each picture. */
class PositionTable extends Module {
  /** [entries, width] */
  readonly weight: Parameter;

  constructor({ numPositionEmbeddings, hiddenSize }: VisionConfig, { std, generator, dtype, device }: WeightInit) {
    super();
    const shape = [numPositionEmbeddings, hiddenSize];
    this.weight = tidy(() => new Parameter(nn.init.normal_(empty(shape, { dtype, device }), 0, std, { generator })));
  }

  forward(resampling: Tensor): Tensor {
    return resampling.matmul(this.weight);
  }
}

export class VisionEncoder extends Module {
  readonly patch_embed: PatchEmbedding;
  readonly pos_embed: PositionTable | null;
  readonly blocks: readonly VisionBlock[];
  readonly merger: PatchMerger;

  constructor({ vision, hiddenSize }: Pick<TinyConfig, 'vision' | 'hiddenSize'>, init: WeightInit) {
    super();
    this.patch_embed = new PatchEmbedding(vision, init);
    this.pos_embed = vision.numPositionEmbeddings > 0 ? new PositionTable(vision, init) : null;
    this.blocks = Array.from({ length: vision.depth }, () => new VisionBlock(vision, init));
    this.merger = new PatchMerger(vision, hiddenSize, init);
  }

  /** [N, S / merge², decoder width]; values on padding have no meaning. */
  forward(batch: VisionBatch): Tensor {
    return finished(this.steps(batch));
  }

  /** A step per block. */
  *steps(batch: VisionBatch): Steps<Tensor> {
    let x = this.patch_embed.forward(batch.patches);
    if (this.pos_embed && batch.resampling) x = x.add(this.pos_embed.forward(batch.resampling));
    for (const block of this.blocks) {
      yield;
      x = block.forward(x, batch);
    }
    return this.merger.forward(x);
  }
}
