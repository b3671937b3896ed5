/** Options of the environments: what there is, what is refused. */
import { type BaseEnvOptions, closest, GymError, show } from '@vlgym/core';
import { z } from 'zod';

const count = (low: number, high: number) => z.number().int().min(low).max(high);

/** Where the products come from: a folder that `importCatalogue` or `generateCatalogue` wrote, or made up in memory. */
export const catalogueOption = z.union([
  z.strictObject({ folder: z.string().min(1) }),
  z.strictObject({
    products: count(100, 50_000).optional(),
    seed: count(0, 2 ** 31 - 1).optional(),
    visual: z.number().min(0).max(1).optional(),
  }),
]);

export const OBSERVATION_MODES = ['text', 'text_rich', 'html', 'url'] as const;
export const DIALOGUE_STYLES = ['json-v1', 'tags-v1', 'tools-v1'] as const;

export const shopOptions = {
  catalogue: catalogueOption.optional(),
  goals: z.enum(['human', 'synthetic']).optional(),
  split: z.enum(['all', 'train', 'dev', 'test']).optional(),
  splitScheme: z.enum(['webshop', 'verl-agent', 'agentbench', 'react', 'ragen']).optional(),
  goalDraw: z.enum(['parity', 'fixed']).optional(),
  limitGoals: count(1, 10_000_000).optional(),
  goalSeed: count(0, 2 ** 31 - 1).optional(),
  priceSeed: count(0, 2 ** 31 - 1).optional(),
  productsPerPage: count(1, 50).optional(),
  searchShortcuts: z.boolean().optional(),
  showAttributes: z.boolean().optional(),
  fuzzy: z.enum(['difflib', 'indel']).optional(),
  strict: z.boolean().optional(),
};

export const textOptions = z.strictObject({
  ...shopOptions,
  observationMode: z.enum(OBSERVATION_MODES).optional(),
  numPrevObs: count(0, 100).optional(),
  numPrevActions: count(0, 100).optional(),
  afterDone: z.enum(['error', 'continue']).optional(),
  dialogue: z.enum(DIALOGUE_STYLES).optional(),
  renderMode: z.enum(['ansi']).optional(),
});

export type ShopEnvOptions = z.input<ReturnType<typeof z.object<typeof shopOptions>>>;
export type WebShopOptions = z.input<typeof textOptions> & BaseEnvOptions;

/** @throws {UnknownOptionError | InvalidOptionError} An option is misspelt or has a value it cannot have. */
export function checkedOptions<S extends z.ZodObject>(schema: S, options: unknown): z.output<S> {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(options as object).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new UnknownOptionError(unknown, known);
  const defined = Object.fromEntries(Object.entries(options as object).filter(([, value]) => value !== undefined));
  const result = schema.safeParse(defined);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  const name = path.map(String).join('.');
  throw new InvalidOptionError(
    name,
    path.reduce<unknown>((at, key) => (at as never)?.[key], defined),
    message,
  );
}

/** An option of a constructor with a value it cannot have. */
export class InvalidOptionError extends GymError {
  constructor(
    readonly option: string,
    value: unknown,
    expected: string,
  ) {
    super(`The option \`${option}\` cannot be ${show(value)}.`, {
      code: 'INVALID_OPTION',
      value,
      expected,
      hint: 'the README of @vlgym/webshop lists the options',
    });
  }
}

/** An option that there is not: a typing error would change the task in silence. */
export class UnknownOptionError extends GymError {
  constructor(
    readonly option: string,
    known: readonly string[],
  ) {
    const near = closest(option, known);
    super(`There is no option "${option}".`, {
      code: 'UNKNOWN_OPTION',
      value: option,
      hint: near ? `did you mean "${near}"?` : `there are: ${known.join(', ')}`,
    });
  }
}
