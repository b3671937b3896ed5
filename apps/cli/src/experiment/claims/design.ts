/**
 * A design: what is claimed, which runs will say so, and how much that may cost, written down before the runs.
 *
 * Its digest stands in every result, so that a design that was changed after a look at results is another one.
 */
import { createHash } from 'node:crypto';
import { GymError } from '@vlgym/core';
import { canonicalJson } from '@vlgym/core/internal';
import { z } from 'zod';
import { textIn } from '../../folders/text-file.js';
import { taskSchema } from '../spec.js';
import { OUTCOMES } from './outcome-names.js';

const DESIGN_SCHEMA = 'vlgym.design/1';

/** Names of worlds and arms are parts of folders. */
const name = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,39}$/, 'at most 40 lower-case letters, digits, dots and dashes');
export const areDistinct = (values: readonly unknown[]) => new Set(values).size === values.length;
const seedList = z.array(z.number().int().nonnegative()).min(1).refine(areDistinct, 'distinct seeds');
const side = z
  .union([name, z.array(name).min(1)])
  .transform((arms) => (Array.isArray(arms) ? arms : [arms]))
  .refine(areDistinct, 'each arm once');

const armSchema = z.strictObject({
  algorithm: z.string().default('').describe('name of `vlgym algorithms`'),
  control: z.string().optional().describe('a control in place of the algorithm, as of `vlgym train --control`'),
  replicate: z.boolean().default(false),
  set: z.record(z.string(), z.unknown()).default({}).describe('hyperparameters over those of the algorithm'),
  note: z.string().optional(),
});

const contrastSchema = z.strictObject({
  id: z.string().regex(/^\w[\w.-]{0,19}$/),
  /** Tests of one family are corrected together. */
  family: z.string().min(1),
  claim: z.string().min(1),
  world: name,
  /** The effect is first − second; of several arms the mean in each block. */
  first: side,
  /** Absent: 0, for an outcome that is a difference already, such as `teacher-gap`. */
  second: side.default([]),
  outcome: z.enum(OUTCOMES),
  /** `spread`: how much the outcome varies between runs, not its mean. */
  test: z.enum(['mean', 'spread']).default('mean'),
  /** Sign of the effect that is claimed. */
  expect: z.enum(['higher', 'lower']).default('higher'),
  /** Arms that differ by less are equal, in the unit of the outcome; without one nothing is called equal. */
  margin: z.number().positive().optional(),
});

/** Outcomes that 0 means something for. */
const DIFFERENCES: readonly string[] = ['gain', 'teacher-gap', 'teacher-thought-gap'];

const outcomeList = z.array(z.enum(OUTCOMES));

const designSchema = z
  .strictObject({
    schema: z.literal(DESIGN_SCHEMA),
    title: z.string().min(1),
    notes: z.array(z.string()).default([]),
    /** A pilot says how much runs vary and what they cost; nothing holds by it. */
    pilot: z.strictObject({ plannedBlocks: z.number().int().positive() }).optional(),
    worlds: z.record(name, z.strictObject(taskSchema.omit({ warmStartSeed: true }).shape).extend({ env: z.string() })),
    arms: z.record(name, armSchema),
    blocks: z.strictObject({ warmStarts: seedList, seeds: seedList }),
    outcomes: z.strictObject({ primary: outcomeList.min(1), secondary: outcomeList.default([]) }),
    contrasts: z.array(contrastSchema).min(1),
    budget: z.strictObject({
      cpuHours: z.number().positive().describe('no block begins after this'),
      cpuMinutesPerRun: z.number().positive().describe('expected'),
    }),
    /** No rule looks at results: a design ends after its blocks, its budget, or too many failures. */
    stop: z.strictObject({ failedRuns: z.number().int().positive() }),
  })
  .superRefine(({ worlds, arms, blocks, outcomes, contrasts }, context) => {
    const used = new Set(contrasts.flatMap(({ first, second }) => [...first, ...second]));
    const known = [...outcomes.primary, ...outcomes.secondary];
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const [index, { id, world, first, second, outcome }] of contrasts.entries()) {
      const at = (key: string) => ['contrasts', index, key];
      if (contrasts.findIndex((other) => other.id === id) < index) refuse(at('id'), 'an id of its own');
      if (!Object.hasOwn(worlds, world)) refuse(at('world'), `one of ${Object.keys(worlds).join(', ')}`);
      const strange = [...first, ...second].find((arm) => !Object.hasOwn(arms, arm));
      if (strange !== undefined) refuse(at('first'), `arms among ${Object.keys(arms).join(', ')}, not ${strange}`);
      if (second.length === 0 && !DIFFERENCES.includes(outcome))
        refuse(at('second'), `an arm; only ${DIFFERENCES.join(' and ')} are compared with 0`);
      if (first.some((arm) => second.includes(arm))) refuse(at('second'), 'other arms than first');
      if (!known.includes(outcome)) refuse(at('outcome'), `one of ${known.join(', ')}`);
    }
    for (const arm of Object.keys(arms)) if (!used.has(arm)) refuse(['arms', arm], 'an arm of some contrast');
    for (const [world, { start }] of Object.entries(worlds)) {
      // runs that start from the same weights with the same seed are one run
      if (start !== undefined && blocks.warmStarts.length > 1)
        refuse(['blocks', 'warmStarts'], 'one, beside given weights');
      if (!contrasts.some((each) => each.world === world)) refuse(['worlds', world], 'the world of some contrast');
    }
    for (const [arm, { algorithm, control }] of Object.entries(arms)) {
      if (algorithm === '' && control === undefined) refuse(['arms', arm], 'an algorithm or a control');
    }
  });

