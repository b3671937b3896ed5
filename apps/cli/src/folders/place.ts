/**
 * One rule for the folders that commands are given. What is named is one of these, as it is or with `@update` behind it:
 *
 *     RUN, RUN@latest, RUN@12      a run of `train`, `bench` or `sft`; its newest checkpoint, or the one of an update
 *     RUN/checkpoint-000012        a checkpoint
 *     RUN/start, RUN/policy        a warm start, or weights alone
 *     RECORDING                    episodes: of a run, of `evaluate({ record })`, or a suite with one folder for each cell
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../command-line/usage-error.js';
import { textIn } from './text-file.js';

const CHECKPOINT = /^checkpoint-(\d+)$/;

export interface Checkpoint {
  readonly update: number;
  readonly folder: string;
}

export interface Place {
  /** As it was typed. */
  readonly given: string;
  readonly folder: string;
  /** The update behind `@`, or that of the checkpoint itself. */
  readonly update: number | 'latest';
  /** The folder of the run that it is, or lies in. */
  readonly run: string | undefined;
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isRun = async (folder: string) =>
  (await exists(join(folder, 'run.json'))) || (await checkpointsIn(folder)).length > 0;

/** @throws {UsageError} There is nothing, or the text after `@` is not an update. */
export async function placeOf(given: string): Promise<Place> {
  const [path, suffix] = (await exists(given)) ? [given] : split(given);
  const folder = resolve(path);
  if (!(await exists(folder))) {
    throw new UsageError(`${given} does not exist.`, {
      expected: 'the folder of a run, of a checkpoint or of recorded episodes',
      hint: 'vlgym status FOLDER lists the runs below a folder',
    });
  }
  const own = CHECKPOINT.exec(basename(folder))?.[1];
  const run = await runAround(folder);
  if (suffix !== undefined && run !== folder) {
    throw new UsageError(`${path} is not a run, so it has no @${suffix}.`, { expected: 'RUN@UPDATE, or RUN@latest' });
  }
  const update = own === undefined ? updateOf(suffix, given) : Number(own);
  return { given, folder, update, run };
}

function split(given: string): readonly [path: string, suffix?: string] {
  const at = given.lastIndexOf('@');
  return at <= 0 ? [given] : [given.slice(0, at), given.slice(at + 1)];
}

function updateOf(suffix: string | undefined, given: string): number | 'latest' {
  if (suffix === undefined || suffix === 'latest') return 'latest';
  if (/^\d{1,15}$/.test(suffix)) return Number(suffix);
  throw new UsageError(`${given} names no update.`, { expected: 'RUN@UPDATE with a whole number, or RUN@latest' });
}

/** The folder itself, or the run that it is a part of: a checkpoint, a warm start, weights, episodes. */
async function runAround(folder: string): Promise<string | undefined> {
  if (await isRun(folder)) return folder;
  let [inside, above] = [folder, dirname(folder)];
  while (above !== inside && (CHECKPOINT.test(basename(inside)) || PARTS.includes(basename(inside)))) {
    if (await isRun(above)) return above;
    [inside, above] = [above, dirname(above)];
  }
  return undefined;
}

const PARTS = ['policy', 'start', 'episodes'];

/** In the order of updates. */
export async function checkpointsIn(folder: string): Promise<Checkpoint[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const [, update] = CHECKPOINT.exec(name) ?? [];
      return update === undefined ? [] : [{ update: Number(update), folder: join(folder, name) }];
    })
    .sort((a, b) => a.update - b.update);
}

/** The checkpoint that a run says is its newest; one that is being written is not. */
export async function newestIn(run: string): Promise<Checkpoint | undefined> {
  const all = await checkpointsIn(run);
  const pointed = await textIn(join(run, 'latest'));
  return all.find(({ folder }) => basename(folder) === pointed) ?? all.at(-1);
}
