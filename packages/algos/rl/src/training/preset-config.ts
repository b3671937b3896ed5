/**
 * From layers of choices to a configuration: unknown keys, values out of range, and choices that the algorithm would
 * ignore are errors that name what is known.
 */
import { closest, GymError } from '@vlgym/core';
import type { z } from 'zod';
import { type AlgorithmConfig, type AlgorithmOverrides, algorithmConfigSchema } from './config.js';

/** A choice that does not exist, that this algorithm does not use, or a value it cannot have. */
export class InvalidConfigError extends GymError {
  constructor(
    /** Where, e.g. `loss.clipLow`. */
    readonly path: string,
    message: string,
    options: { readonly value?: unknown; readonly expected?: string; readonly hint?: string },
  ) {
    super(message, { code: 'INVALID_CONFIG', ...options });
  }
}

type Section = keyof AlgorithmConfig;

export interface PresetScope {
  readonly name: string;
  /** Sections that this algorithm has no use for. */
  readonly without?: readonly Section[];
}

/**
 * The configuration of one preset: `algorithmConfig` that also refuses sections the algorithm does not read.
 *
 * @throws {InvalidConfigError} As `algorithmConfig`, and for a section the algorithm does not use.
 */
export function presetConfig(
  { name, without = [] }: PresetScope,
  ...layers: readonly AlgorithmOverrides[]
): AlgorithmConfig {
  const unused = without.find((section) => layers.some((layer) => layer[section] !== undefined));
  if (unused) {
    const known = keysAt([]).filter((section) => !without.includes(section as Section));
    throw new InvalidConfigError(unused, `Unknown option "${unused}" for ${name}.`, {
      value: unused,
      expected: `one of ${known.join(', ')}`,
      hint: `${name} has no ${unused}; leave it out, or use a preset that has`,
    });
  }
  return algorithmConfig(...layers);
}

/**
 * Lays overrides over the choices of a preset, later ones winning, and fills in defaults.
 *
 * @throws {InvalidConfigError} An unknown key (with the nearest known one), a value outside its range, a choice that
 *   would be ignored, a format bonus that pays more than success, or a critic fitted apart whose loss should reach the backbone.
 */
export function algorithmConfig(...layers: readonly AlgorithmOverrides[]): AlgorithmConfig {
  const merged = layers.reduce<Record<string, unknown>>((sum, layer) => mergeDeep(sum, layer), {});
  const result = algorithmConfigSchema.safeParse(merged);
  if (!result.success) throw describe(result.error.issues[0]!, merged);
  refuseIgnored(result.data, isRecord(merged.loss) ? merged.loss : {});
  refuseStalling(result.data);
  refuseOpenCritic(result.data);
  return result.data;
}

/** Choices of the loss that only one kind of ratio reads. */
const READ_BY = {
  token: ['dualClip', 'aggregation', 'constantLength'],
  step: ['thoughtCoefficient', 'span', 'ratioGuard'],
} as const;

function refuseIgnored({ loss: { level } }: AlgorithmConfig, given: Readonly<Record<string, unknown>>): void {
  const other = level === 'token' ? 'step' : 'token';
  const ignored = READ_BY[other].find((key) => given[key] !== undefined && given[key] !== null);
  if (ignored === undefined) return;
  throw new InvalidConfigError(`loss.${ignored}`, `The option "loss.${ignored}" needs ${other} ratios.`, {
    value: given[ignored],
    expected: `loss.level: '${other}', or one of ${READ_BY[level].join(', ')} with ${level} ratios`,
    hint: `leave it out, or choose a preset with ${other} ratios`,
  });
}

/**
 * With success worth `scale` and a bonus b·scale at every step, stalling forever earns b / (1 − γ), success at step k
 * b·(1 − γ^k) / (1 − γ) + γ^(k − 1). Success earns more, whatever k, exactly when b·γ < 1 − γ.
 */
function refuseStalling({ reward: { formatValid, formatEntry }, advantage: { gamma } }: AlgorithmConfig): void {
  if (formatEntry !== 'reward' || formatValid <= 0 || formatValid * gamma < 1 - gamma) return;
  const limit = (1 - gamma) / gamma;
  throw new InvalidConfigError('reward.formatValid', 'The format bonus pays more for stalling than for success.', {
    value: formatValid,
    expected: `less than (1 − γ) / γ = ${Number(limit.toPrecision(3))} for advantage.gamma ${gamma}`,
    hint: 'use reward: { formatValid: 0 }; the penalty reward.formatInvalid stays',
  });
}

/** Fitted on stored hidden states, a value loss reaches nothing but the value head. */
function refuseOpenCritic({ value: { epochs, stopGradient } }: AlgorithmConfig): void {
  if (epochs === null || stopGradient) return;
  throw new InvalidConfigError('value.epochs', 'A value loss that reaches the backbone has no epochs of its own.', {
    value: epochs,
    expected: 'null with stopGradient: false',
    hint: 'set value: { stopGradient: false, epochs: null }',
  });
}

function mergeDeep(base: Record<string, unknown>, over: object): Record<string, unknown> {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = merged[key];
    merged[key] = isRecord(value) && isRecord(before) ? mergeDeep(before, value) : value;
  }
  return merged;
}

function describe(issue: z.core.$ZodIssue, config: unknown): InvalidConfigError {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = keysAt(at);
    const near = closest(key, known);
    const path = [...at, key].join('.');
    return new InvalidConfigError(path, `Unknown option "${path}".`, {
      value: key,
      expected: `one of ${known.join(', ')}`,
      hint: near ? `did you mean "${[...at, near].join('.')}"?` : 'see `algorithmConfigSchema` for every option',
    });
  }
  const path = at.join('.');
  const value = at.reduce<unknown>((object, key) => (isRecord(object) ? object[key] : undefined), config);
  return new InvalidConfigError(path, `Invalid ${path}: ${JSON.stringify(value)}.`, {
    value,
    expected: issue.message,
  });
}

/** Known keys of one section, read from the defaults. */
function keysAt(path: readonly string[]): string[] {
  const defaults = algorithmConfigSchema.parse({}) as unknown;
  const section = path.reduce<unknown>((object, key) => (isRecord(object) ? object[key] : undefined), defaults);
  return Object.keys(isRecord(section) ? section : {});
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
