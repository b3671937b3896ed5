/**
 * From layers of options to a configuration. Unknown keys, values out of range, and options that contradict each other
 * are errors that name what is known.
 */
import { closest, GymError } from '@vlgym/core';
import { isRecord, mergeDeep } from '@vlgym/core/internal';
import type { z } from 'zod';

export { mergeDeep };

/** Options of one algorithm: a strict object of option groups. */
export type OptionsSchema = z.ZodObject<z.ZodRawShape>;

type DeepPartial<T> = T extends object ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> | undefined } : T;

/** Any options of an algorithm, laid over its own. */
export type Overrides<Schema extends OptionsSchema> = DeepPartial<z.output<Schema>>;

/** An option that is unknown to the algorithm, a value out of range, or options that contradict each other. */
export class InvalidConfigError extends GymError {
  constructor(
    /** The option's path, e.g. `loss.clipLow`. */
    readonly path: string,
    message: string,
    options: { readonly value?: unknown; readonly expected?: string; readonly hint?: string },
  ) {
    super(message, { code: 'INVALID_CONFIG', ...options });
  }
}

/**
 * Lays overrides over each other, later ones winning, and fills in defaults.
 *
 * @throws {InvalidConfigError} An unknown key (with the nearest known one), a value out of range, a format bonus that pays
 *   more than success, or a critic fitted separately whose loss should reach the backbone.
 */
export function composeConfig<Schema extends OptionsSchema>(
  schema: Schema,
  ...layers: readonly object[]
): z.output<Schema> {
  const merged = layers.reduce<Record<string, unknown>>(mergeDeep, {});
  const result = schema.safeParse(merged);
  if (!result.success) throw describe(schema, result.error.issues[0]!, merged);
  refuseStalling(result.data as Partial<PaidFormat>);
  refuseOpenCritic(result.data as Partial<WithCritic>);
  return result.data as z.output<Schema>;
}

interface PaidFormat {
  readonly reward: { readonly formatValid: number; readonly formatEntry?: string };
  readonly advantage: { readonly gamma?: number; readonly gammaTurn?: number };
  readonly critic: { readonly gamma?: number };
}

/**
 * With success worth `scale` and a bonus b·scale at every step, stalling forever earns b / (1 − γ), success at step k
 * b·(1 − γ^k) / (1 − γ) + γ^(k − 1). Success earns more, for every k, exactly if b·γ < 1 − γ. Sums without a discount have γ = 1.
 */
function refuseStalling({ reward, advantage, critic }: Partial<PaidFormat>): void {
  if (!reward) return;
  const { formatValid, formatEntry = 'reward' } = reward;
  const [name, gamma] = discountOf(advantage, critic);
  if (formatEntry !== 'reward' || formatValid <= 0 || formatValid * gamma < 1 - gamma) return;
  const limit = (1 - gamma) / gamma;
  throw new InvalidConfigError('reward.formatValid', 'The format bonus pays more for stalling than for success.', {
    value: formatValid,
    expected:
      limit > 0
        ? `less than (1 − γ) / γ = ${Number(limit.toPrecision(3))} for ${name} ${gamma}`
        : '0 or less for returns without a discount',
    hint: 'use reward: { formatValid: 0 }; the penalty reward.formatInvalid stays',
  });
}

/** The discount of an environment step: of a turn where tokens have another, of the critic where it alone has one. */
function discountOf(
  advantage: PaidFormat['advantage'] | undefined,
  critic: PaidFormat['critic'] | undefined,
): [name: string, gamma: number] {
  if (advantage?.gammaTurn !== undefined) return ['advantage.gammaTurn', advantage.gammaTurn];
  if (advantage?.gamma !== undefined) return ['advantage.gamma', advantage.gamma];
  return ['critic.gamma', critic?.gamma ?? 1];
}

interface WithCritic {
  readonly value: { readonly epochs: number | null; readonly stopGradient: boolean };
}

/** Fitted on stored hidden states, a value loss reaches the value head only. */
function refuseOpenCritic({ value }: Partial<WithCritic>): void {
  if (!value || value.epochs === null || value.stopGradient) return;
  throw new InvalidConfigError('value.epochs', 'A value loss that reaches the backbone cannot have its own epochs.', {
    value: value.epochs,
    expected: 'null with stopGradient: false',
    hint: 'set value: { stopGradient: false, epochs: null }',
  });
}

function describe(schema: OptionsSchema, issue: z.core.$ZodIssue, config: unknown): InvalidConfigError {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = keysAt(schema, at);
    const nearest = closest(key, known);
    const path = [...at, key].join('.');
    return new InvalidConfigError(path, `Unknown option "${path}".`, {
      value: key,
      expected: `one of ${known.join(', ')}`,
      hint: nearest
        ? `did you mean "${[...at, nearest].join('.')}"?`
        : 'see the table of options in the README of @vlgym/rl',
    });
  }
  const path = at.join('.');
  // two options that contradict each other: one of them may be a default
  const value = valueAtPath(config, at) ?? valueAtPath(schema.parse({}), at);
  return new InvalidConfigError(path, `Invalid ${path}: ${JSON.stringify(value)}.`, { value, expected: issue.message });
}

/** The value at a path of a configuration; undefined if there is none. */
export const valueAtPath = (config: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), config);

/** Known keys of one section, read from the defaults. */
function keysAt(schema: OptionsSchema, path: readonly string[]): string[] {
  const section = valueAtPath(schema.parse({}), path);
  return Object.keys(isRecord(section) ? section : {});
}
