/**
 * The shape of a vision-language model, as data. Names are those of the Qwen2-VL configuration in camelCase.
 *
 * The language side is a Qwen2 decoder: RMSNorm, rotary positions, grouped-query attention with biases on query, key
 * and value, SwiGLU. The vision side is that of Qwen2-VL, with the learned positions of Qwen3-VL as an option.
 */
import { GymError } from '@vlgym/core';
import { z } from 'zod';

/** Far above any published model; a size beyond it is a damaged file, found before memory is asked for. */
const positive = z
  .number()
  .int()
  .positive()
  .max(2 ** 24);
const layers = positive.max(1_000);

const visionSchema = z.object({
  /** Transformer blocks. */
  depth: layers,
  hiddenSize: positive,
  numHeads: positive,
  /** Width inside the MLP. */
  intermediateSize: positive,
  /** Side of a patch in pixels. */
  patchSize: positive.default(14),
  /** This many patches per side become one token of the decoder. */
  spatialMergeSize: positive.default(2),
  /** A still is this many equal frames. */
  temporalPatchSize: positive.default(2),
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
  minPixels: positive,
  maxPixels: positive,
  /** Per channel, of values in [0, 1]. */
  mean: z.tuple([z.number(), z.number(), z.number()]),
  std: z.tuple([z.number(), z.number(), z.number()]),
});

export const modelConfigSchema = z
  .object({
    vocabSize: positive,
    hiddenSize: positive,
    numHiddenLayers: layers,
    numAttentionHeads: positive,
    numKeyValueHeads: positive,
    headDim: positive,
    intermediateSize: positive,
    /** Tokens of the longest prompt, pictures included. Attention costs their square. */
    maxPositionEmbeddings: positive.default(8_192),
    rmsNormEps: z.number().positive().default(1e-6),
    ropeTheta: z.number().positive().default(10_000),
    /** Query, key and value have biases. */
    attentionBias: z.boolean().default(true),
    /** The output layer is the embedding table. */
    tieWordEmbeddings: z.boolean().default(false),
    /** Standard deviation of starting weights. */
    initializerRange: z.number().positive().default(0.02),
    /** Widths of the hidden layers of the value head. */
    valueHead: z.array(positive).max(16).default([3072, 2048]),
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

export type ModelConfig = z.output<typeof modelConfigSchema>;
export type ModelConfigInput = z.input<typeof modelConfigSchema>;

/** A model configuration that describes no model. */
export class ModelConfigError extends GymError {
  constructor(readonly issues: readonly { readonly path: string; readonly message: string }[]) {
    const [first] = issues;
    super(`The model configuration is not valid: ${first?.path || 'the object'}: ${first?.message}.`, {
      code: 'MODEL_CONFIG_INVALID',
      value: issues,
      expected: 'the fields of `modelConfigSchema`',
      hint: 'start from `presets.tiny` and change single fields',
    });
  }
}

/** @throws {ModelConfigError} Fields are missing, of another type, or do not go together. */
export function parseModelConfig(config: ModelConfigInput): ModelConfig {
  const result = modelConfigSchema.safeParse(config);
  if (result.success) return result.data;
  throw new ModelConfigError(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}
