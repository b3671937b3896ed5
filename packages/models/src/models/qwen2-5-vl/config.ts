/** The shape of Qwen2.5-VL (arXiv 2502.13923). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig, sizeSchema } from '../../model-config.js';
import { checkShape, imageSchema, textFields, visionFields } from '../shared/config.js';
import { onlyValues, publishedImage, publishedText, publishedVision } from '../shared/published-config.js';

const visionSchema = z.object({
  ...visionFields,
  /** Side of a window in pixels. */
  windowSize: sizeSchema,
  /** Blocks in which patches attend to their whole picture; elsewhere to their window. */
  fullAttentionBlocks: z.array(z.number().int().nonnegative()).max(1_000),
});

const qwen25VlSchema = z
  .object({ ...textFields, vision: visionSchema, image: imageSchema })
  .superRefine(checkShape)
  .refine(({ vision }) => vision.windowSize >= vision.patchSize * vision.spatialMergeSize, {
    path: ['vision', 'windowSize'],
    error: 'must hold at least one token',
  });

export type Qwen25VlConfig = z.output<typeof qwen25VlSchema>;
export type Qwen25VisionConfig = z.output<typeof visionSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseQwen25VlConfig(config: unknown): Qwen25VlConfig {
  return parseModelConfig(qwen25VlSchema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readQwen25VlConfig({ config, preprocessor }: PublishedFiles): Qwen25VlConfig {
  const text = publishedText(config, { rmsNormEps: 1e-5, ropeTheta: 1e6, ownHeadDim: false, interleaved: false });
  const published = publishedVision(config, 'silu');
  const outSize = published.out_hidden_size ?? 3584;
  onlyValues('vision_config.out_hidden_size', outSize, [text.hiddenSize], 'the hidden_size of the decoder');
  const vision = {
    depth: published.depth ?? 32,
    hiddenSize: published.hidden_size ?? 3584,
    numHeads: published.num_heads ?? 16,
    intermediateSize: published.intermediate_size ?? 3420,
    patchSize: published.patch_size ?? 14,
    spatialMergeSize: published.spatial_merge_size ?? 2,
    temporalPatchSize: published.temporal_patch_size ?? 2,
    windowSize: published.window_size ?? 112,
    fullAttentionBlocks: published.fullatt_block_indexes ?? [7, 15, 23, 31],
  };
  return parseQwen25VlConfig({ ...text, vision, image: publishedImage(preprocessor, vision) });
}
