/** The shape of Idefics3 (arXiv 2408.12637) and SmolVLM (arXiv 2504.05299), which is the same. */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { ModelConfigError, sizeSchema } from '../../model-config.js';
import { ModelConfigUnsupportedError, record } from '../shared/published-config.js';
import { parseTiledConfig, pixelFields, type TiledConfig, tiledFields } from '../tiled/config.js';
import { checkProcessor, publishedDecoderOf, publishedPixels, publishedTower } from '../tiled/published-config.js';

const idefics3Schema = z.object({
  ...tiledFields,
  /** This many patches per side become one token. */
  scaleFactor: sizeSchema,
  image: z.object({
    ...pixelFields,
    /** Pixels per row and column of a tile. */
    tileSize: sizeSchema,
    /** The size that a picture gets first; null: its own. */
    size: z
      .union([z.object({ longestEdge: sizeSchema }), z.object({ height: sizeSchema, width: sizeSchema })])
      .nullable(),
    /** Cut into rows and columns of tiles; otherwise the whole picture is one tile. */
    splits: z.boolean(),
  }),
});

export type Idefics3Config = TiledConfig & z.output<typeof idefics3Schema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseIdefics3Config(config: unknown): Idefics3Config {
  const parsed = parseTiledConfig(idefics3Schema, config);
  const { vision, image, scaleFactor } = parsed;
  const perSide = Math.floor(image.tileSize / vision.patchSize);
  if (perSide < 1 || perSide % scaleFactor !== 0) {
    const message = `must divide the patches per row of a tile, ${perSide}`;
    throw new ModelConfigError([{ path: 'scaleFactor', message }]);
  }
  return parsed;
}

/** Class defaults of `Idefics3VisionConfig`. */
const TOWER = {
  hidden_size: 1152,
  intermediate_size: 3072,
  num_hidden_layers: 12,
  num_attention_heads: 16,
  image_size: 224,
  patch_size: 32,
  hidden_act: 'gelu_pytorch_tanh',
  layer_norm_eps: 1e-6,
};
const HALF = [0.5, 0.5, 0.5];

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readIdefics3Config(files: PublishedFiles): Idefics3Config {
  const { config, preprocessor, processor = {} } = files;
  const vision = publishedTower(record(config.vision_config), TOWER);
  const scaleFactor = config.scale_factor ?? 2;
  const tileSize = record(preprocessor.max_image_size).longest_edge ?? 364;
  const parsed = parseIdefics3Config({
    ...publishedDecoderOf(files, { type: 'llama', tied: false }),
    imageTokenId: config.image_token_id ?? 128_257,
    scaleFactor,
    vision,
    image: {
      ...publishedPixels(preprocessor, { mean: HALF, std: HALF, resample: 1 }),
      tileSize,
      size: preprocessor.do_resize === false ? null : firstSize(preprocessor.size),
      splits: preprocessor.do_image_splitting !== false,
    },
  });
  const perSide = Math.floor(parsed.image.tileSize / parsed.vision.patchSize) / parsed.scaleFactor;
  checkProcessor('image_seq_len', processor.image_seq_len, perSide ** 2);
  return parsed;
}

function firstSize(value: unknown): unknown {
  if (value === undefined || value === null) return { longestEdge: 4 * 364 };
  const { longest_edge: longestEdge, height, width } = record(value);
  if (typeof longestEdge === 'number') return { longestEdge };
  if (typeof height === 'number' && typeof width === 'number') return { height, width };
  throw new ModelConfigUnsupportedError('preprocessor size', value, '`longest_edge`, or `height` and `width`');
}
