/** Idefics3 and SmolVLM: neighboring patches of a tile become one token (pixel shuffle, arXiv 1609.05158, backwards). */
import { Module, type Tensor } from '@vlgym/gpu';
import type { ModelInit } from '../../language-model.js';
import type { Decoder } from '../../layers/decoder.js';
import { Projection, type WeightInit } from '../../layers/projection.js';
import type { Steps } from '../../layers/steps.js';
import type { Observer } from '../shared/vision.js';
import { type TiledImages, TiledModel } from '../tiled/model.js';
import { joinedSquares } from '../tiled/squares.js';
import { VisionTower } from '../tiled/vision-tower.js';
import type { Idefics3Config } from './config.js';
import { tilePositions } from './positions.js';
import { Idefics3Tiles } from './tiles.js';

class ModalityProjection extends Module {
  readonly proj: Projection;

  constructor(from: number, to: number, init: WeightInit) {
    super();
    this.proj = new Projection(from, to, init);
  }

  forward(x: Tensor): Tensor {
    return this.proj.forward(x);
  }
}

class Connector extends Module {
  readonly modality_projection: ModalityProjection;
  readonly #factor: number;

  constructor({ vision, scaleFactor, hiddenSize }: Idefics3Config, init: WeightInit) {
    super();
    this.modality_projection = new ModalityProjection(vision.hiddenSize * scaleFactor ** 2, hiddenSize, init);
    this.#factor = scaleFactor;
  }

  /** [tiles, patches, width] → [tiles, tokens, width of the decoder]: blocks of factor × factor patches in reading order. */
  forward(x: Tensor): Tensor {
    return this.modality_projection.forward(joinedSquares(x, this.#factor));
  }
}

class Body extends Module {
  constructor(
    readonly vision_model: VisionTower,
    readonly connector: Connector,
    readonly text_model: Decoder,
  ) {
    super();
  }

  forward(): never {
    throw new TypeError('call the parts of the model');
  }
}

export class Idefics3Model extends TiledModel<Idefics3Config> {
  readonly model: Body;

  constructor(config: Idefics3Config, init: ModelInit) {
    super(config, new Idefics3Tiles(config), init);
    const weights = TiledModel.weights(config, init);
    const { vision } = config;
    const positions = Math.floor(vision.imageSize / vision.patchSize) ** 2;
    const tower = new VisionTower(vision, { positions }, weights);
    this.model = new Body(tower, new Connector(config, weights), this.decoder);
  }

  protected override *encoded({ patches }: TiledImages, observe?: Observer): Steps<Tensor> {
    const { vision, image } = this.config;
    const perSide = Math.floor(image.tileSize / vision.patchSize);
    const positions = tilePositions(perSide, Math.floor(vision.imageSize / vision.patchSize), this);
    const states = yield* this.model.vision_model.steps(patches, positions, observe);
    const tokens = this.model.connector.forward(states);
    observe?.('vision/merged', tokens);
    return tokens.flatten(0, 1);
  }
}
