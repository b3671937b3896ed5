/** The shape of LLaVA-NeXT (LLaVA-1.6). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { ModelConfigError, sizeSchema } from '../../model-config.js';
import { CLIP_MEAN, CLIP_STD, ModelConfigUnsupportedError, onlyValues, record } from '../shared/published-config.js';
import { parseTiledConfig, type TiledConfig, tiledFields } from '../tiled/config.js';
import {
  CLIP_TOWER,
  checkProcessor,
  publishedDecoderOf,
  publishedPixels,
  publishedTower,
  SIGLIP_TOWER,
} from '../tiled/published-config.js';

const llavaNextSchema = z.object({
  ...tiledFields,
  /** The vision encoder is CLIP's, whose first token is left out; otherwise SigLIP's. */
  isClip: z.boolean(),
  /** SigLIP's encoder has its pooling head in the files. */
  visionHead: z.boolean(),
  /** States before these blocks of the encoder, or behind the last, stand side by side as features of a patch. */
  featureLayers: z.array(z.number().int().nonnegative()).min(1).max(64),
  projectorBias: z.boolean(),
  projectorActivation: z.enum(['gelu', 'gelu-tanh']),
  /** Heights and widths in pixels that tiles may fill together. */
  gridPinpoints: z
    .array(z.tuple([sizeSchema, sizeSchema]))
    .min(1)
    .max(1_000),
});

export type LlavaNextConfig = TiledConfig & z.output<typeof llavaNextSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseLlavaNextConfig(config: unknown): LlavaNextConfig {
  const parsed = parseTiledConfig(llavaNextSchema, config);
  const { vision, gridPinpoints, featureLayers } = parsed;
  const issues = [
    gridPinpoints.flat().some((side) => side % vision.imageSize !== 0) && {
      path: 'gridPinpoints',
      message: `must be multiples of imageSize, ${vision.imageSize}`,
    },
    featureLayers.some((layer) => layer > vision.depth) && {
      path: 'featureLayers',
      message: `must not be above the depth of the vision encoder, ${vision.depth}`,
    },
  ].filter((issue) => issue !== false);
  if (issues.length > 0) throw new ModelConfigError(issues);
  return parsed;
}

/** By `model_type` of the encoder. */
const TOWERS = { clip_vision_model: CLIP_TOWER, siglip_vision_model: SIGLIP_TOWER };
const GRIDS = [
  [336, 672],
  [672, 336],
  [672, 672],
  [1008, 336],
  [336, 1008],
];

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readLlavaNextConfig(files: PublishedFiles): LlavaNextConfig {
  const { config, preprocessor, processor = {} } = files;
  const published = record(config.vision_config);
  const towerType = published.model_type ?? 'clip_vision_model';
  onlyValues('vision_config.model_type', towerType, Object.keys(TOWERS));
  const isClip = towerType === 'clip_vision_model';
  const vision = publishedTower(published, TOWERS[towerType as keyof typeof TOWERS]);
  // the tokens of the first tile must fill it: CLIP has one more, and SigLIP none
  const strategy = isClip ? 'default' : 'full';
  onlyValues('vision_feature_select_strategy', config.vision_feature_select_strategy ?? 'default', [strategy]);
  checkProcessor('vision_feature_select_strategy', processor.vision_feature_select_strategy, strategy);
  checkProcessor('patch_size', processor.patch_size, vision.patchSize as number);
  const gridPinpoints = config.image_grid_pinpoints ?? GRIDS;
  const processed = preprocessor.image_grid_pinpoints ?? GRIDS;
  if (JSON.stringify(processed) !== JSON.stringify(gridPinpoints))
    throw new ModelConfigUnsupportedError('preprocessor image_grid_pinpoints', processed, 'those of config.json');
  checkTileSize(preprocessor, vision.imageSize as number);
  const activation = config.projector_hidden_act ?? 'gelu';
  onlyValues('projector_hidden_act', activation, ['gelu', 'gelu_pytorch_tanh']);
  const layers = [config.vision_feature_layer ?? -2].flat() as number[];
  return parseLlavaNextConfig({
    ...publishedDecoderOf(files, { type: 'llama', tied: false }),
    imageTokenId: config.image_token_index ?? config.image_token_id ?? 32_000,
    isClip,
    visionHead: !isClip && published.vision_use_head !== false,
    featureLayers: layers.map((layer) => (layer < 0 ? (vision.depth as number) + 1 + layer : layer)),
    projectorBias: config.multimodal_projector_bias ?? true,
    projectorActivation: activation === 'gelu' ? 'gelu' : 'gelu-tanh',
    gridPinpoints,
    vision,
    image: publishedPixels(preprocessor, { mean: CLIP_MEAN, std: CLIP_STD, resample: 3 }),
  });
}

/** Tiles are cut, resized and cropped to one size, which must be the encoder's. */
function checkTileSize(preprocessor: PublishedFiles['preprocessor'], side: number): void {
  const { shortest_edge: edge, height, width } = record(preprocessor.size ?? { shortest_edge: 224 });
  const crop = record(preprocessor.crop_size ?? { height: 224, width: 224 });
  const expected = `${side}, the image_size of the vision encoder`;
  onlyValues('preprocessor size', edge ?? height, [side], expected);
  onlyValues('preprocessor size.width', width, [side], expected);
  // tiles have the size of crops, whether they are cropped or not
  onlyValues('preprocessor crop_size', crop.height, [side], expected);
  onlyValues('preprocessor crop_size', crop.width, [side], expected);
}
