/** The fields that the configuration of every family has, and the error for an invalid one. */
import { GymError } from '@vlgym/core';
import { z } from 'zod';

/** Far above any published model; a size beyond it is a damaged file, found before memory is asked for. */
export const sizeSchema = z
  .number()
  .int()
  .positive()
  .max(2 ** 24);

/** Fields of `LanguageModelConfig`, to be spread into the schema of a family. */
export const languageModelFields = {
  vocabSize: sizeSchema,
  hiddenSize: sizeSchema,
  /** Maximum number of prompt tokens, pictures included. Attention costs their square. */
  maxPositionEmbeddings: sizeSchema.default(8_192),
  /** Widths of the hidden layers of the value head. */
  valueHead: z.array(sizeSchema).max(16).default([3072, 2048]),
};

/** A model configuration that describes no model. */
export class ModelConfigError extends GymError {
  constructor(readonly issues: readonly { readonly path: string; readonly message: string }[]) {
    const [first] = issues;
    super(`Invalid model configuration: ${first?.path || 'the object'}: ${first?.message}.`, {
      code: 'MODEL_CONFIG_INVALID',
      value: issues,
      expected: 'the fields that the schema of the model family names',
      hint: 'start from the configuration of a preset and change single fields',
    });
  }
}

/** @throws {ModelConfigError} `config` does not fit the schema. */
export function parseModelConfig<Schema extends z.ZodType>(schema: Schema, config: unknown): z.output<Schema> {
  const result = schema.safeParse(config);
  if (result.success) return result.data;
  throw new ModelConfigError(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}
