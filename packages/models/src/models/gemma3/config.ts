/** The shape of Gemma 3 with its vision encoder (arXiv 2503.19786). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { ModelConfigError, sizeSchema } from '../../model-config.js';
import { onlyValues, record } from '../shared/published-config.js';
import { parseTiledConfig, pixelFields, type TiledConfig, tiledFields } from '../tiled/config.js';
import {
  checkProcessor,
  publishedDecoderOf,
  publishedPixels,
  publishedTower,
  SIGLIP_TOWER,
} from '../tiled/published-config.js';

const gemma3Schema = z.object({
  ...tiledFields,
  /** SigLIP's encoder has its pooling head in the files. */
  visionHead: z.boolean(),
  /** Tokens of a tile, a square number: means over squares of patches. */
  tokensPerTile: sizeSchema,
  image: z.object({
    ...pixelFields,
    /** Long pictures are shown in pieces too; null: never. */
    panAndScan: z
      .object({
        /** Pixels of the shorter side of a piece. */
        minCropSize: sizeSchema,
        maxCrops: sizeSchema.max(1_000),
        /** The longer side over the shorter one, from which on there are pieces. */
        minRatio: z.number().positive(),
      })
      .nullable(),
  }),
});

export type Gemma3Config = TiledConfig & z.output<typeof gemma3Schema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseGemma3Config(config: unknown): Gemma3Config {
  const parsed = parseTiledConfig(gemma3Schema, config);
  const { vision, tokensPerTile } = parsed;
  const perSide = Math.floor(vision.imageSize / vision.patchSize);
  const tokens = Math.sqrt(tokensPerTile);
  const square = Math.floor(perSide / tokens);
  if (!Number.isInteger(tokens) || square < 1 || Math.floor(perSide / square) !== tokens) {
    const message = `must be the number of squares in ${perSide} × ${perSide} patches`;
    throw new ModelConfigError([{ path: 'tokensPerTile', message }]);
  }
  return parsed;
}

const HALF = [0.5, 0.5, 0.5];

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readGemma3Config(files: PublishedFiles): Gemma3Config {
  const { config, preprocessor, processor = {} } = files;
  const published = record(config.vision_config);
  onlyValues('vision_config.model_type', published.model_type, ['siglip_vision_model']);
  const vision = publishedTower(published, SIGLIP_TOWER);
  const tokensPerTile = config.mm_tokens_per_image ?? 256;
  onlyValues('text_config.model_type', record(config.text_config).model_type, ['gemma3_text']);
  checkProcessor('image_seq_length', processor.image_seq_length, tokensPerTile as number);
  const { height, width } = record(preprocessor.size ?? { height: 224, width: 224 });
  const expected = `${vision.imageSize}, the image_size of the vision encoder`;
  onlyValues('preprocessor do_resize', preprocessor.do_resize, [true]);
  onlyValues('preprocessor size.height', height ?? 'absent', [vision.imageSize], expected);
  onlyValues('preprocessor size.width', width ?? 'absent', [vision.imageSize], expected);
  return parseGemma3Config({
    ...publishedDecoderOf(files, { type: 'gemma3_text', tied: true }),
    imageTokenId: config.image_token_index ?? config.image_token_id ?? 262_144,
    visionHead: published.vision_use_head !== false,
    tokensPerTile,
    vision,
    image: {
      ...publishedPixels(preprocessor, { mean: HALF, std: HALF, resample: 2 }),
      panAndScan: panAndScan(preprocessor),
    },
  });
}

function panAndScan(preprocessor: PublishedFiles['preprocessor']): unknown {
  if (preprocessor.do_pan_and_scan !== true) return null;
  return {
    minCropSize: preprocessor.pan_and_scan_min_crop_size ?? 256,
    maxCrops: preprocessor.pan_and_scan_max_num_crops ?? 4,
    minRatio: preprocessor.pan_and_scan_min_ratio_to_activate ?? 1.2,
  };
}
