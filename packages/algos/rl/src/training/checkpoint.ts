/**
 * Checkpoints that survive a killed process: a folder is complete or it is not there.
 *
 * `checkpoint-000012/` is written under a temporary name, its manifest last; all is fsynced, then renamed; then the
 * pointer file `latest` is replaced. Reading starts at the pointer and falls back to the newest complete folder; a
 * folder whose manifest is missing or whose files differ in size is never picked up.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { GymError, writeFileAtomic } from '@vlgym/core';

const SCHEMA = 'vlgym.checkpoint/1';
const POINTER = 'latest';
const NAME = /^checkpoint-\d{6,}$/;
const TEMPORARY = /^\.checkpoint-\d{6,}\.tmp$/;

interface Manifest {
  readonly schema: typeof SCHEMA;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** A checkpoint was made by another algorithm, configuration, model or set-up. */
export class CheckpointMismatchError extends GymError {
  constructor(
    readonly field: string,
    readonly inCheckpoint: unknown,
    readonly inRun: unknown,
    folder: string,
  ) {
    super(`The checkpoint in ${folder} was made with another ${field}.`, {
      code: 'CHECKPOINT_MISMATCH',
      value: inCheckpoint,
      expected: `${field} = ${JSON.stringify(inRun)}`,
      hint: 'resume with the settings of the checkpoint, or train into another folder',
    });
  }
}

/** A new run was asked to start where another one lies. */
export class FolderInUseError extends GymError {
  constructor(readonly folder: string) {
    super(`There already is a run in ${folder}.`, {
      code: 'FOLDER_IN_USE',
      value: folder,
      hint: 'continue it with `resume: true`, or choose another folder',
    });
  }
}

export class CheckpointStore {
  constructor(
    readonly folder: string,
    /** How many are kept; the newest stay. */
    readonly keep = 2,
  ) {}

  /** Writes one checkpoint: `content` fills an empty folder. @returns the final path. */
  async write(index: number, content: (folder: string) => Promise<void>): Promise<string> {
    const name = `checkpoint-${String(index).padStart(6, '0')}`;
    const path = join(this.folder, name);
    const temporary = join(this.folder, `.${name}.tmp`);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    await content(temporary);
    const manifest: Manifest = { schema: SCHEMA, files: await filesIn(temporary) };
    await writeFileAtomic(join(temporary, 'manifest.json'), JSON.stringify(manifest));
    await syncFolder(temporary);
    // only a folder that is not complete, or the same update made again after a resume, can be in the way
    await rm(path, { recursive: true, force: true });
    await rename(temporary, path);
    await syncFolder(this.folder);
    await writeFileAtomic(join(this.folder, POINTER), name);
    await this.#prune();
    return path;
  }

  /** Path of the newest complete checkpoint, or `undefined`. */
  async latest(): Promise<string | undefined> {
    const names = (await entries(this.folder)).filter((name) => NAME.test(name)).sort();
    const pointed = await readFile(join(this.folder, POINTER), 'utf8').catch(() => undefined);
    const candidates = [...(pointed !== undefined && names.includes(pointed) ? [pointed] : []), ...names.toReversed()];
    for (const name of candidates) if (await isComplete(join(this.folder, name))) return join(this.folder, name);
    return undefined;
  }

  async #prune(): Promise<void> {
    const names = await entries(this.folder);
    const old = names
      .filter((name) => NAME.test(name))
      .sort()
      .slice(0, -this.keep);
    for (const name of [...old, ...names.filter((entry) => TEMPORARY.test(entry))]) {
      await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}

async function isComplete(folder: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    if (manifest.schema !== SCHEMA) return false;
    for (const { path, bytes } of manifest.files) if ((await stat(join(folder, path))).size !== bytes) return false;
    return true;
  } catch {
    return false;
  }
}

async function filesIn(folder: string): Promise<Manifest['files']> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths.sort().map(async (path) => ({ path: relative(folder, path), bytes: (await stat(path)).size }));
  return Promise.all(files);
}

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Makes a rename in the folder survive a power loss; left to the system where folders cannot be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
