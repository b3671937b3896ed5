/**
 * One strict check of an environment's options with its zod schema: unknown keys, invalid values, not an object.
 *
 * A key that is `undefined` counts as missing. The first problem is thrown; `option` makes schemas whose errors have the
 * wording of `InvalidOptionError`.
 */
import { z } from 'zod';
import type { RenderMode } from './env.js';
import { show } from './errors.js';
import { InvalidOptionError, UnknownOptionError } from './options.js';
import { isRecord } from './type-tests.js';

export interface ParseSettings {
  /** Hint for options that are not an object: an example call. */
  readonly example?: string | undefined;
  /** Further known names that were consumed before, used for suggestions. */
  readonly others?: readonly string[] | undefined;
  /** Options of other environments of the same package. */
  readonly elsewhere?: readonly string[] | undefined;
  /** A better hint for an unknown key than the list of known ones. */
  readonly hintFor?: ((key: string) => string | undefined) | undefined;
}

/**
 * @param schema  A strict object; its keys are the known options.
 * @throws {UnknownOptionError}  A key is not in the schema; the closest one is suggested.
 * @throws {InvalidOptionError}  A value does not fit, or `options` is not an object.
 */
export function parseOptions<S extends z.ZodObject>(
  options: unknown,
  schema: S,
  { example, others = [], elsewhere = [], hintFor }: ParseSettings = {},
): z.output<S> {
  if (!isRecord(options)) {
    throw new InvalidOptionError('options', options, 'an object; omit it for the defaults', example);
  }
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const another = elsewhere.includes(unknown) ? 'another environment of this package has it' : undefined;
    throw new UnknownOptionError(unknown, [...others, ...known], another ?? hintFor?.(unknown));
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const result = schema.safeParse(given, { error: expectedBy });
  if (result.success) return result.data;
  const { path, message, ...issue } = result.error.issues[0]!;
  const value = valueAt(given, path);
  if (issue.code === 'unrecognized_keys') throw new UnknownOptionError([...path, issue.keys[0]].join('.'), [], message);
  throw new InvalidOptionError(path.join('.'), value, message);
}

const RENDER_MODES = ['rgb_array', 'ansi', 'human'] as const satisfies readonly RenderMode[];

/** Schemas of common options. */
export const option = {
  integer: (low: number, high = Number.MAX_SAFE_INTEGER) => {
    const error = `an integer ${high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`}`;
    return z.int({ error }).min(low, { error }).max(high, { error });
  },
  number: (low: number, high: number) => {
    const error = `a number from ${low} to ${high}`;
    return z.number({ error }).min(low, { error }).max(high, { error });
  },
  boolean: () => z.boolean({ error: 'true or false' }),
  oneOf: <const T extends readonly string[]>(allowed: T) =>
    z.enum(allowed as unknown as { [K in T[number]]: K }, { error: allowed.map((name) => `'${name}'`).join(', ') }),
  path: (what: string) => z.string({ error: what }).min(1, { error: what }),
  renderMode: <const T extends readonly RenderMode[] = typeof RENDER_MODES>(modes: T = RENDER_MODES as never) =>
    option.oneOf(modes),
} as const;

/** The value at a path; `undefined` if the path does not exist. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined | null)?.[key], data);
}

/** The value that zod expected, as a noun: `a string`, `'train', 'test'`, `100 or more`. */
export function expectedBy(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return article(issue.expected);
    case 'invalid_value':
      return issue.values.map((value) => show(value)).join(', ');
    case 'too_small':
      return `${issue.minimum} or more${unit(issue.origin)}`;
    case 'too_big':
      return `${issue.maximum} or less${unit(issue.origin)}`;
    default:
      return undefined;
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  record: 'an object',
  object: 'an object',
  null: 'null',
};
const article = (type: string) => NOUNS[type] ?? `a ${type}`;
const unit = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');
