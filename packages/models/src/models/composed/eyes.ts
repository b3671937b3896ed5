/** The vision encoders that a composed model may have, by `model_type` of the folder that they came from. */
import { parseGemma3Config, readGemma3Config } from '../gemma3/config.js';
import { parseIdefics3Config, readIdefics3Config } from '../idefics3/config.js';
import { tilePositions } from '../idefics3/positions.js';
import { parseLlavaNextConfig, readLlavaNextConfig } from '../llava-next/config.js';
import { parseQwen25VlConfig, readQwen25VlConfig } from '../qwen2-5-vl/config.js';
import { Qwen25VisionEncoder } from '../qwen2-5-vl/vision.js';
import { parseQwen2VlConfig, readQwen2VlConfig } from '../qwen2-vl/config.js';
import { Qwen2VisionEncoder } from '../qwen2-vl/vision.js';
import { parseQwen3VlConfig, readQwen3VlConfig } from '../qwen3-vl/config.js';
import { Qwen3VisionEncoder } from '../qwen3-vl/vision.js';
import { joinedSquares, meansOfSquares } from '../tiled/squares.js';
import { ofPatches } from '../tiled/vision-tower.js';
import { clipEye, siglipEye } from './encoders.js';
import type { EyeKind } from './eye.js';
import { gridEye } from './grid-eye.js';
import { towerEye } from './tower-eye.js';

/** SmolVLM is Idefics3 under another name. */
const idefics3 = towerEye({
  parse: parseIdefics3Config,
  read: readIdefics3Config,
  side: ({ image }) => image.tileSize,
  shape: ({ vision, scaleFactor }, perSide) => ({
    tokens: (perSide / scaleFactor) ** 2,
    width: vision.hiddenSize * scaleFactor ** 2,
  }),
  *encode(tower, patches, { vision, scaleFactor }, kind) {
    const positions = tilePositions(Math.sqrt(patches.size(1)), Math.floor(vision.imageSize / vision.patchSize), kind);
    return joinedSquares(yield* tower.steps(patches, positions), scaleFactor);
  },
});

export const EYES: Readonly<Record<string, EyeKind>> = {
  qwen2_vl: gridEye({
    parse: parseQwen2VlConfig,
    read: readQwen2VlConfig,
    create: (config, init, tensors) => new Qwen2VisionEncoder(config.vision, config.hiddenSize, init, tensors),
  }),
  qwen2_5_vl: gridEye({
    parse: parseQwen25VlConfig,
    read: readQwen25VlConfig,
    create: (config, init, tensors) => new Qwen25VisionEncoder(config.vision, config.hiddenSize, init, tensors),
  }),
  qwen3_vl: gridEye({
    parse: parseQwen3VlConfig,
    read: readQwen3VlConfig,
    create: (config, init, tensors) => new Qwen3VisionEncoder(config.vision, config.hiddenSize, init, tensors),
  }),
  siglip: siglipEye,
  siglip_vision_model: siglipEye,
  clip: clipEye,
  clip_vision_model: clipEye,
  idefics3,
  smolvlm: idefics3,
  gemma3: towerEye({
    parse: parseGemma3Config,
    read: readGemma3Config,
    shape: ({ vision, tokensPerTile }) => ({ tokens: tokensPerTile, width: vision.hiddenSize }),
    *encode(tower, patches, { tokensPerTile }) {
      return meansOfSquares(yield* tower.steps(patches, null), tokensPerTile);
    },
  }),
  llava_next: towerEye({
    parse: parseLlavaNextConfig,
    read: readLlavaNextConfig,
    isClip: ({ isClip }) => isClip,
    shape: ({ vision, featureLayers }, perSide) => ({
      tokens: perSide ** 2,
      width: vision.hiddenSize * featureLayers.length,
    }),
    *encode(tower, patches, { featureLayers }) {
      return yield* ofPatches(tower, patches, featureLayers);
    },
  }),
};
