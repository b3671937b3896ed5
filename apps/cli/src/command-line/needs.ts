/**
 * Options that work only beside others. The entry of an option in its table says what it needs (`.meta(needs({ … }))`), and
 * one function refuses it where it would change nothing: what was typed is what happens.
 *
 * A key is another option, an environment variable, or a fact that a command adds because it depends on more than options
 * (`player`: the kind of agent). Facts are values that can be printed: `--agent random`, `the preset tiny`.
 */
import { isDeepStrictEqual } from 'node:util';
import { show } from '@vlgym/core';
import { isRecord } from '@vlgym/core/internal';
import type { z } from 'zod';
import { kebab } from './cli-hints.js';
import { type Condition, type Flag, flagsOf, type Needs } from './flags.js';
import type { Given } from './given.js';
import { UsageError } from './usage-error.js';

export interface NeedsMeta {
  readonly [key: string]: unknown;
  /** One of these is enough. */
  readonly needs: readonly Needs[];
  readonly needsHint: string | undefined;
}

/** For `.meta()` of an option. */
export const needs = (conditions: Needs | readonly Needs[], hint?: string): NeedsMeta => ({
  needs: [conditions].flat() as Needs[],
  needsHint: hint,
});

/** A command, or anything with a table of options. */
interface Table {
  readonly options: z.ZodType;
  readonly positional?: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * @param values  Options, and facts of the command; conditions on facts that are not among them are left to a later call.
 * @param given   The options that were typed. Defaults are refused nowhere.
 * @throws {UsageError} An option that would change nothing.
 */
export function checkNeeds({ options, positional }: Table, values: Values, given: Given): void {
  const flags = flagsOf(options);
  const isKnown = (key: string) => key in values || isVariable(key) || flags.some((each) => each.key === key);
  for (const flag of flags) {
    if (!asksForMore(flag, values[flag.key], given[flag.key])) continue;
    const known = flag.needs.filter((each) => Object.keys(each).every(isKnown));
    if (known.length < Math.max(flag.needs.length, 1) || known.some((each) => !failing(each, values))) continue;
    throw refusal(flag, known, values, new Names(flags, positional));
  }
}

/** A default in a file that several commands share, and a switch that is off anyway, ask for nothing. */
function asksForMore({ fallback }: Flag, value: unknown, origin: Given[string] | undefined): boolean {
  if (origin === undefined || value === undefined || (value === false && fallback !== true)) return false;
  return origin !== 'file' || !isDeepStrictEqual(value, fallback);
}

const isVariable = (key: string) => /^[A-Z_]+$/.test(key);
const valueAt = (key: string, values: Values): unknown => (isVariable(key) ? process.env[key] : values[key]);
const isSet = (value: unknown) =>
  !(value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0));

/** The first condition that does not hold. */
const failing = (all: Needs, values: Values): [key: string, condition: Condition] | undefined =>
  Object.entries(all).find(([key, condition]) => !holds(condition, valueAt(key, values)));

function holds(condition: Condition, value: unknown): boolean {
  if (typeof condition === 'boolean') return isSet(value) === condition;
  return 'not' in condition ? !isDeepStrictEqual(value, condition.not) : condition.includes(value);
}

function refusal(flag: Flag, known: readonly Needs[], values: Values, names: Names): UsageError {
  const [key, condition] = failing(known.at(-1)!, values)!;
  const value = valueAt(key, values);
  const own = values[flag.key];
  const option = names.typed(flag.key, own);
  const more = { value: own, hint: flag.needsHint ?? 'leave out what is not meant' };
  const wanted = known.map((each) => names.wanted(failing(each, values)!)).join(' or ');
  if (known.length > 1 || condition === true || !isSet(value)) {
    return new UsageError(`${option} needs ${wanted}.`, { ...more, expected: wanted });
  }
  if (condition === false) {
    return new UsageError(`${names.of(flag.key)} and ${names.of(key)} exclude each other.`, {
      ...more,
      expected: 'one of them',
    });
  }
  return new UsageError(`${option} is not used by ${names.typed(key, value)}.`, { ...more, expected: wanted });
}

/** How options are typed; a fact is its value. */
class Names {
  constructor(
    private readonly flags: readonly Flag[],
    private readonly positional: string | undefined,
  ) {}

  /** `--seed`, `FOLDER`, `VLGYM_QUEUE`. */
  of(key: string): string {
    if (key === this.positional) return key.toUpperCase();
    return this.#isFlag(key) ? `--${kebab(key)}` : key;
  }

  /** `--seed 3`, `--no-open`, `slurm`. */
  typed(key: string, value: unknown): string {
    const text = typeof value === 'string' ? value : show(value);
    if (!this.#isFlag(key) || key === this.positional) return text;
    if (typeof value === 'boolean') return value ? this.of(key) : `--no-${kebab(key)}`;
    return isRecord(value) || Array.isArray(value) ? this.of(key) : `${this.of(key)} ${text}`;
  }

  wanted([key, condition]: readonly [string, Condition]): string {
    if (condition === true) return this.of(key);
    if (condition === false) return `no ${this.of(key)}`;
    if ('not' in condition) return `another value than ${this.typed(key, condition.not)}`;
    const [first, ...rest] = condition;
    return [this.typed(key, first), ...rest.map(String)].join(' or ');
  }

  #isFlag(key: string): boolean {
    return this.flags.some((flag) => flag.key === key);
  }
}
