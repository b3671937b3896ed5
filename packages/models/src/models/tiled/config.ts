/**
 * The shape of a model that reads a picture as square tiles of one size: the fields of its decoder, and those that the
 * vision encoder and the preparation of pictures have in every family.
 */
import { z } from 'zod';
import type { LanguageModelConfig } from '../../language-model.js';
import { ModelConfigError, parseModelConfig, sizeSchema } from '../../model-config.js';
import { DECODERS } from '../shared/decoders.js';
import type { TextOnlyConfig } from '../shared/text-config.js';

const triple = z.tuple([z.number(), z.number(), z.number()]);

/** A vision transformer as SigLIP (arXiv 2303.15343) and CLIP (arXiv 2103.00020) have it. */
const towerSchema = z.object({
  depth: sizeSchema.max(1_000),
  hiddenSize: sizeSchema,
  numHeads: sizeSchema,
  intermediateSize: sizeSchema,
  patchSize: sizeSchema,
  /** Side in pixels of the pictures that its positions were made for. */
  imageSize: sizeSchema,
  layerNormEps: z.number().positive(),
  activation: z.enum(['gelu', 'gelu-tanh', 'quick-gelu']),
});

/** How bytes become numbers. */
export const pixelFields = {
  mean: triple,
  std: triple,
  /** Bytes are times this first; null: as they are. */
  rescale: z.number().positive().nullable(),
  /** Minus `mean`, over `std`. */
  normalize: z.boolean(),
  resample: z.enum(['bilinear', 'bicubic', 'lanczos']),
};

/** Fields besides those of the decoder. */
export const tiledFields = {
  /** `model_type` of the decoder. */
  decoderType: z.enum(Object.keys(DECODERS) as [string, ...string[]]),
  /** Id that stands for one token of a picture. */
  imageTokenId: z.number().int().nonnegative(),
  vision: towerSchema,
  image: z.object(pixelFields),
};

const tiledSchema = z.object(tiledFields);

export type TowerConfig = z.output<typeof towerSchema>;
export type PixelConfig = Pick<z.output<typeof tiledSchema>['image'], keyof typeof pixelFields>;
export type TiledConfig = TextOnlyConfig & z.output<typeof tiledSchema>;

/**
 * The decoder's fields, and those of the family's schema.
 *
 * @throws {ModelConfigError} Fields are missing, of another type, or contradict each other.
 */
export function parseTiledConfig<Own extends z.output<typeof tiledSchema>>(
  schema: z.ZodType<Own>,
  config: unknown,
): TextOnlyConfig & Own {
  const own = parseModelConfig(schema, config);
  const text = DECODERS[own.decoderType]!.parseConfig(config) as LanguageModelConfig as TextOnlyConfig;
  const isBeyond = own.imageTokenId >= text.vocabSize;
  checkTower(own, isBeyond ? [{ path: 'imageTokenId', message: 'must be below vocabSize' }] : []);
  return { ...text, ...own };
}

/**
 * @param others  Issues of other parts.
 * @throws {ModelConfigError}
 */
export function checkTower(
  { vision, image }: Pick<z.output<typeof tiledSchema>, 'vision' | 'image'>,
  others: readonly { readonly path: string; readonly message: string }[] = [],
): void {
  const issues = [
    vision.hiddenSize % vision.numHeads !== 0 && ['vision.hiddenSize', 'must be a multiple of numHeads'],
    vision.patchSize > vision.imageSize && ['vision.patchSize', 'must not be above imageSize'],
    image.std.includes(0) && ['image.std', 'must not contain 0'],
  ].flatMap((issue) => (issue ? [{ path: issue[0]!, message: issue[1]! }] : []));
  if (issues.length + others.length > 0) throw new ModelConfigError([...issues, ...others]);
}
