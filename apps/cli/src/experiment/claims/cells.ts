/**
 * `cells.json`: every run of a design, with every attempt at every task. Each printed figure is computed from this file alone.
 *
 * It is replaced as a whole after every run, so that a kill leaves the runs before it.
 */
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import { z } from 'zod';
import { textIn } from '../../folders/text-file.js';
import { type Design, designDigest, parseDesign, valueAt } from './design.js';

export const CELLS_SCHEMA = 'vlgym.cells/1';
const CELLS_FILE = 'cells.json';

const count = z.number().int().nonnegative();
/** Hits, out of how many. */
const share = z.tuple([count, count]).refine(([hits, of]) => hits <= of, 'hits, and at least as many trials');

const cellSchema = z.strictObject({
  task: z.string(),
  /** 0, 1, … of this task, in the order of the evaluation's seeds. */
  attempt: count,
  /** Seed of the episode, the same in every arm. */
  seed: count,
  success: z.boolean(),
  /** Success without an unreadable answer. */
  strict: z.boolean(),
  /** Legal answers, of all answers. */
  legal: share,
  /** Correct thoughts, of the readable ones that the environment checked. */
  thoughts: share,
});

const placed = { world: z.string(), arm: z.string(), block: z.string(), warmStart: count, seed: count };

const finishedSchema = z.strictObject({
  ...placed,
  status: z.literal('finished'),
  /** Key of `configs`. */
  config: z.string(),
  /** Index in `machines`. */
  machine: count,
  /** Load average over a minute when the run ended. */
  load: z.number().nonnegative(),
  wallSeconds: z.number().nonnegative(),
  checksThoughts: z.boolean(),
  measures: z.strictObject({
    /** Mean success over updates. */
    area: z.number(),
    /** Least-squares slope of success in training over the last third of the updates, per update. */
    'late-slope': z.number().optional(),
    /** Success of the merged teacher minus that of the newest weights on the same seeds, mean over updates. */
    'teacher-gap': z.number().optional(),
    /** The same of their correct thoughts. */
    'teacher-thought-gap': z.number().optional(),
    /** Self-BLEU-2 of first answers in the last update, in [0, 1]. */
    'self-bleu': z.number().optional(),
    /** Share of distinct texts among the readable thoughts of the last evaluation. */
    'distinct-thoughts': z.number().optional(),
    /** Nats per token of an answer that its picture is worth against that of another episode, in the last update. */
    sight: z.number().optional(),
    /** The same against a gray picture. */
    'sight-gray': z.number().optional(),
    'cpu-seconds': z.number().nonnegative(),
  }),
  /** [update, successes, episodes] */
  curve: z.array(z.tuple([count, count, count])),
  alarms: z.array(z.string()),
  cells: z.array(cellSchema).min(1),
});

const failedSchema = z.strictObject({ ...placed, status: z.literal('failed'), error: z.string() });

const machineSchema = z.strictObject({
  vlgym: z.string(),
  /** Commit of the sources; `unknown` for an installed package. `+changes`: with changes that no commit has. */
  commit: z.string(),
  cpu: z.string(),
  cores: count,
  memoryBytes: count,
  node: z.string(),
  platform: z.string(),
});

/** Names the place of a run in its design. */
export const placeKey = ({ world, arm, block }: { world: string; arm: string; block: string }): string =>
  JSON.stringify([world, arm, block]);

const fileSchema = z.strictObject({
  schema: z.literal(CELLS_SCHEMA),
  digest: z.string(),
  /** As in its file. */
  design: z.unknown(),
  machines: z.array(machineSchema),
  /** Settings in force with their origins, by digest: runs of one arm share them. */
  configs: z.record(z.string(), z.unknown()),
  runs: z
    .array(z.discriminatedUnion('status', [finishedSchema, failedSchema]))
    .refine((runs) => new Set(runs.map(placeKey)).size === runs.length, 'each run once'),
});

export type Cell = z.output<typeof cellSchema>;
export type FinishedRun = z.output<typeof finishedSchema>;
export type FailedRun = z.output<typeof failedSchema>;
export type Machine = z.output<typeof machineSchema>;
export type CellsFile = z.output<typeof fileSchema>;

export interface ReadCells {
  readonly design: Design;
  readonly file: CellsFile;
  readonly path: string;
}

const cellsPath = (folder: string) => join(folder, CELLS_FILE);

export const writeCells = (folder: string, file: CellsFile): Promise<void> =>
  writeFileAtomic(cellsPath(folder), `${JSON.stringify(file)}\n`);

/**
 * @param path  A folder with `cells.json`, or the file.
 * @returns `undefined` for a missing file.
 * @throws {GymError} `CELLS_INVALID`: not the cells of a design, or a design that is not the one of its digest.
 */
export async function readCells(path: string): Promise<ReadCells | undefined> {
  const file = path.endsWith('.json') ? path : cellsPath(path);
  const text = await textIn(file);
  if (text === undefined) return undefined;
  const refuse = (message: string, value: unknown, expected: string, cause?: unknown) =>
    new GymError(message, {
      code: 'CELLS_INVALID',
      value,
      expected,
      hint: 'use the file as `vlgym bench --design` has written it; the runs beside it make a new one',
      ...(cause ? { cause } : {}),
    });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw refuse(`${file} is not JSON.`, text.slice(0, 80), `JSON of ${CELLS_SCHEMA}`, cause);
  }
  const parsed = fileSchema.safeParse(data);
  if (!parsed.success) {
    const { path: keys = [], message = '' } = parsed.error.issues[0] ?? {};
    throw refuse(
      `${file} does not hold cells: ${keys.map(String).join('.') || 'the file'}.`,
      valueAt(data, keys),
      message,
    );
  }
  const { digest, design } = parsed.data;
  const found = designDigest(design);
  if (found !== digest) throw refuse(`The design in ${file} is not the one that it was run for.`, found, digest);
  return { design: parseDesign(design, file), file: parsed.data, path: file };
}
