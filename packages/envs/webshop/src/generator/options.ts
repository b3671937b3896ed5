/** Schema of the options of the generator. */
import { z } from 'zod';

export const generatorOptions = z.strictObject({
  products: z.number().int().min(100).max(1_200_000).default(1000),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0),
  visual: z.number().min(0).max(1).default(0),
  wording: z.enum(['plain', 'shop']).default('plain'),
});
