/**
 * A vision transformer over tiles of one size: SigLIP (arXiv 2303.15343), and CLIP (arXiv 2103.00020) with a token for the
 * whole tile before the patches and a norm before the blocks. Property names are the published ones.
 */
import { cat, Module, nn, type Parameter, type Tensor, tidy } from '@vlgym/gpu';
import { freshParameter, type WeightInit } from '../../layers/fresh-parameter.js';
import { Projection } from '../../layers/projection.js';
import { finished, type Steps } from '../../layers/steps.js';
import { blockSteps, type Observer } from '../shared/vision.js';
import type { TowerConfig } from './config.js';

/** How the vision encoders of the families differ. */
export interface TowerKind {
  /** Positions of the table. */
  readonly positions: number;
  /** CLIP: a token before the patches, no bias of the patches, a norm before the blocks. */
  readonly isClip?: boolean;
  /** SigLIP with `vision_use_head`: weights that are published and not used here. */
  readonly head?: boolean;
}

/** The convolution that makes a vector of each patch, as a product: patches do not overlap. */
class PatchConvolution extends Module {
  /** [width, channels, patch, patch] */
  readonly weight: Parameter;
  readonly bias: Parameter | null;

  constructor({ hiddenSize, patchSize }: TowerConfig, hasBias: boolean, init: WeightInit) {
    super();
    this.weight = freshParameter([hiddenSize, 3, patchSize, patchSize], init);
    this.bias = hasBias ? freshParameter([hiddenSize], { ...init, std: 0 }) : null;
  }

  forward(patches: Tensor): Tensor {
    return nn.functional.linear(patches, this.weight.flatten(1), this.bias);
  }
}

class PositionTable extends Module {
  /** [positions, width] */
  readonly weight: Parameter;

  constructor(count: number, width: number, init: WeightInit) {
    super();
    this.weight = freshParameter([count, width], init);
  }

  forward(ids: Tensor | null): Tensor {
    return ids ? nn.functional.embedding(ids, this.weight) : this.weight;
  }
}

class Embeddings extends Module {
  readonly class_embedding: Parameter | null;
  readonly patch_embedding: PatchConvolution;
  readonly position_embedding: PositionTable;

  constructor(config: TowerConfig, { positions, isClip = false }: TowerKind, init: WeightInit) {
    super();
    this.class_embedding = isClip ? freshParameter([config.hiddenSize], init) : null;
    this.patch_embedding = new PatchConvolution(config, !isClip, init);
    this.position_embedding = new PositionTable(positions, config.hiddenSize, init);
  }

  forward(patches: Tensor, positions: Tensor | null): Tensor {
    const vectors = this.patch_embedding.forward(patches);
    const tiles = vectors.size(0);
    const first = this.class_embedding?.view([1, 1, -1]).expand([tiles, 1, vectors.size(2)]);
    return (first ? cat([first, vectors], 1) : vectors).add(this.position_embedding.forward(positions));
  }
}

class Attention extends Module {
  readonly qkv_proj: Projection;
  readonly out_proj: Projection;
  readonly #heads: number;

  constructor({ hiddenSize, numHeads }: TowerConfig, init: WeightInit) {
    super();
    const parts = { q_proj: hiddenSize, k_proj: hiddenSize, v_proj: hiddenSize };
    this.qkv_proj = new Projection(hiddenSize, parts, { ...init, bias: true });
    this.out_proj = new Projection(hiddenSize, hiddenSize, { ...init, bias: true });
    this.#heads = numHeads;
  }

  forward(x: Tensor): Tensor {
    const [tiles, tokens, width] = x.shape as [number, number, number];
    const heads = this.#heads;
    const all = this.qkv_proj
      .forward(x)
      .view([tiles, tokens, 3 * heads, width / heads])
      .transpose(1, 2);
    const part = (first: number) => all.narrow(1, first, heads);
    const attended = nn.functional.scaledDotProductAttention(part(0), part(heads), part(2 * heads));
    return this.out_proj.forward(attended.transpose(1, 2).reshape([tiles, tokens, width]));
  }
}

const activations = {
  gelu: (x: Tensor) => x.gelu(),
  'gelu-tanh': (x: Tensor) => x.gelu('tanh'),
  'quick-gelu': (x: Tensor) => nn.functional.quickGelu(x),
};

class Mlp extends Module {
  readonly fc1: Projection;
  readonly fc2: Projection;
  readonly #activation: TowerConfig['activation'];

  constructor({ hiddenSize, intermediateSize, activation }: TowerConfig, init: WeightInit) {
    super();
    this.fc1 = new Projection(hiddenSize, intermediateSize, { ...init, bias: true });
    this.fc2 = new Projection(intermediateSize, hiddenSize, { ...init, bias: true });
    this.#activation = activation;
  }

