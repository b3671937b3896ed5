/**
 * Three kinds of options, by who may set them.
 *
 * `algorithm`: what makes an algorithm that algorithm, such as clip bounds, the KL, epochs, λ. Its file sets them, and whoever
 * runs it by name of the option; never a model or an environment. Every option is of this kind unless marked.
 * `task`: what depends on the size of the model or on the task, such as learning rate, batch, γ, length of responses. The
 * declarations of model and environment may set them. `speed`: speed and memory alone; a model may set them.
 */
import { isRecord } from '@vlgym/core/internal';
import { z } from 'zod';
import type { OptionsSchema } from './compose.js';

export type OptionKind = 'algorithm' | 'task' | 'speed';

/** Key of the metadata of an option. */
const KIND = 'optionKind';

/** Marks an option that depends on the size of the model or on the task. Around everything else, `.describe(…)` included. */
export const taskOption = <T extends z.ZodType>(option: T): T => option.meta({ [KIND]: 'task' }) as T;

/** Marks an option that changes speed and memory alone. */
export const speedOption = <T extends z.ZodType>(option: T): T => option.meta({ [KIND]: 'speed' }) as T;

/** The part of a JSON schema that options are described with. */
export interface OptionSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly OptionSchema[];
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  readonly items?: OptionSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** One option of an algorithm. */
export interface OptionEntry {
  /** E.g. `['loss', 'clipLow']`. */
  readonly path: readonly string[];
  readonly kind: OptionKind;
  /** Range, and what the schema says of it. */
  readonly schema: OptionSchema;
}

/** Every option of a schema, sections opened, in its order. */
export function optionEntries(options: OptionsSchema): OptionEntry[] {
  return leaves(described(options), []);
}

/** Paths of overrides that the algorithm has no option for, e.g. `value.warmupUpdates`. */
export function unknownOverrides(options: OptionsSchema, overrides: object): string[] {
  return missing(overrides, described(options), []);
}

const described = (options: OptionsSchema): OptionSchema =>
  z.toJSONSchema(options, { io: 'output', unrepresentable: 'any' }) as OptionSchema;

function missing(overrides: object, { properties }: OptionSchema, path: readonly string[]): string[] {
  if (!properties) return [];
  return Object.entries(overrides).flatMap(([key, value]) => {
    const here = [...path, key];
    const inner = properties[key];
    if (!inner) return [here.join('.')];
    return isRecord(value) ? missing(value, inner, here) : [];
  });
}

function leaves(schema: OptionSchema, path: readonly string[]): OptionEntry[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const here = [...path, key];
    if (inner.properties) return leaves(inner, here);
    const kind = (inner as { readonly [KIND]?: OptionKind })[KIND] ?? 'algorithm';
    return [{ path: here, kind, schema: inner }];
  });
}