export type Design = z.output<typeof designSchema>;
export type Contrast = Design['contrasts'][number];

/** A warm start with a training seed: what all arms share. */
export interface Block {
  readonly block: string;
  readonly warmStart: number;
  readonly seed: number;
}

export const blockName = (warmStart: number, seed: number) => `${warmStart}.${seed}`;

/** In the order in which they run: every warm start once before a second seed. */
export const blocksOf = ({ blocks: { warmStarts, seeds } }: Design): Block[] =>
  seeds.flatMap((seed) => warmStarts.map((warmStart) => ({ block: blockName(warmStart, seed), warmStart, seed })));

/** The arms that the contrasts compare, by world, in the order of the design. */
export function armsOf({ worlds, arms, contrasts }: Design): { world: string; arm: string }[] {
  const has = (world: string, arm: string) =>
    contrasts.some((each) => each.world === world && [...each.first, ...each.second].includes(arm));
  return Object.keys(worlds).flatMap((world) =>
    Object.keys(arms).flatMap((arm) => (has(world, arm) ? [{ world, arm }] : [])),
  );
}

/** Digest of the file's data; spaces and the order of keys do not matter. */
export const designDigest = (data: unknown): string =>
  `sha256:${createHash('sha256')
    .update(canonicalJson(data as Parameters<typeof canonicalJson>[0]))
    .digest('hex')}`;

/** The value at a path of keys; `undefined` if there is none. */
export const valueAt = (data: unknown, keys: readonly PropertyKey[]): unknown =>
  keys.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], data);

/** @throws {GymError} `DESIGN_INVALID`. */
export function parseDesign(data: unknown, path: string): Design {
  const parsed = designSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const { path: keys = [], message } = parsed.error.issues[0] ?? {};
  throw new GymError(`${path} is not a design: ${keys.map(String).join('.') || 'the file'}.`, {
    code: 'DESIGN_INVALID',
    value: valueAt(data, keys),
    expected: message ?? DESIGN_SCHEMA,
    hint: 'docs/claims/README.md describes the format',
  });
}

export interface ReadDesign {
  readonly design: Design;
  /** As in the file. */
  readonly data: unknown;
  readonly digest: string;
}

/** @throws {GymError} `DESIGN_INVALID`: it is missing, is not JSON, or not a design. */
export async function readDesign(path: string): Promise<ReadDesign> {
  const text = await textIn(path);
  const refuse = (message: string, value: unknown, cause?: unknown) =>
    new GymError(message, {
      code: 'DESIGN_INVALID',
      value,
      expected: `a JSON file of ${DESIGN_SCHEMA}`,
      hint: 'docs/claims/vl-dac/design.json is one',
      ...(cause ? { cause } : {}),
    });
  if (text === undefined) throw refuse(`No design was found at ${path}.`, path);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw refuse(`${path} is not JSON.`, text.slice(0, 80), cause);
  }
  return { design: parseDesign(data, path), data, digest: designDigest(data) };
}
