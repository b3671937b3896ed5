/** LLaVA-NeXT: features of CLIP, a projector of two layers, and tokens in lines, each ended by a learned one. */
import { cat, Module, type Parameter, type Tensor, tensor } from '@vlgym/gpu';
import type { ModelInit } from '../../language-model.js';
import type { Decoder } from '../../layers/decoder.js';
import { freshParameter, type WeightInit } from '../../layers/fresh-parameter.js';
import { Projection } from '../../layers/projection.js';
import type { Steps } from '../../layers/steps.js';
import type { Observer } from '../shared/vision.js';
import { type TiledImages, TiledModel } from '../tiled/model.js';
import { ofPatches, VisionTower } from '../tiled/vision-tower.js';
import type { LlavaNextConfig } from './config.js';
import { LlavaNextTiles } from './tiles.js';

class Projector extends Module {
  readonly linear_1: Projection;
  readonly linear_2: Projection;
  readonly #activation: LlavaNextConfig['projectorActivation'];

  constructor(config: LlavaNextConfig, init: WeightInit) {
    super();
    const { vision, hiddenSize, featureLayers, projectorBias: bias, projectorActivation } = config;
    this.linear_1 = new Projection(vision.hiddenSize * featureLayers.length, hiddenSize, { ...init, bias });
    this.linear_2 = new Projection(hiddenSize, hiddenSize, { ...init, bias });
    this.#activation = projectorActivation;
  }

  forward(features: Tensor): Tensor {
    const inner = this.linear_1.forward(features);
    return this.linear_2.forward(this.#activation === 'gelu' ? inner.gelu() : inner.gelu('tanh'));
  }
}

class Body extends Module {
  /** [width of the decoder] ends a line. */
  readonly image_newline: Parameter;
  readonly vision_tower: VisionTower;
  readonly multi_modal_projector: Projector;

  constructor(
    config: LlavaNextConfig,
    readonly language_model: Decoder,
    init: WeightInit,
  ) {
    super();
    const { vision, isClip, visionHead: head, hiddenSize } = config;
    this.image_newline = freshParameter([hiddenSize], init);
    const positions = Math.floor(vision.imageSize / vision.patchSize) ** 2 + (isClip ? 1 : 0);
    this.vision_tower = new VisionTower(vision, { positions, isClip, head }, init);
    this.multi_modal_projector = new Projector(config, init);
  }

  forward(): never {
    throw new TypeError('call the parts of the model');
  }
}

export class LlavaNextModel extends TiledModel<LlavaNextConfig> {
  readonly model: Body;
  readonly #tiles: LlavaNextTiles;

  constructor(config: LlavaNextConfig, init: ModelInit) {
    const tiles = new LlavaNextTiles(config);
    super(config, tiles, init);
    this.#tiles = tiles;
    this.model = new Body(config, this.decoder, TiledModel.weights(config, init));
  }

  protected override *encoded({ patches, pictures }: TiledImages, observe?: Observer): Steps<Tensor> {
    const { featureLayers } = this.config;
    const { vision_tower, multi_modal_projector, image_newline } = this.model;
    const features = yield* ofPatches(vision_tower, patches, featureLayers, observe);
    const vectors = multi_modal_projector.forward(features);
    observe?.('vision/merged', vectors);
    // the learned token stands behind all vectors of patches
    const all = cat([vectors.flatten(0, 1), image_newline.unsqueeze(0)], 0);
    const order = this.#order(pictures, vectors.size(1), all.size(0) - 1);
    return all.indexSelect(0, tensor(order, { dtype: 'int64', device: this.device }));
  }

  /** The patch of each token, counted over all tiles. @param perTile  Patches of a tile. */
  #order(pictures: TiledImages['pictures'], perTile: number, newline: number): Int32Array {
    const side = Math.sqrt(perTile);
    const order: number[] = [];
    let first = 0;
    for (const { size, tiles } of pictures) {
      const { columns, top, left, height, width } = this.#tiles.grid(size);
      for (let patch = 0; patch < perTile; patch += 1) order.push(first * perTile + patch);
      for (let row = top; row < top + height; row += 1) {
        for (let column = left; column < left + width; column += 1) {
          const tile = first + 1 + Math.floor(row / side) * columns + Math.floor(column / side);
          order.push(tile * perTile + (row % side) * side + (column % side));
        }
        order.push(newline);
      }
      first += tiles;
    }
    return Int32Array.from(order);
  }
}
