/** The options of `make`, and their strict check. */
import { z } from 'zod';
import type { RenderMode } from '../env.js';
import { option, parseOptions } from '../parse-options.js';
import type { EnvWrapper } from '../wrappers/pipe.js';
import { closest } from './closest.js';

/** @typeParam Allowed  Options of the environment. @typeParam Given  The exact type of the given options. */
export interface MakeOptions<Allowed = Readonly<Record<string, unknown>>, Given extends Allowed = Allowed> {
  /** Options of the environment's constructor; they override the registered defaults. */
  readonly options?: ([Given] extends [never] ? Allowed : Given & NoOthers<Given, Allowed>) | undefined;
  readonly renderMode?: RenderMode | undefined;
  /** Replaces the registered limit; -1 for none. */
  readonly maxEpisodeSteps?: number | undefined;
  readonly orderEnforce?: boolean | undefined;
  readonly disableChecker?: boolean | undefined;
  /** Further wrappers, innermost first; they wrap all others. */
  readonly wrappers?: readonly EnvWrapper[] | undefined;
}

type NoOthers<Given, Allowed> = string extends keyof Allowed
  ? unknown
  : { readonly [K in Exclude<keyof Given, keyof Allowed>]: never };

const steps = 'an integer of 1 or more, or -1 for no limit';
const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'an object with the options of the environment',
);
const wrapper = z.custom<EnvWrapper>((value) => typeof value === 'function', 'a wrapper: a function from env to env');

export const makeShape = {
  options: object.optional(),
  renderMode: option.renderMode().optional(),
  maxEpisodeSteps: z
    .int({ error: steps })
    .refine((value) => value === -1 || value >= 1, { error: steps })
    .optional(),
  orderEnforce: option.boolean().optional(),
  disableChecker: option.boolean().optional(),
  wrappers: z.array(wrapper, { error: 'a list of wrappers, innermost first' }).readonly().optional(),
} satisfies Record<keyof MakeOptions, z.ZodType>;

const schema = z.strictObject(makeShape);

/** @throws {UnknownOptionError | InvalidOptionError} An unknown key may be an option of the environment: the hint says where. */
export function checkMakeOptions(call: 'make' | 'makeVec', options: unknown, known: z.ZodObject = schema): void {
  const names = Object.keys(known.shape);
  parseOptions(options, known, {
    example: `${call}(id, { options: { … } })`,
    hintFor: (key) =>
      closest(key, names) === undefined
        ? `options of the environment go under \`options\`: ${call}(id, { options: { ${key}: … } })`
        : undefined,
  });
}
