/** Specs through files and threads: JSON text that rebuilds the environment with all its wrappers. */
import { z } from 'zod';
import { SpecJsonError } from '../errors.js';
import type { EnvSpec } from './spec.js';

const optionsSchema = z.record(z.string(), z.unknown());

/** Keys of a spec, in the order in which they are written. */
export const SPEC_SHAPE = {
  id: z.string(),
  module: z.string().optional(),
  options: optionsSchema.optional(),
  renderMode: z.enum(['rgb_array', 'ansi', 'human']).optional(),
  maxEpisodeSteps: z.int().optional(),
  rewardThreshold: z.number().optional(),
  nondeterministic: z.boolean().optional(),
  orderEnforce: z.boolean().optional(),
  disableChecker: z.boolean().optional(),
  wrappers: z.array(z.strictObject({ name: z.string(), options: optionsSchema.optional() })).optional(),
} satisfies { readonly [K in keyof Required<EnvSpec>]: z.ZodType };

const specSchema = z.strictObject(SPEC_SHAPE);

/**
 * The spec as JSON text.
 *
 * @throws {SpecJsonError} An option is a function or another value that JSON cannot carry; the message names its path.
 */
export function specToJson(spec: EnvSpec): string {
  refuseWhatJsonDrops(spec, 'spec');
  return JSON.stringify(spec);
}

/** @throws {SpecJsonError} The text is not JSON, or not a spec. */
export function specFromJson(text: string): EnvSpec {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new SpecJsonError('spec', text, { expected: `JSON text (${(cause as Error).message})` });
  }
  const parsed = specSchema.safeParse(data);
  if (parsed.success) return parsed.data as EnvSpec;
  const issue = parsed.error.issues[0]!;
  throw new SpecJsonError(['spec', ...issue.path].join('.'), valueAt(data, issue.path), { expected: issue.message });
}

function refuseWhatJsonDrops(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseWhatJsonDrops(item, `${path}[${index}]`);
    });
    return;
  }
  if (typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) refuseWhatJsonDrops(item, `${path}.${key}`);
    }
    return;
  }
  throw new SpecJsonError(path, value, {
    expected: 'plain JSON data',
    hint:
      typeof value === 'function'
        ? 'wrap it in a wrapper of your own, give that a name with `registerWrapper`, and put data into its options'
        : 'pass it to the constructor in a form that JSON can hold',
  });
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data);
}
