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
import { areDistinct, blockName, type Design, designDigest, parseDesign, valueAt } from './design.js';

export const CELLS_SCHEMA = 'vlgym.cells/1';
const CELLS_FILE = 'cells.json';

const count = z.number().int().nonnegative();
const ratio = z.number().min(0).max(1);
/** Between two shares. */
const gap = z.number().min(-1).max(1);
/** The limit keeps sums finite. */
const seconds = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
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
  wallSeconds: seconds,
  checksThoughts: z.boolean(),
  /** SHA-256 of `policy.json` of the weights that took the place of a warm start. */
  start: z.string().optional(),
  measures: z.strictObject({
    /** Mean success over updates. */
    area: ratio,
    /** Least-squares slope of success in training over the last third of the updates, per update. */
    'late-slope': gap.optional(),
    /** Success of the merged teacher minus that of the newest weights on the same seeds, mean over updates. */
    'teacher-gap': gap.optional(),
    /** The same of their correct thoughts. */
    'teacher-thought-gap': gap.optional(),
    /** Self-BLEU-2 of first answers in the last update, in [0, 1]. */
    'self-bleu': ratio.optional(),
    /** Share of distinct texts among the readable thoughts of the last evaluation. */
    'distinct-thoughts': ratio.optional(),
    /** Nats per token of an answer that its picture is worth against that of another episode, in the last update. */
    sight: z.number().optional(),
    /** The same against a gray picture. */
    'sight-gray': z.number().optional(),
    'cpu-seconds': seconds,
  }),
  /** [update, successes, episodes] */
  curve: z.array(z.tuple([count, count, count])),
  alarms: z.array(z.string()),
  cells: z
    .array(cellSchema)
    .min(1)
    .refine(
      (cells) => areDistinct(cells.map(({ task, attempt }) => JSON.stringify([task, attempt]))),
      'each attempt once',
    )
    .refine((cells) => areDistinct(cells.map(({ seed }) => seed)), 'a seed of its own for each episode'),
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

const fileSchema = z
  .strictObject({
    schema: z.literal(CELLS_SCHEMA),
    digest: z.string(),
    /** As in its file. */
    design: z.unknown(),
    machines: z.array(machineSchema),
    /** Settings in force with their origins, by digest: runs of one arm share them. */
    configs: z.record(z.string(), z.unknown()),
    runs: z
      .array(z.discriminatedUnion('status', [finishedSchema, failedSchema]))
      .refine((runs) => areDistinct(runs.map(placeKey)), 'each run once'),
  })
  .superRefine(({ machines, configs, runs }, context) => {
    for (const [index, run] of runs.entries()) {
      const refuse = (key: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['runs', index, key], message });
      const block = blockName(run.warmStart, run.seed);
      if (run.block !== block) refuse('block', `${block}, by its warm start and seed`);
      if (run.status === 'failed') continue;
      if (!Object.hasOwn(configs, run.config)) refuse('config', 'a key of `configs`');
      if (run.machine >= machines.length) refuse('machine', 'an index in `machines`');
    }
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
 * @throws {GymError} `CELLS_INVALID`: not the cells of a design, values that no run has, or a design that is not the one of
 *   its digest.
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
