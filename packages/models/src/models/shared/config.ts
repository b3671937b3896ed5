/**
 * The shape of a model of the Qwen-VL family, as plain data in camelCase. Each family adds its own fields of the vision
 * encoder (`../qwen2-vl/config.ts` and its neighbors); `published-config.ts` reads the published spelling.
 */
import { z } from 'zod';
import { languageModelFields, sizeSchema } from '../../model-config.js';

const layers = sizeSchema.max(1_000);
const triple = z.tuple([z.number(), z.number(), z.number()]);
const pairs = z.number().int().nonnegative().max(4_096);

/** Fields of every decoder. */
export const decoderFields = {
  ...languageModelFields,
  numHiddenLayers: layers,
  numAttentionHeads: sizeSchema,
  numKeyValueHeads: sizeSchema,
  headDim: sizeSchema,
  intermediateSize: sizeSchema,
  rmsNormEps: z.number().positive(),
  ropeTheta: z.number().positive(),
  tieWordEmbeddings: z.boolean(),
  /** Standard deviation of fresh weights. */
  initializerRange: z.number().positive().default(0.02),
};

/** Fields of the language side. */
export const textFields = {
  ...decoderFields,
  /** Frequency pairs that follow time, height and width. */
  mropeSection: z.tuple([pairs, pairs, pairs]),
  /** Id that stands for one token of a picture. */
  imageTokenId: z.number().int().nonnegative(),
};

/** Fields of the vision side that all families have. */
export const visionFields = {
  depth: layers,
  /** Width of the patches. */
  hiddenSize: sizeSchema,
  numHeads: sizeSchema,
  intermediateSize: sizeSchema,
  patchSize: sizeSchema,
  spatialMergeSize: sizeSchema,
  temporalPatchSize: sizeSchema,
};

/** How pictures become pixels. */
export const imageSchema = z.object({
  minPixels: sizeSchema,
  maxPixels: sizeSchema,
  mean: triple,
  std: triple,
  resample: z.literal('bicubic').default('bicubic'),
});

const visionSchema = z.object(visionFields);
const sharedSchema = z.object({ ...textFields, vision: visionSchema, image: imageSchema });

export type VisionConfig = z.output<typeof visionSchema>;
/** The settings that the shared parts of a model read. */
export type QwenConfig = z.output<typeof sharedSchema>;

/** Rules that hold in every family, to be passed to `superRefine`. */
export function checkShape(config: QwenConfig, context: z.RefinementCtx): void {
  const { vision, image, mropeSection, headDim } = config;
  const rule = (path: readonly (string | number)[], holds: boolean, message: string) => {
    if (!holds) context.addIssue({ code: 'custom', path: [...path], message });
  };
  rule(['numKeyValueHeads'], config.numAttentionHeads % config.numKeyValueHeads === 0, 'must divide numAttentionHeads');
  rule(['headDim'], headDim % 2 === 0, 'must be even: rotations take pairs');
  const sections = mropeSection.reduce((sum, section) => sum + section, 0);
  rule(['mropeSection'], sections === headDim / 2, `must add up to ${headDim / 2}, half of headDim`);
  rule(
    ['vision', 'hiddenSize'],
    vision.hiddenSize % (4 * vision.numHeads) === 0,
    'must be a multiple of 4 * numHeads: rotations take pairs for rows and for columns',
  );
  rule(['image', 'minPixels'], image.minPixels <= image.maxPixels, 'must not be above maxPixels');
  rule(['image', 'std'], !image.std.includes(0), 'must not contain 0');
  rule(['imageTokenId'], config.imageTokenId < config.vocabSize, 'must be below vocabSize');
}
