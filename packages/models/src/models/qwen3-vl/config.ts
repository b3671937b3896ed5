/** The shape of Qwen3-VL (arXiv 2511.21631). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig, sizeSchema } from '../../model-config.js';
import { checkShape, imageSchema, textFields, visionFields } from '../shared/config.js';
import { onlyValues, publishedImage, publishedText, publishedVision } from '../shared/published-config.js';

const visionSchema = z.object({
  ...visionFields,
  /** Entries of the table of learned positions, a square number. */
  numPositionEmbeddings: sizeSchema,
  /**
   * Features are taken after these blocks, merger j behind block j of the list, and added to the outputs of the first layers of
   * the decoder in the order of the blocks.
   */
  deepstackBlocks: z.array(z.number().int().nonnegative()).max(1_000),
});

const qwen3VlSchema = z
  .object({ ...textFields, vision: visionSchema, image: imageSchema })
  .superRefine(checkShape)
  .refine(({ vision }) => Number.isInteger(Math.sqrt(vision.numPositionEmbeddings)), {
    path: ['vision', 'numPositionEmbeddings'],
    error: 'must be a square number',
  })
  .refine(({ vision }) => vision.deepstackBlocks.every((block) => block < vision.depth), {
    path: ['vision', 'deepstackBlocks'],
    error: 'must be below depth',
  })
  .refine(({ vision, numHiddenLayers }) => vision.deepstackBlocks.length <= numHiddenLayers, {
    path: ['vision', 'deepstackBlocks'],
    error: 'must not be more than the layers of the decoder',
  });

export type Qwen3VlConfig = z.output<typeof qwen3VlSchema>;
export type Qwen3VisionConfig = z.output<typeof visionSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseQwen3VlConfig(config: unknown): Qwen3VlConfig {
  return parseModelConfig(qwen3VlSchema, config);
}

const TEXT_DEFAULTS = {
  rmsNormEps: 1e-6,
  ropeTheta: 5e5,
  mropeSection: [24, 20, 20],
  ownHeadDim: true,
  interleaved: true,
};

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readQwen3VlConfig({ config, preprocessor }: PublishedFiles): Qwen3VlConfig {
  const text = publishedText(config, TEXT_DEFAULTS);
  const published = publishedVision(config, 'gelu_pytorch_tanh');
  const outSize = published.out_hidden_size ?? 3584;
  onlyValues('vision_config.out_hidden_size', outSize, [text.hiddenSize], 'the hidden_size of the decoder');
  const vision = {
    depth: published.depth ?? 27,
    hiddenSize: published.hidden_size ?? 1152,
    numHeads: published.num_heads ?? 16,
    intermediateSize: published.intermediate_size ?? 4304,
    patchSize: published.patch_size ?? 16,
    spatialMergeSize: published.spatial_merge_size ?? 2,
    temporalPatchSize: published.temporal_patch_size ?? 2,
    numPositionEmbeddings: published.num_position_embeddings ?? 2304,
    deepstackBlocks: published.deepstack_visual_indexes ?? [8, 16, 24],
  };
  return parseQwen3VlConfig({ ...text, vision, image: publishedImage(preprocessor, vision) });
}
