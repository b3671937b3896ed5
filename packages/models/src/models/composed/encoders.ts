/** SigLIP (arXiv 2303.15343) and CLIP (arXiv 2103.00020) as they are published, alone or beside their encoder of text. */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { CLIP_MEAN, CLIP_STD, record } from '../shared/published-config.js';
import { checkTower, tiledFields } from '../tiled/config.js';
import {
  CLIP_TOWER,
  type PixelDefaults,
  publishedPixels,
  publishedTower,
  SIGLIP_TOWER,
  type TowerDefaults,
} from '../tiled/published-config.js';
import { ofPatches } from '../tiled/vision-tower.js';
import { towerEye } from './tower-eye.js';

const schema = z.object({ vision: tiledFields.vision, image: tiledFields.image });
type EncoderConfig = z.output<typeof schema>;

function parse(config: unknown): EncoderConfig {
  const parsed = parseModelConfig(schema, config);
  checkTower(parsed);
  return parsed;
}

const reading =
  (tower: TowerDefaults, pixels: PixelDefaults) =>
  ({ config, preprocessor }: PublishedFiles): EncoderConfig =>
    parse({
      vision: publishedTower(record(config.vision_config ?? config), tower),
      image: publishedPixels(preprocessor, pixels),
    });

const shape = ({ vision }: EncoderConfig, perSide: number) => ({ tokens: perSide ** 2, width: vision.hiddenSize });
const HALF = [0.5, 0.5, 0.5];

/** Tokens are the patches after the last norm. */
export const siglipEye = towerEye({
  ...{ parse, read: reading(SIGLIP_TOWER, { mean: HALF, std: HALF, resample: 3 }), shape },
  encode: (tower, patches) => tower.steps(patches, null),
});

/** Tokens are the patches before the last block, as in LLaVA; the token of the whole picture is left out. */
export const clipEye = towerEye({
  ...{ parse, read: reading(CLIP_TOWER, { mean: CLIP_MEAN, std: CLIP_STD, resample: 3 }), shape },
  isClip: () => true,
  encode: (tower, patches, { vision }) => ofPatches(tower, patches, [vision.depth - 1]),
});
