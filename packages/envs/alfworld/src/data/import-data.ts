/**
 * Imports games into the data folder, from an archive or another folder.
 *
 * Only files of ALFWorld's layout are imported, by name. Links are never followed. Existing files of the same size stay.
 */

import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { checkNames, names } from '@vlgym/core/internal';
import { defaultDataFolder, NoGamesError, SPLITS } from '../games/collection.js';
import { ArchiveError } from './errors.js';
import { writing } from './write-error.js';
import { unsafeName, type ZipEntry, ZipReader } from './zip.js';

export interface ImportLimits {
  /** Maximum number of entries of an archive or files of a folder; default 200,000. */
  readonly entries?: number | undefined;
  /** Maximum bytes of one file; default 64 MiB. */
  readonly fileBytes?: number | undefined;
  /** Maximum bytes in total; default 8 GiB. */
  readonly totalBytes?: number | undefined;
}

export interface ImportOptions extends ImportLimits {
  /** Data folder to fill; default: see `defaultDataFolder`. */
  readonly to?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each file. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportProgress {
  readonly done: number;
  readonly total: number;
}

export interface Imported {
  /** Data folder. */
  readonly folder: string;
  /** Files written. */
  readonly written: number;
  /** Files that already existed with the same size. */
  readonly kept: number;
  /** Entries that are not part of ALFWorld's data. */
  readonly ignored: number;
}

interface Limits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

const SPLIT = `(?:${SPLITS.join('|')})`;
const FILE = '(?:game\\.tw-pddl|traj_data\\.json|initial_state\\.pddl|receps\\.json)';
const GAME_PATH = new RegExp(`^json_2\\.1\\.1/${SPLIT}/[^/]+/[^/]+/${FILE}$`);
const LOGIC_PATH = /^logic\/alfred\.(?:pddl|twl2)$/;

const isOurs = (path: string) => GAME_PATH.test(path) || LOGIC_PATH.test(path);

const IMPORT_DATA_OPTIONS = names<ImportOptions>({
  to: 0,
  signal: 0,
  onProgress: 0,
  entries: 0,
  fileBytes: 0,
  totalBytes: 0,
});

/**
 * Imports a ZIP archive, a folder with `json_2.1.1`, or that folder itself.
 *
 * @throws {ArchiveError}  The archive is damaged, would write outside the folder, has links, or is too large.
 * @throws {NoGamesError}  Nothing in it is part of ALFWorld's data.
 * @throws {WriteError}    `CANNOT_WRITE`: a file cannot be written to the data folder.
 */
export async function importData(from: string, options: ImportOptions = {}): Promise<Imported> {
  checkNames('options', options, IMPORT_DATA_OPTIONS);

  const found = await stat(from).catch(() => undefined);
  if (found === undefined) throw new NoGamesError(from, `${from} does not exist.`, 'check the path');
  return found.isDirectory() ? importFolder(from, options) : importArchive(from, options);
}

async function importArchive(archive: string, options: ImportOptions): Promise<Imported> {
  const zip = await ZipReader.open(archive);
  try {
    const limits = limitsOf(options);
    checkEntries(archive, zip.entries, limits);
    const ours = zip.entries.filter(({ name, isFolder }) => !isFolder && isOurs(name));
    const ignored = zip.entries.filter(({ isFolder }) => !isFolder).length - ours.length;
    return await writeAll(
      ours.map((entry) => ({ path: entry.name, size: entry.size, read: () => zip.read(entry) })),
      { from: archive, ignored, ...options },
    );
  } finally {
    await zip.close();
  }
}

/** Refuses the whole archive for one bad entry: it is malicious, or something else. */
function checkEntries(archive: string, entries: readonly ZipEntry[], limits: Limits): void {
  const refuse = (entry: string | undefined, message: string, code: 'UNSAFE_ARCHIVE' | 'ARCHIVE_TOO_LARGE') =>
    new ArchiveError(archive, entry, message, { code, hint: 'download the archive from where ALFWorld publishes it' });
  if (entries.length > limits.entries)
    throw refuse(undefined, `It has ${entries.length} entries.`, 'ARCHIVE_TOO_LARGE');
  let total = 0;
  const seen = new Set<string>();
  for (const { name, size, isLink } of entries) {
    const problem = unsafeName(name);
    if (problem) throw refuse(name, `The name is not safe: ${problem}.`, 'UNSAFE_ARCHIVE');
    if (isLink) throw refuse(name, 'It is a link.', 'UNSAFE_ARCHIVE');
    if (seen.has(name)) throw refuse(name, 'It appears twice.', 'UNSAFE_ARCHIVE');
    seen.add(name);
    total += size;
    if (size > limits.fileBytes) throw refuse(name, `It has ${size} bytes unpacked.`, 'ARCHIVE_TOO_LARGE');
    if (total > limits.totalBytes)
      throw refuse(name, `More than ${limits.totalBytes} bytes unpacked.`, 'ARCHIVE_TOO_LARGE');
  }
}

async function importFolder(from: string, options: ImportOptions): Promise<Imported> {
  const limits = limitsOf(options);
  const files: string[] = [];
  let others = 0;
  // a folder that is json_2.1.1 itself stands for the one that holds it
  const isInner = (await Promise.all(SPLITS.map((split) => isFolder(join(from, split))))).includes(true);
  const nameOf = (file: string) => (isInner ? 'json_2.1.1/' : '') + relative(from, file).split(sep).join('/');
  const visit = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < 6) await visit(path, depth + 1);
      else if (entry.isFile() && isOurs(nameOf(path))) files.push(path);
      else others += 1;
      if (files.length > limits.entries) {
        throw new ArchiveError(from, undefined, `It has more than ${limits.entries} files.`, {
          code: 'ARCHIVE_TOO_LARGE',
        });
      }
    }
  };
  await visit(from, 0);
  const sources = await Promise.all(
    files.sort().map(async (path) => ({
      path: nameOf(path),
      size: (await lstat(path)).size,
      read: () => readFile(path),
    })),
  );
  let total = 0;
  for (const { path, size } of sources) {
    total += size;
    const tooLarge = (message: string) => new ArchiveError(from, path, message, { code: 'ARCHIVE_TOO_LARGE' });
    if (size > limits.fileBytes) throw tooLarge(`It has ${size} bytes.`);
    if (total > limits.totalBytes) throw tooLarge(`More than ${limits.totalBytes} bytes in all.`);
  }
  return writeAll(sources, { from, ignored: others, ...options });
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}

interface Source {
  readonly path: string;
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

async function writeAll(
  sources: readonly Source[],
  {
    from,
    ignored,
    to = defaultDataFolder(),
    signal,
    onProgress,
  }: ImportOptions & { readonly from: string; readonly ignored: number },
): Promise<Imported> {
  if (sources.length === 0) throw new NoGamesError(from, `Nothing in ${from} is part of ALFWorld's data.`);
  let written = 0;
  for (const [index, { path, size, read }] of sources.entries()) {
    signal?.throwIfAborted();
    const target = join(to, path);
    const there = await lstat(target).catch(() => undefined);
    if (!(there?.isFile() && there.size === size)) {
      const content = await read();
      await writing(target, () => writeFileOnce(content, target));
      written += 1;
    }
    onProgress?.({ done: index + 1, total: sources.length });
  }
  return { folder: to, written, kept: sources.length - written, ignored };
}

/** Writes each of thousands of files completely or not at all, but without flushing: a lost one is imported again. */
async function writeFileOnce(content: Uint8Array, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}.part`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function limitsOf({ entries = 200_000, fileBytes = 64 * 2 ** 20, totalBytes = 8 * 2 ** 30 }: ImportLimits): Limits {
  return { entries, fileBytes, totalBytes };
}
