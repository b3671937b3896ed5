/**
 * Parts of the vision encoders: patches become vectors, which attend to each other inside their picture.
 *
 * All pictures of a batch stand one after the other in a single sequence, so that nothing is padded. Property names are
 * the published ones.
 */
import { type DType, Module, nn, type Parameter, type Tensor, tensor, tidy } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import type { ModelInit } from '../../language-model.js';
import { freshParameter, type WeightInit } from '../../layers/fresh-parameter.js';
import { Projection } from '../../layers/projection.js';
import { angleDtype, publishedFrequencies, type Rotary, rotary, rotate } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import type { VisionConfig } from './config.js';
import { Segments } from './segments.js';
import { patchAngles, patchPositions, pictureBorders, VISION_ROPE_BASE } from './vision-geometry.js';

/** Receives intermediate results by name; for parity tests. */
export type Observer = (name: string, tensor: Tensor) => void;

/** Sizes of the pictures of a batch, as tensors. */
export interface VisionLayout {
  /** Angles of rows and columns, [1, patches, 1, head width]; float32 also where the model is in half precision. */
  readonly rotary: Rotary;
  /** One part per picture. */
  readonly pictures: Segments;
}

/** The output of a vision encoder for the patches of a batch. */
export interface VisionOutput {
  /** [tokens, decoder width] in reading order. */
  readonly tokens: Tensor;
  /** Qwen3-VL: more features of the same shape, added after the first layers of the decoder. */
  readonly deepstack: readonly Tensor[];
}

export interface VisionEncoder<Layout extends VisionLayout = VisionLayout> extends Module {
  layout(grids: readonly Grid[], processor: ImageProcessor): Layout;
  /** patches [patches, numbers per patch]. A step per block. */
  steps(patches: Tensor, layout: Layout, observe?: Observer): Steps<VisionOutput>;
}

/** Makes tensors from sizes, in the dtype of angles and on the device of a model. */
export class LayoutTensors {
  constructor(readonly kind: { readonly dtype: DType; readonly device: string }) {}

  readonly ints = (data: Int32Array, shape: readonly number[] = [data.length]): Tensor =>
    tensor(data, { shape, dtype: 'int64', device: this.kind.device });

  /** In float32, or in float64 for a float64 model. */
  floats(data: Float64Array, shape: readonly number[]): Tensor {
    return tensor(data, { shape, dtype: angleDtype(this.kind.dtype), device: this.kind.device });
  }
}

/** The layout that every family needs. */
export function visionLayout(
  grids: readonly Grid[],
  processor: ImageProcessor,
  { hiddenSize, numHeads }: VisionConfig,
  tensors: LayoutTensors,
  frequenciesOf: (width: number, base: number) => Float64Array = publishedFrequencies,
): VisionLayout {
  const positions = patchPositions(grids, processor);
  const speeds = frequenciesOf(hiddenSize / numHeads / 2, VISION_ROPE_BASE);
  const angles = patchAngles(positions, speeds);
  return {
    rotary: rotary(tensors.floats(angles, [1, positions.length / 2, 2 * speeds.length])),
    pictures: new Segments(pictureBorders(grids), tensors.ints),
  };
}

/** The convolution that makes a vector of each patch, as a product: patches do not overlap. */
class PatchProjection extends Module {
  /** [width, channels, frames, patch, patch] as published. */
  readonly weight: Parameter;
  readonly bias: Parameter | null;

  constructor({ hiddenSize, patchSize, temporalPatchSize }: VisionConfig, hasBias: boolean, init: WeightInit) {
    super();
    this.weight = freshParameter([hiddenSize, 3, temporalPatchSize, patchSize, patchSize], init);
    this.bias = hasBias ? freshParameter([hiddenSize], { ...init, std: 0 }) : null;
  }

  forward(patches: Tensor): Tensor {
    return nn.functional.linear(patches, this.weight.flatten(1), this.bias);
  }
}

export class PatchEmbedding extends Module {
  readonly proj: PatchProjection;

  constructor(config: VisionConfig, hasBias: boolean, init: WeightInit) {
    super();
    this.proj = new PatchProjection(config, hasBias, init);
  }

