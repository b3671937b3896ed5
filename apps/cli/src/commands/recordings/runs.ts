import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { closest } from '@vlgym/core';
import type { ListedRun } from '@vlgym/viewer';
import { z } from 'zod';
import { type CommandContext, defineCommand, UsageError } from '../../command-line/command.js';
import { checkNeeds, needs } from '../../command-line/needs.js';
import { checkFolder } from '../../folders/check-folder.js';
import { exists } from '../../folders/place.js';
import { isArchive } from '../../runs/is-archive.js';
import { counted, dim, percent, table } from '../../terminal/style.js';

const DEFAULT_FOLDER = 'runs';
const VERBS = ['prune', 'archive', 'restore'] as const;
type Verb = (typeof VERBS)[number];
const isVerb = (word: string | undefined): word is Verb => VERBS.includes(word as Verb);

/** By the first word; `list` where it names none of them. */
const by = (...verbs: readonly (Verb | 'list')[]) => needs({ verb: verbs });
const toChoose = by('list', 'prune', 'archive');

const schema = z.object({
  folders: z
    .array(z.string())
    .default([DEFAULT_FOLDER])
    .describe(`where to look, default runs; before that what to do: ${VERBS.join(', ')}, default: list`),
  state: z
    .enum(['running', 'stopped', 'done', 'recorded'])
    .optional()
    .meta(toChoose)
    .describe('only those in this state'),
  olderThan: z
    .number()
    .nonnegative()
    .optional()
    .meta(toChoose)
    .describe('only those that have not changed for this many days'),
  out: z
    .string()
    .optional()
    .meta(by('archive', 'restore'))
    .describe('of `archive` the file, default runs.tar.gz; of `restore` the folder, default .'),
  yes: z.boolean().default(false).meta(by('prune')).describe('delete, where `prune` only says what it would'),
  json: z.boolean().default(false).meta(by('list')).describe('print JSON for scripts'),
});
type Options = z.output<typeof schema>;

export const runs = defineCommand({
  name: 'runs',
  summary: 'list runs and recordings: state, algorithm, environment, success, age; prune and archive them',
  description:
    'Looks through folders for what `train`, `bench`, `quickstart`, `eval --record` and `suite` wrote, newest first. `vlgym view` shows the same on a page, and `vlgym status FOLDER` how long one takes. `prune` deletes, with --yes; `archive` writes them into one .tar.gz, which `vlgym view` opens as it is and `restore` unpacks. What a process writes into is left alone.',
  positional: 'folders',
  options: schema,
  examples: [
    { command: 'vlgym runs', does: 'everything below runs' },
    { command: 'vlgym runs /data/runs --state stopped', does: 'those that can be continued' },
    { command: 'vlgym runs prune --state stopped --older-than 30', does: 'says what would be deleted; --yes deletes' },
    { command: 'vlgym runs archive runs/vl-dac-0 --out paper.tar.gz', does: 'one file' },
    { command: 'vlgym runs restore paper.tar.gz --out runs', does: 'unpacks it' },
  ],
  async run(options, context) {
    const [first, ...rest] = options.folders;
    checkNeeds(runs, { ...options, verb: isVerb(first) ? first : 'list' }, context.given);
    if (!isVerb(first)) return list(options, context);
    return DO[first](
      { ...options, folders: first === 'restore' || rest.length > 0 ? rest : [DEFAULT_FOLDER] },
      context,
    );
  },
});

type Do = (options: Options, context: CommandContext) => Promise<number>;

const list: Do = async (options, { stdout, stderr }) => {
  const { runs: found, leftOut } = await chosen(options);
  if (options.json) stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else if (found.length === 0) stdout.write(`no run and no recording in ${options.folders.join(', ')}\n`);
  else stdout.write(`${table([HEAD, ...found.map(rowOf)])}\n`);
  if (leftOut > 0) stderr.write(`${leftOut} more were not looked at: name a folder further down\n`);
  return 0;
};

const prune: Do = async (options, { stdout, stderr }) => {
  const { state, olderThan, yes } = options;
  if (state === undefined && olderThan === undefined) {
    throw new UsageError('prune needs --state or --older-than.', {
      expected: 'which runs to delete',
      hint: 'vlgym runs prune --state stopped --older-than 30',
    });
  }
  const { sizeOf, deleteRun } = await import('../../runs/clear-away.js');
  const { runs: found, kept } = await removable(options);
  let bytes = 0;
  let done = 0;
  for (const run of found) {
    const size = await sizeOf(run.folder);
    try {
      if (yes) await deleteRun(run);
      stdout.write(`${yes ? 'deleted' : 'would delete'} ${run.folder} ${dim(`${megabytes(size)}, ${run.state}`)}\n`);
      bytes += size;
      done += 1;
    } catch (error) {
      stderr.write(`kept ${run.folder}: ${(error as Error).message}\n`);
    }
  }
  for (const { folder, why } of kept) stderr.write(`kept ${folder}: ${why}\n`);
  const hint = yes || found.length === 0 ? '' : '; nothing was deleted, --yes does it';
  stdout.write(`${counted(done, 'run')}, ${megabytes(bytes)}${hint}\n`);
  return 0;
};

