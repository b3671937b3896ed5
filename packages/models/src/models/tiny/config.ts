/**
 * The shape of a model of this family, as data. Names are those of the Qwen2-VL configuration in camelCase.
 *
 * The language side is a Qwen2 decoder: RMSNorm, rotary positions, grouped-query attention with biases on query, key
 * and value, SwiGLU. The vision side is that of Qwen2-VL, with the learned positions of Qwen3-VL as an option.
 */
import { z } from 'zod';
import { languageModelFields, parseModelConfig, sizeSchema } from '../../model-config.js';

const layers = sizeSchema.max(1_000);

const visionSchema = z.object({
  /** Transformer blocks. */
  depth: layers,
  hiddenSize: sizeSchema,
  numHeads: sizeSchema,
  /** Width inside the MLP. */
  intermediateSize: sizeSchema,
  /** Side of a patch in pixels. */
  patchSize: sizeSchema.default(14),
  /** This many patches per side become one token of the decoder. */
  spatialMergeSize: sizeSchema.default(2),
  /** A picture is repeated as this many frames. */
  temporalPatchSize: sizeSchema.default(2),
  /** Learned positions on a square of this many entries, resampled to the picture's grid; 0 for none. */
  numPositionEmbeddings: z
    .number()
    .int()
    .nonnegative()
    .max(2 ** 24)
    .default(0),
});

const imageSchema = z.object({
  /** Pictures are resized so that their number of pixels lies between these. */
  minPixels: sizeSchema,
  maxPixels: sizeSchema,
  /** Per channel, of values in [0, 1]. */
  mean: z.tuple([z.number(), z.number(), z.number()]),
  std: z.tuple([z.number(), z.number(), z.number()]),
});

const tinyConfigSchema = z
  .object({
    ...languageModelFields,
    numHiddenLayers: layers,
    numAttentionHeads: sizeSchema,
    numKeyValueHeads: sizeSchema,
    headDim: sizeSchema,
    intermediateSize: sizeSchema,
    rmsNormEps: z.number().positive().default(1e-6),
    ropeTheta: z.number().positive().default(10_000),
    /** Query, key and value have biases. */
    attentionBias: z.boolean().default(true),
    /** The output layer is the embedding table. */
    tieWordEmbeddings: z.boolean().default(false),
    /** Standard deviation of the initial weights. */
    initializerRange: z.number().positive().default(0.02),
    vision: visionSchema,
    image: imageSchema,
  })
  .refine((config) => config.numAttentionHeads % config.numKeyValueHeads === 0, {
    path: ['numKeyValueHeads'],
    error: 'must divide numAttentionHeads',
  })
  .refine(({ headDim }) => headDim % 2 === 0, { path: ['headDim'], error: 'must be even: rotations take pairs' })
  .refine(({ vision }) => vision.hiddenSize % (4 * vision.numHeads) === 0, {
    path: ['vision', 'hiddenSize'],
    error: 'must be a multiple of 4 * numHeads: rotations take pairs for rows and for columns',
  })
  .refine(({ vision }) => Number.isInteger(Math.sqrt(vision.numPositionEmbeddings)), {
    path: ['vision', 'numPositionEmbeddings'],
    error: 'must be a square number',
  })
  .refine(({ image }) => image.minPixels <= image.maxPixels, {
    path: ['image', 'minPixels'],
    error: 'must not be above maxPixels',
  });

export type TinyConfig = z.output<typeof tinyConfigSchema>;
export type TinyConfigInput = z.input<typeof tinyConfigSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseTinyConfig(config: TinyConfigInput): TinyConfig {
  return parseModelConfig(tinyConfigSchema, config);
}
