/** `sweep.json`: the points of a sweep, and the scores of every rung that has ended. */
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { canonicalJson, writeFileAtomic } from '@vlgym/core/internal';
import { z } from 'zod';
import { jsonIn } from '../../folders/text-file.js';

const SCHEMA = 'vlgym.sweep/1';

const scoreSchema = z.strictObject({
  seed: z.int().nonnegative(),
  /** Absent if the run has failed. */
  score: z.number().optional(),
  error: z.string().optional(),
});

const fileSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  /** Everything that decides which points there are and how they are judged. */
  plan: z.record(z.string(), z.unknown()),
  points: z.array(z.strictObject({ name: z.string(), values: z.record(z.string(), z.unknown()) })).min(1),
  rungs: z.array(
    z.strictObject({
      updates: z.int().positive(),
      /** By name of the point, for those that took part. */
      scores: z.record(z.string(), z.array(scoreSchema)),
    }),
  ),
});

export type SweepFile = z.output<typeof fileSchema>;
export type SeedScore = z.output<typeof scoreSchema>;
export type Rung = SweepFile['rungs'][number];

/**
 * Continues the sweep of a folder.
 *
 * @throws {GymError} `SWEEP_DIFFERS`: the folder holds another one. `SWEEP_INVALID`.
 */
export async function openSweep(folder: string, { plan, points }: Pick<SweepFile, 'plan' | 'points'>) {
  const path = join(folder, 'sweep.json');
  const data = await jsonIn(path);
  const fresh: SweepFile = { schema: SCHEMA, plan: JSON.parse(JSON.stringify(plan)), points: [...points], rungs: [] };
  if (data === undefined) return fresh;
  const found = fileSchema.safeParse(data);
  if (!found.success) {
    throw new GymError(`${path} is not a sweep: ${found.error.issues[0]?.path.join('.') || 'the file'}.`, {
      code: 'SWEEP_INVALID',
      expected: SCHEMA,
      hint: 'name another --out, or restore the file',
    });
  }
  const differs = Object.keys({ ...fresh.plan, ...found.data.plan }).find(
    (key) => textOf(fresh.plan[key]) !== textOf(found.data.plan[key]),
  );
  if (differs !== undefined) {
    throw new GymError(`${path} is a sweep with another ${differs}.`, {
      code: 'SWEEP_DIFFERS',
      value: found.data.plan[differs],
      expected: textOf(fresh.plan[differs]),
      hint: 'repeat its command to continue it, or name another --out',
    });
  }
  return found.data;
}

const textOf = (value: unknown) => (value === undefined ? 'nothing' : canonicalJson(value as never));

export const writeSweep = (folder: string, file: SweepFile): Promise<void> =>
  writeFileAtomic(join(folder, 'sweep.json'), `${JSON.stringify(file, null, 1)}\n`);

/** The mean over seeds; undefined if one of them has no score. */
export function meanOf(scores: readonly SeedScore[]): number | undefined {
  if (scores.length === 0 || scores.some(({ score }) => score === undefined)) return undefined;
  return scores.reduce((sum, { score }) => sum + score!, 0) / scores.length;
}