const archive: Do = async (options, { stdout, stderr }) => {
  const { folders, out = 'runs.tar.gz' } = options;
  const { writeArchive } = await import('../../runs/archive.js');
  if (!isArchive(out))
    throw new UsageError(`--out ${out} does not name an archive.`, { expected: 'a file that ends in .tar.gz' });
  const [root = '.', ...more] = folders;
  if (more.length > 0) {
    throw new UsageError('archive takes one folder.', {
      expected: 'a run, or the folder that holds the runs',
      hint: root,
    });
  }
  const { runs: found, kept } = await removable(options);
  for (const { folder, why } of kept) stderr.write(`left out ${folder}: ${why}\n`);
  if (await exists(out)) {
    throw new UsageError(`${out} exists already.`, {
      expected: 'a new file: the old one may be all that is left of its runs',
      hint: 'choose another with --out, or delete it',
    });
  }
  if (found.length === 0)
    throw new UsageError(`${root} holds nothing to archive.`, { hint: 'vlgym runs lists what is there' });
  const bytes = await writeArchive(
    resolve(out),
    commonFolder(resolve(root), found),
    found.map(({ folder }) => folder),
  );
  stdout.write(`${counted(found.length, 'run')}, ${megabytes(bytes)}\n${out}\n${dim(`see it: vlgym view ${out}`)}\n`);
  return 0;
};

const restore: Do = async ({ folders, out = '.' }, { stdout }) => {
  const [path, ...more] = folders;
  if (path === undefined || more.length > 0)
    throw new UsageError('restore takes one archive.', { hint: 'vlgym runs restore runs.tar.gz' });
  const { openArchive } = await import('../../runs/archive.js');
  await mkdir(out, { recursive: true });
  const draft = await mkdtemp(resolve(out, '.restore-'));
  try {
    await openArchive(path, draft);
    const names = await readdir(draft);
    const there = await readdir(out);
    const taken = names.find((name) => there.includes(name));
    if (taken !== undefined) {
      throw new UsageError(`${resolve(out, taken)} exists already.`, { hint: 'choose another folder with --out' });
    }
    for (const name of names) {
      await rename(resolve(draft, name), resolve(out, name));
      stdout.write(`${resolve(out, name)}\n`);
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return 0;
};

const DO: Readonly<Record<Verb, Do>> = { prune, archive, restore };

/** The default need not be there yet. @throws {UsageError} One that was named is not there. */
async function checkFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if (folder === DEFAULT_FOLDER && !(await exists(folder))) continue;
    const verb = closest(folder, VERBS);
    await checkFolder(folder, verb && `did you mean vlgym runs ${verb}?`);
  }
}

async function chosen({ folders, state, olderThan }: Options) {
  await checkFolders(folders);
  const { listRuns } = await import('@vlgym/viewer');
  const { runs: all, leftOut } = await listRuns(folders);
  const before = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThan * DAY;
  return {
    runs: all.filter((run) => (state === undefined || run.state === state) && run.changedAt <= before),
    leftOut,
  };
}

async function removable({ folders, state, olderThan }: Options) {
  await checkFolders(folders);
  const [{ listRuns }, { chosenRuns }] = await Promise.all([
    import('@vlgym/viewer'),
    import('../../runs/clear-away.js'),
  ]);
  return chosenRuns((await listRuns(folders)).runs, { state, olderThan }, Date.now());
}

/** A single run keeps its name in the archive. */
const commonFolder = (root: string, found: readonly ListedRun[]): string =>
  found.some(({ folder }) => folder === root) ? resolve(root, '..') : root;

const HEAD = ['run', 'state', 'by', 'environment', 'seed', 'progress', 'success', 'age'];
const DAY = 86_400_000;

const rowOf = (run: ListedRun): string[] => [
  run.name,
  run.state,
  run.algorithm ?? run.agent ?? '–',
  run.environment ?? '–',
  run.seed === undefined ? '–' : String(run.seed),
  run.kind === 'training' ? `${run.updates ?? 0} of ${run.total ?? '?'}` : `${run.episodes ?? 0} episodes`,
  run.success === undefined ? '–' : percent(run.success, 0),
  age(Date.now() - run.changedAt),
];

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  return minutes < 60 * 24 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`;
}
