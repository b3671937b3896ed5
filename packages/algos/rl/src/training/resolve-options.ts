/**
 * The options of a run and who set each: the algorithm's own, its published code's, then layers such as the declarations of
 * model and environment, a config file, the command line.
 */
import { isDeepStrictEqual } from 'node:util';
import { mergeDeep, valueAtPath } from '../config/compose.js';
import { type OptionKind, type OptionSchema, optionEntries, unknownOverrides } from '../config/option-kinds.js';
import type { Algorithm, PresetOptions, Presets } from './algorithm.js';

/** Options from one place, laid over those of the layers before. */
export interface OptionLayer {
  /** The place, in a word: `model`, `environment`, `flag`. */
  readonly origin: string;
  readonly values: object;
  /** Kinds of options that it may set, for a declaration: the rest is left out. Default: all, and a misspelled one is an error. */
  readonly kinds?: readonly OptionKind[] | undefined;
}

export interface ResolvedOption {
  /** E.g. `loss.clipLow`. */
  readonly name: string;
  readonly value: unknown;
  /** `algorithm`, `published`, or the origin of a layer. */
  readonly origin: string;
  /** The algorithm's own value; in a replication, that of the published code. */
  readonly own: unknown;
  readonly kind: OptionKind;
  /** Range, and what the schema says of it. */
  readonly schema: OptionSchema;
}

/** A value that is not the algorithm's own. */
export type Departure = Pick<ResolvedOption, 'name' | 'value' | 'origin' | 'own'>;

/** An option of a declaration that does not apply. */
export interface LeftOutOption {
  readonly name: string;
  readonly origin: string;
  /** The algorithm has no such option, or alone decides about it. */
  readonly reason: 'unknown' | 'algorithm';
}

export interface ResolvedOptions {
  readonly algorithm: Algorithm;
  /** All of them, in the order of the schema; one that is optional and not set has the value undefined. */
  readonly options: readonly ResolvedOption[];
  readonly leftOut: readonly LeftOutOption[];
}

/** @throws {InvalidConfigError} As of the preset. */
export function resolveOptions(
  preset: Presets[string],
  layers: readonly OptionLayer[],
  { replicate = false }: PresetOptions = {},
): ResolvedOptions {
  const entries = optionEntries(preset.options);
  const allowed = layers.map((layer) => ({ ...layer, values: within(entries, layer) }));
  const overrides = allowed.reduce<Record<string, unknown>>((merged, { values }) => mergeDeep(merged, values), {});
  const algorithm = preset(overrides, { replicate });
  const own = preset({}, { replicate }).config;
  const bases = [
    ...(replicate && preset.published ? [{ origin: 'published', values: preset.published }] : []),
    ...allowed,
  ];
  const options = entries.map(({ path, kind, schema }) => ({
    name: path.join('.'),
    value: valueAtPath(algorithm.config, path),
    origin: bases.findLast(({ values }) => valueAtPath(values, path) !== undefined)?.origin ?? 'algorithm',
    own: valueAtPath(own, path),
    kind,
    schema,
  }));
  return { algorithm, options, leftOut: layers.flatMap((layer) => leftOutOf(preset, layer, options)) };
}

/** Options that differ from the algorithm's own values, except those that only affect speed and memory. */
export const departuresOf = ({ options }: Pick<ResolvedOptions, 'options'>): Departure[] =>
  options
    .filter(({ kind, value, own }) => kind !== 'speed' && !isDeepStrictEqual(value, own))
    .map(({ name, value, origin, own }) => ({ name, value, origin, own }));

type Entries = ReturnType<typeof optionEntries>;

/** The values that a layer is allowed to set. */
function within(entries: Entries, { values, kinds }: OptionLayer): object {
  if (!kinds) return values;
  return entries
    .filter(({ path, kind }) => kinds.includes(kind) && valueAtPath(values, path) !== undefined)
    .reduce<Record<string, unknown>>((kept, { path }) => {
      const value = valueAtPath(values, path);
      return mergeDeep(kept, path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object);
    }, {});
}

/** @param options  In force: a declaration that says the same loses nothing. */
function leftOutOf(
  preset: Presets[string],
  { origin, values, kinds }: OptionLayer,
  options: readonly ResolvedOption[],
): LeftOutOption[] {
  if (!kinds) return [];
  const unknown = unknownOverrides(preset.options, values).map((name) => ({
    name,
    origin,
    reason: 'unknown' as const,
  }));
  const refused = optionEntries(preset.options).flatMap(({ path, kind }, index) => {
    const value = valueAtPath(values, path);
    if (value === undefined || kinds.includes(kind) || isDeepStrictEqual(value, options[index]!.value)) return [];
    return [{ name: path.join('.'), origin, reason: 'algorithm' as const }];
  });
  return [...unknown, ...refused];
}