  forward(x: Tensor): Tensor {
    return this.fc2.forward(activations[this.#activation](this.fc1.forward(x)));
  }
}

function layerNorm({ hiddenSize, layerNormEps: eps }: TowerConfig, { dtype, device }: WeightInit): nn.LayerNorm {
  return new nn.LayerNorm(hiddenSize, { eps, dtype, device });
}

class Block extends Module {
  readonly layer_norm1: nn.LayerNorm;
  readonly self_attn: Attention;
  readonly layer_norm2: nn.LayerNorm;
  readonly mlp: Mlp;

  constructor(config: TowerConfig, init: WeightInit) {
    super();
    this.layer_norm1 = layerNorm(config, init);
    this.self_attn = new Attention(config, init);
    this.layer_norm2 = layerNorm(config, init);
    this.mlp = new Mlp(config, init);
  }

  forward(x: Tensor): Tensor {
    const attended = tidy(() => x.add(this.self_attn.forward(this.layer_norm1.forward(x))));
    return attended.add(this.mlp.forward(this.layer_norm2.forward(attended)));
  }
}

class Blocks extends Module {
  readonly layers: readonly Block[];

  constructor(config: TowerConfig, init: WeightInit) {
    super();
    this.layers = Array.from({ length: config.depth }, () => new Block(config, init));
  }

  forward(): never {
    throw new TypeError('call the layers');
  }
}

/** The attention of SigLIP's pooling head. */
class HeadAttention extends Module {
  readonly in_proj_weight: Parameter;
  readonly in_proj_bias: Parameter;
  readonly out_proj: Projection;

  constructor({ hiddenSize }: TowerConfig, init: WeightInit) {
    super();
    this.in_proj_weight = freshParameter([3 * hiddenSize, hiddenSize], init);
    this.in_proj_bias = freshParameter([3 * hiddenSize], { ...init, std: 0 });
    this.out_proj = new Projection(hiddenSize, hiddenSize, { ...init, bias: true });
  }

  forward(): never {
    throw new TypeError('the head is not computed');
  }
}

/** SigLIP's pooling head: in the files, so that they stay whole; no family here reads what it gives. */
class PoolingHead extends Module {
  readonly probe: Parameter;
  readonly attention: HeadAttention;
  readonly layernorm: nn.LayerNorm;
  readonly mlp: Mlp;

  constructor(config: TowerConfig, init: WeightInit) {
    super();
    this.probe = freshParameter([1, 1, config.hiddenSize], init);
    this.attention = new HeadAttention(config, init);
    this.layernorm = layerNorm(config, init);
    this.mlp = new Mlp(config, init);
  }

  forward(): never {
    throw new TypeError('the head is not computed');
  }
}

export class VisionTower extends Module {
  readonly embeddings: Embeddings;
  /** Published with this spelling. */
  readonly pre_layrnorm: nn.LayerNorm | null;
  readonly encoder: Blocks;
  readonly post_layernorm: nn.LayerNorm;
  readonly head: PoolingHead | null;

  constructor(config: TowerConfig, kind: TowerKind, init: WeightInit) {
    super();
    this.embeddings = new Embeddings(config, kind, init);
    this.pre_layrnorm = kind.isClip ? layerNorm(config, init) : null;
    this.encoder = new Blocks(config, init);
    this.post_layernorm = layerNorm(config, init);
    this.head = kind.head ? new PoolingHead(config, init) : null;
  }

  forward(patches: Tensor): Tensor {
    return finished(this.steps(patches, null));
  }

  /**
   * patches [tiles, patches, numbers] → [tiles, patches, width] after the last norm. A step per block.
   *
   * @param positions  int64 [patches] entries of the table; null: one after the other.
   */
  *steps(patches: Tensor, positions: Tensor | null, observe?: Observer): Steps<Tensor> {
    const [last] = yield* this.#through(patches, { positions, layers: [this.encoder.layers.length], observe });
    const normed = this.post_layernorm.forward(last!);
    observe?.('vision/normed', normed);
    return normed;
  }

  /** The states [tiles, tokens, width] before block `layer` for each of `layers`, or behind the last one. */
  *statesAt(patches: Tensor, layers: readonly number[], observe?: Observer): Steps<Tensor[]> {
    return yield* this.#through(patches, { positions: null, layers, observe });
  }

  *#through(
    patches: Tensor,
    {
      positions,
      layers,
      observe,
    }: { positions: Tensor | null; layers: readonly number[]; observe?: Observer | undefined },
  ): Steps<Tensor[]> {
    const embedded = this.embeddings.forward(patches, positions);
    const input = this.pre_layrnorm?.forward(embedded) ?? embedded;
    const found = new Map([[0, input]]);
    const blocks = this.encoder.layers.slice(0, Math.max(...layers));
    // a state that is asked for outlives its block
    const after = (x: Tensor, block: number) => {
      if (layers.includes(block + 1)) found.set(block + 1, block + 1 < blocks.length ? x.clone() : x);
    };
    yield* blockSteps(input, { blocks, layout: null, observe, after });
    return layers.map((layer) => found.get(layer)!);
  }
}

/** The states of patches before block `layer` for each of `layers`, or behind the last one, side by side [tiles, patches, features]. */
export function* ofPatches(
  tower: VisionTower,
  patches: Tensor,
  layers: readonly number[],
  observe?: Observer,
): Steps<Tensor> {
  const states = cat(yield* tower.statesAt(patches, layers, observe), -1);
  const others = states.size(1) - patches.size(1); // CLIP has a token before them
  return states.narrow(1, others, patches.size(1));
}
