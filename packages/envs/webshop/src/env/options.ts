/** Options of the environments, and their checks. */
import { type BaseEnvOptions, parseOptions } from '@vlgym/core';
import { DIALOGUE_STYLES } from '@vlgym/site/text';
import { z } from 'zod';

const count = (low: number, high: number) => z.number().int().min(low).max(high);

/** Source of the products: a folder written by `importCatalog` or `generateCatalog`, or generated in memory. */
const catalogOption = z.union([
  z.strictObject({ folder: z.string().min(1) }),
  z.strictObject({
    products: count(100, 50_000).optional(),
    seed: count(0, 2 ** 31 - 1).optional(),
    visual: z.number().min(0).max(1).optional(),
    wording: z.enum(['plain', 'shop']).optional(),
  }),
]);

const OBSERVATION_MODES = ['text', 'text_rich', 'html', 'url'] as const;

export const shopOptions = {
  catalog: catalogOption.optional(),
  goals: z.enum(['human', 'synthetic']).optional(),
  split: z.enum(['all', 'train', 'dev', 'test']).optional(),
  /** How `split` divides goals: by their positions as in a paper, or by task keys (`content`). */
  splitScheme: z.enum(['webshop', 'verl-agent', 'agentbench', 'react', 'ragen', 'content']).optional(),
  goalDraw: z.enum(['parity', 'fixed']).optional(),
  /** Indices of goals to use in place of a split. */
  goalIndices: z.array(count(0, 10_000_000)).min(1).readonly().optional(),
  limitGoals: count(1, 10_000_000).optional(),
  goalSeed: count(0, 2 ** 31 - 1).optional(),
  priceSeed: count(0, 2 ** 31 - 1).optional(),
  priceBounds: z.enum(['drawn', 'enumerated']).optional(),
  productsPerPage: count(1, 50).optional(),
  searchShortcuts: z.boolean().optional(),
  showAttributes: z.boolean().optional(),
  cart: z.boolean().optional(),
  fuzzy: z.enum(['difflib', 'indel']).optional(),
  strict: z.boolean().optional(),
};

export const textOptions = z.strictObject({
  ...shopOptions,
  observationMode: z.enum(OBSERVATION_MODES).optional(),
  numPrevObs: count(0, 100).optional(),
  numPrevActions: count(0, 100).optional(),
  afterDone: z.enum(['error', 'continue']).optional(),
  dialogue: z.enum([...DIALOGUE_STYLES, 'chat-v1']).optional(),
  renderMode: z.enum(['ansi']).optional(),
});

export type WebShopOptions = z.input<typeof textOptions> & BaseEnvOptions;

/** Options of `reset`; the environments check goals and sessions. */
export const episodeOptions = z.strictObject({ goal: z.unknown().optional(), session: z.unknown().optional() });

/** @throws {UnknownOptionError | InvalidOptionError} */
export function checkedOptions<S extends z.ZodObject>(schema: S, options: unknown): z.output<S> {
  return parseOptions(options, schema);
}
