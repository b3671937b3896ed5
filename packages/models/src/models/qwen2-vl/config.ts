/** The shape of Qwen2-VL (arXiv 2409.12191). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { checkShape, imageSchema, textFields, visionFields } from '../shared/config.js';
import { onlyValues, publishedImage, publishedText, publishedVision } from '../shared/published-config.js';

const qwen2VlSchema = z
  .object({ ...textFields, vision: z.object(visionFields), image: imageSchema })
  .superRefine(checkShape);

export type Qwen2VlConfig = z.output<typeof qwen2VlSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseQwen2VlConfig(config: unknown): Qwen2VlConfig {
  return parseModelConfig(qwen2VlSchema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readQwen2VlConfig({ config, preprocessor }: PublishedFiles): Qwen2VlConfig {
  const text = publishedText(config, { rmsNormEps: 1e-5, ropeTheta: 1e6, ownHeadDim: false, interleaved: false });
  const published = publishedVision(config, 'quick_gelu');
  const width = (published.embed_dim ?? 1280) as number;
  // the output width of the encoder has the name that other families give its inner width
  onlyValues('vision_config.hidden_size', published.hidden_size, [text.hiddenSize], 'the hidden_size of the decoder');
  const vision = {
    depth: published.depth ?? 32,
    hiddenSize: width,
    numHeads: published.num_heads ?? 16,
    intermediateSize: Math.trunc(width * ((published.mlp_ratio ?? 4) as number)),
    patchSize: published.patch_size ?? 14,
    spatialMergeSize: published.spatial_merge_size ?? 2,
    temporalPatchSize: published.temporal_patch_size ?? 2,
  };
  return parseQwen2VlConfig({ ...text, vision, image: publishedImage(preprocessor, vision) });
}
