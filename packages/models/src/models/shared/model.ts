/**
 * A model of the Qwen-VL family: the tokens of pictures stand among those of the text, and one decoder reads both. The
 * families differ in their vision encoder, in a few details of the decoder, and in the axes of their rotary positions.
 *
 * Modules are named as those of huggingface/transformers 5, which adapters of peft refer to; `weight-names.ts`
 * translates the names of published files.
 */
import type { Image } from '@vlgym/core';
import { cat, Module, type Tensor, tensor } from '@vlgym/gpu';
import { ImageProcessor } from '../../batch/image-processor.js';
import type { TokenLayout, TokenRow } from '../../batch/token-rows.js';
import type { ForwardPart, LanguageModel, ModelInit, PlacedImages } from '../../language-model.js';
import { Decoder, type DecoderContext, type DecoderKind } from '../../layers/decoder.js';
import { DecoderModel } from '../../layers/decoder-model.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import { Projection } from '../../layers/projection.js';
import { angleDtype, publishedFrequencies, type Rotary, rotary } from '../../layers/rotary.js';
import { finished, type Steps } from '../../layers/steps.js';
import type { QwenConfig } from './config.js';
import { type GridImages, gridImages, patchesOf } from './pictures.js';
import { layoutAngles, layoutPositions, type PairAxes, type RowPositions, rowPositions } from './positions.js';
import { RecordedPictures } from './recorded-pictures.js';
import { LayoutTensors, type Observer, type VisionEncoder, type VisionLayout, type VisionOutput } from './vision.js';

/** The linear layers of the language model, as in the published adapters of the family. */
export const LANGUAGE_LINEARS =
  /^model\.language_model\.layers\.\d+\.(self_attn\.[qkvo]_proj|mlp\.(gate|up|down)_proj)$/;

/** The parts that a family adds to the shared ones. */
export interface QwenArchitecture {
  readonly decoder: DecoderKind;
  readonly pairAxes: PairAxes;
  vision(init: WeightInit, tensors: LayoutTensors): VisionEncoder;
}

const features = ({ tokens, deepstack }: VisionOutput): [tokens: Tensor, ...deepstack: Tensor[]] => [
  tokens,
  ...deepstack,
];

/** DeepStack features, after the tokens. */
function joined(output: VisionOutput): Tensor {
  const [tokens, ...deepstack] = features(output);
  return deepstack.length > 0 ? cat([tokens, ...deepstack], -1) : tokens;
}

class QwenBody extends Module {
  constructor(
    readonly visual: VisionEncoder,
    readonly language_model: Decoder,
  ) {
    super();
  }

  forward(): never {
    throw new TypeError('call the parts of the model');
  }
}

export class QwenModel<Config extends QwenConfig = QwenConfig> extends DecoderModel<Config> implements LanguageModel {
  readonly adapterTargets = LANGUAGE_LINEARS;
  readonly model: QwenBody;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;
  readonly #processor: ImageProcessor;
  readonly #pairAxes: PairAxes;
  readonly #recorded: RecordedPictures<VisionLayout>;

  constructor(
    readonly config: Config,
    { decoder, pairAxes, vision }: QwenArchitecture,
    init: ModelInit,
  ) {
    super();
    const weights: WeightInit = { std: config.initializerRange, ...init };
    const visual = vision(weights, new LayoutTensors(init));
    this.model = new QwenBody(visual, new Decoder(config, decoder, weights));
    this.lm_head = config.tieWordEmbeddings ? null : new Projection(config.hiddenSize, config.vocabSize, weights);
    this.#processor = new ImageProcessor(config);
    this.#pairAxes = pairAxes;
    this.#recorded = new RecordedPictures(
      (grid) => visual.layout([grid], this.#processor),
      (patches, layout) => joined(finished(visual.steps(patches, layout))),
    );
  }

  imageTokens(size: Pick<Image, 'height' | 'width'>): number {
    return this.#processor.tokens(this.#processor.grid(size));
  }

  /** Normalized pixels of pictures, [patches, numbers per patch]. */
  patches(images: readonly Image[]): Tensor {
    return patchesOf(images, this.#processor, this);
  }

  prepareImages(images: readonly Image[]): GridImages {
    return gridImages(images, this.#processor, this.model.visual, this);
  }

  *encodeImage(image: Image): Steps<Tensor> {
    const { visual } = this.model;
    const grid = this.#processor.grid(image);
    const patches = this.patches([image]);
    yield;
    const recorded = this.#recorded.encode(patches, grid);
    // the next picture is written over it
    return recorded?.clone() ?? joined(yield* visual.steps(patches, visual.layout([grid], this.#processor)));
  }

  override dispose(): void {
    this.#recorded.dispose();
    super.dispose();
  }

  *embed(ids: Tensor, images: PlacedImages<GridImages> | null, observe?: Observer): Steps<Tensor> {
    const embeddings = this.model.language_model.embed_tokens.forward(ids);
    if (!images) return embeddings;
    const { batch, encoded: known, source, target } = images;
    const [tokens, ...deepstack] = known
      ? (known.split(this.config.hiddenSize, -1) as [Tensor, ...Tensor[]])
      : features(yield* this.model.visual.steps(batch.patches, batch.layout, observe));
    const order = known ? source : batch.places.indexSelect(0, source);
    const place = (among: Tensor, picture: Tensor) =>
      among.flatten(0, 1).indexPut([target], picture.indexSelect(0, order)).view(embeddings.shape);
    const placed = place(embeddings, tokens);
    if (deepstack.length === 0) return placed;
    const nothing = embeddings.newZeros(embeddings.shape);
    return cat([placed, ...deepstack.map((feature) => place(nothing, feature))], -1);
  }

  positions(layout: TokenLayout, columns: number): Rotary {
    const { headDim, ropeTheta, mropeSection } = this.config;
    const { dtype, device } = this;
    const axes = layoutPositions(layout, columns, (row) => this.rowPositions(row));
    const speeds = publishedFrequencies(headDim, ropeTheta);
    const angles = layoutAngles(axes, this.#pairAxes(mropeSection), speeds);
    const shape = [layout.rows.length, columns, speeds.length];
    return rotary(tensor(angles, { shape, dtype: angleDtype(dtype), device }), dtype);
  }

  /** Time, height and width of the prompt tokens of a row. */
  rowPositions(row: Pick<TokenRow, 'promptIds' | 'images'>): RowPositions {
    const merge = this.config.vision.spatialMergeSize;
    return rowPositions(row, this.config.imageTokenId, (image) => {
      const { rows, columns } = this.#processor.grid(image);
      return { rows: rows / merge, columns: columns / merge };
    });
  }

  override forward(embeddings: Tensor, context: DecoderContext): Tensor {
    const [tokens, ...deepstack] = embeddings.split(this.config.hiddenSize, -1) as [Tensor, ...Tensor[]];
    return this.model.language_model.forward(tokens, context, deepstack);
  }

  override forwardAsync(embeddings: Tensor, context: DecoderContext): Promise<Tensor> {
    const [tokens, ...deepstack] = embeddings.split(this.config.hiddenSize, -1) as [Tensor, ...Tensor[]];
    return this.model.language_model.forwardAsync(tokens, context, deepstack);
  }

  override parts(context: DecoderContext): ForwardPart[] {
    const { hiddenSize } = this.config;
    const [first, ...rest] = this.model.language_model.parts(context) as [ForwardPart, ...ForwardPart[]];
    return [{ run: ([embeddings]) => first.run(embeddings!.split(hiddenSize, -1)) }, ...rest];
  }

  protected override get decoder(): Decoder {
    return this.model.language_model;
  }
}
