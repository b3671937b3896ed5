/** Checks of options, shared by all packages: a typing error must not change a task silently. */
import { GymError, show } from './errors.js';
import { closest } from './registry/closest.js';

/** An option with an invalid value, including NaN and infinities. */
export class InvalidOptionError extends GymError {
  constructor(
    readonly option: string,
    value: unknown,
    expected: string,
    hint?: string,
  ) {
    super(`Invalid ${option}: ${show(value)}.`, {
      code: 'INVALID_OPTION',
      value,
      expected,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** An option that does not exist. */
export class UnknownOptionError extends GymError {
  /**
   * @param known  The existing options; the closest is suggested.
   * @param hint   The next step, if it is better than a list of names.
   * @param env    Id of the environment that lacks it.
   */
  constructor(
    readonly option: string,
    known: readonly string[],
    hint?: string,
    env?: string,
  ) {
    const suggestion = closest(option, known);
    super(`Unknown option "${option}"${env === undefined ? '' : ` of ${env}`}.`, {
      code: 'UNKNOWN_OPTION',
      value: option,
      hint:
        hint ??
        (suggestion ? `did you mean "${suggestion}"?` : known.length ? `known: ${known.join(', ')}` : 'remove it'),
    });
  }
}

/** Options of which any may be missing or `undefined`. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Options of which none is missing. */
export type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** The options, and the default of each one that is missing or `undefined`. */
export function withDefaults<T extends object>(defaults: T, options: Given<T>): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(given) as Partial<T>) };
}

/** Every name of a type, kept complete by the compiler: `names<Budget>({ requests: 0, … })`. */
export const names = <T>(each: { readonly [K in keyof Required<T>]: 0 }): readonly string[] => Object.keys(each);

/**
 * For callers without types: a misspelled option would otherwise change nothing.
 *
 * @param option  Name of the options, for the message.
 * @throws {UnknownOptionError}  A name is not in `known`; the nearest one is suggested.
 * @throws {InvalidOptionError}  The options are not an object.
 */
export function checkNames(option: string, options: unknown, known: readonly string[]): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new InvalidOptionError(option, options, `an object with some of ${known.join(', ')}`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UnknownOptionError(unknown, known);
}

/** @throws {InvalidOptionError} `value` is not one of those allowed. */
export function checkedOneOf<T extends string>(option: string, value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  throw new InvalidOptionError(option, value, allowed.map((name) => `'${name}'`).join(', '));
}

/** @throws {InvalidOptionError} `value` is not a number from `low` to `high`. */
export function checkedNumber(option: string, value: unknown, low: number, high: number): number {
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw new InvalidOptionError(option, value, `a number from ${low} to ${high}`);
}

/** @throws {InvalidOptionError} `value` is not an integer from `low` to `high`. */
export function checkedInteger(option: string, value: unknown, low: number, high = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return value as number;
  const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`;
  throw new InvalidOptionError(option, value, `an integer ${range}`);
}
