/** Gemma 3 with pictures: means over squares of patches, a norm, and one matrix; tokens of a tile see each other. */
import { Module, type Parameter, type Tensor } from '@vlgym/gpu';
import type { ModelInit } from '../../language-model.js';
import type { Decoder } from '../../layers/decoder.js';
import { freshParameter, type WeightInit } from '../../layers/fresh-parameter.js';
import { OffsetRmsNorm } from '../../layers/rms-norm.js';
import type { Steps } from '../../layers/steps.js';
import type { Observer } from '../shared/vision.js';
import { type TiledImages, TiledModel } from '../tiled/model.js';
import { meansOfSquares } from '../tiled/squares.js';
import { VisionTower } from '../tiled/vision-tower.js';
import type { Gemma3Config } from './config.js';
import { Gemma3Tiles } from './tiles.js';

class Projector extends Module {
  /** [width of the encoder, width of the decoder] */
  readonly mm_input_projection_weight: Parameter;
  readonly mm_soft_emb_norm: OffsetRmsNorm;
  readonly #tokens: number;

  constructor({ vision, hiddenSize, tokensPerTile }: Gemma3Config, init: WeightInit) {
    super();
    this.mm_input_projection_weight = freshParameter([vision.hiddenSize, hiddenSize], init);
    this.mm_soft_emb_norm = new OffsetRmsNorm(vision.hiddenSize, vision.layerNormEps, init);
    this.#tokens = tokensPerTile;
  }

  /** [tiles, patches, width] → [tiles, tokens, width of the decoder]. */
  forward(x: Tensor): Tensor {
    const normed = this.mm_soft_emb_norm.forward(meansOfSquares(x, this.#tokens));
    return normed.matmul(this.mm_input_projection_weight);
  }
}

class Body extends Module {
  readonly vision_tower: VisionTower;
  readonly multi_modal_projector: Projector;

  constructor(
    config: Gemma3Config,
    readonly language_model: Decoder,
    init: WeightInit,
  ) {
    super();
    const { vision, visionHead: head } = config;
    const positions = Math.floor(vision.imageSize / vision.patchSize) ** 2;
    this.vision_tower = new VisionTower(vision, { positions, head }, init);
    this.multi_modal_projector = new Projector(config, init);
  }

  forward(): never {
    throw new TypeError('call the parts of the model');
  }
}

export class Gemma3Model extends TiledModel<Gemma3Config> {
  readonly seesWholePictures = true;
  readonly model: Body;

  constructor(config: Gemma3Config, init: ModelInit) {
    super(config, new Gemma3Tiles(config), init);
    this.model = new Body(config, this.decoder, TiledModel.weights(config, init));
  }

  protected override *encoded({ patches }: TiledImages, observe?: Observer): Steps<Tensor> {
    const states = yield* this.model.vision_tower.steps(patches, null, observe);
    const tokens = this.model.multi_modal_projector.forward(states);
    observe?.('vision/merged', tokens);
    return tokens.flatten(0, 1);
  }
}