  forward(patches: Tensor): Tensor {
    return this.proj.forward(patches);
  }
}

export class VisionAttention extends Module {
  readonly qkv: Projection;
  readonly proj: Projection;
  readonly #heads: number;

  constructor({ hiddenSize, numHeads }: VisionConfig, init: WeightInit) {
    super();
    this.qkv = new Projection(hiddenSize, 3 * hiddenSize, { ...init, bias: true });
    this.proj = new Projection(hiddenSize, hiddenSize, { ...init, bias: true });
    this.#heads = numHeads;
  }

  /** x [patches, width] → the same shape. */
  forward(x: Tensor, positions: Rotary, segments: Segments): Tensor {
    const [patches, width] = x.shape as [number, number];
    const heads = this.#heads;
    const all = this.qkv.forward(x).view([1, patches, 3 * heads, width / heads]);
    // in float32 also where the model is in half precision
    const rotated = tidy(() => rotate(all.narrow(2, 0, 2 * heads).to(positions.cos.dtype), positions).to(x.dtype));
    const part = (source: Tensor, first: number) => source.narrow(2, first, heads).squeeze(0);
    return this.proj.forward(segments.attend(part(rotated, 0), part(rotated, heads), part(all, 2 * heads)));
  }
}

/** LayerNorm of the vision encoders of Qwen2-VL and Qwen3-VL. */
export function visionNorm(width: number, { dtype, device }: ModelInit): nn.LayerNorm {
  return new nn.LayerNorm(width, { eps: 1e-6, dtype, device });
}

/** The MLP of Qwen2-VL, with the sigmoid form of GELU. */
export class QuickGeluMlp extends Module {
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

/** A block of the vision encoders of Qwen2-VL and Qwen3-VL, which differ in its MLP. */
export class VisionBlock<Mlp extends Module & { forward(x: Tensor): Tensor }> extends Module {
  readonly norm1: nn.LayerNorm;
  readonly norm2: nn.LayerNorm;
  readonly attn: VisionAttention;
  readonly mlp: Mlp;

  constructor(config: VisionConfig, newMlp: () => Mlp, init: WeightInit) {
    super();
    this.norm1 = visionNorm(config.hiddenSize, init);
    this.norm2 = visionNorm(config.hiddenSize, init);
    this.attn = new VisionAttention(config, init);
    this.mlp = newMlp();
  }

  forward(x: Tensor, { rotary, pictures }: VisionLayout): Tensor {
    const attended = tidy(() => x.add(this.attn.forward(this.norm1.forward(x), rotary, pictures)));
    return attended.add(this.mlp.forward(this.norm2.forward(attended)));
  }
}

/** The merger of Qwen2-VL and Qwen2.5-VL, which differ in its norm: neighboring patches become one token of the decoder's width. */
export class PatchMerger<Norm extends Module & { forward(x: Tensor): Tensor }> extends Module {
  /** Published as `mlp.0` and `mlp.2`; the activation between them is the exact GELU. */
  readonly mlp: readonly [Projection, null, Projection];
  readonly #inner: number;

  constructor(
    { hiddenSize, spatialMergeSize }: VisionConfig,
    readonly ln_q: Norm,
    outSize: number,
    init: WeightInit,
  ) {
    super();
    this.#inner = hiddenSize * spatialMergeSize ** 2;
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

interface Blocks<Layout> {
  readonly blocks: readonly { forward(x: Tensor, layout: Layout): Tensor }[];
  readonly layout: Layout;
  readonly observe?: Observer | undefined;
  /** Reads the output of a block. */
  readonly after?: (x: Tensor, block: number) => void;
}

/** x [patches, width] through all blocks, a step per block. */
export function* blockSteps<Layout>(input: Tensor, { blocks, layout, observe, after }: Blocks<Layout>): Steps<Tensor> {
  observe?.('vision/block_input', input);
  let x = input;
  for (const [i, block] of blocks.entries()) {
    const before = x;
    yield;
    x = tidy(() => block.forward(before, layout));
    // those of many pictures are large, and only an observer or a feature looks at those between the blocks
    if (i > 0 && !observe) before.dispose();
    observe?.(`vision/block/${i}`, x);
    after?.(x, i);
  }
  return x;
}
