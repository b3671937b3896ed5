/**
 * Checkpoints that survive a killed process: a folder is complete or it is not there.
 *
 * `checkpoint-000012/` is written under a temporary name, its manifest last; all is fsynced, then renamed; then the
 * pointer file `latest` is replaced. Reading starts at the pointer and falls back to the newest whole folder, with a
 * warning; one whose manifest is missing, or whose files are not those of their checksums, is never picked up. Each file
 * is hashed once: by the store, or by the policy that wrote it and verifies it in `load`.
 */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { GymError, warn } from '@vlgym/core';
import {
  fileProblem,
  readRegularFile,
  readRegularFileIfAny,
  sha256OfFile,
  syncFolder,
  writeFileAtomic,
} from '@vlgym/core/internal';
import { z } from 'zod';
import { CheckpointDamagedError } from './checkpoint-errors.js';

const SCHEMA = 'vlgym.checkpoint/1';
const POINTER = 'latest';
const MAX_JSON_BYTES = 2 ** 28;
const NAME = /^checkpoint-\d{6,}$/;
const TEMPORARY = /^\.checkpoint-\d{6,}\.tmp$/;

const manifestSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  files: z.array(
    z.strictObject({
      path: z.string().min(1),
      bytes: z.number().int().nonnegative(),
      /** Hexadecimal; absent if the policy verifies the file in `load`. */
      sha256: z.string().optional(),
    }),
  ),
});
type Manifest = z.output<typeof manifestSchema>;

/** A new run was asked to start where another one lies. */
export class FolderInUseError extends GymError {
  constructor(readonly folder: string) {
    super(`${folder} already contains a run.`, {
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

  /**
   * Writes one checkpoint.
   *
   * @param content  Fills an empty folder. The files that it returns are not hashed: their reader verifies them.
   * @returns the final path.
   */
  async write(index: number, content: (folder: string) => Promise<readonly string[]> | Promise<void>): Promise<string> {
    const name = `checkpoint-${String(index).padStart(6, '0')}`;
    const path = join(this.folder, name);
    const temporary = join(this.folder, `.${name}.tmp`);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    const unhashed = (await content(temporary)) ?? [];
    const manifest: Manifest = { schema: SCHEMA, files: await filesIn(temporary, new Set(unhashed)) };
    await writeFileAtomic(join(temporary, 'manifest.json'), JSON.stringify(manifest));
    await syncFolder(temporary);
    // only a folder that is not whole, or the same update made again after a resume, can be in the way
    await rm(path, { recursive: true, force: true });
    await rename(temporary, path);
    await syncFolder(this.folder);
    await writeFileAtomic(join(this.folder, POINTER), name);
    await this.prune();
    return path;
  }

  /**
   * Path of the newest whole checkpoint, or `undefined` if there is none. Files that the policy verifies in `load` are
   * checked by their sizes alone.
   */
  async latest(): Promise<string | undefined> {
    return this.read(async (path) => path);
  }

  /**
   * Loads the newest checkpoint that is whole and readable. Each one that is passed over is reported by a warning,
   * `CHECKPOINT_DAMAGED`.
   *
   * @returns The result of `load`, or `undefined` in a folder without checkpoints.
   * @param load  Throws a `CheckpointDamagedError`, or what `isDamage` knows, to have an older one tried.
   * @throws {CheckpointDamagedError} There are checkpoints, and none can be read.
   */
  async read<T>(
    load: (path: string) => Promise<T>,
    isDamage: (error: unknown) => boolean = () => false,
  ): Promise<T | undefined> {
    let newest: CheckpointDamagedError | undefined;
    for (const name of await this.#names()) {
      const path = join(this.folder, name);
      try {
        await verify(path);
        return await load(path);
      } catch (error) {
        if (!(error instanceof CheckpointDamagedError) && !isDamage(error)) throw error;
        const damage =
          error instanceof CheckpointDamagedError ? error : new CheckpointDamagedError(path, firstLine(error), error);
        newest ??= damage;
        warn('CHECKPOINT_DAMAGED', `${damage.path} is passed over: ${damage.problem}.`);
      }
    }
    if (newest === undefined) return undefined;
    throw new CheckpointDamagedError(newest.path, `${newest.problem}, and no older one can be read`, newest);
  }

  /** Is there any, whole or not? */
  async exists(): Promise<boolean> {
    return (await this.#names()).length > 0;
  }

  /** Newest first, but the one that is pointed at before all. */
  async #names(): Promise<string[]> {
    const names = (await entries(this.folder)).filter((name) => NAME.test(name)).sort();
    const pointed = await readRegularFileIfAny(join(this.folder, POINTER), MAX_JSON_BYTES);
    return [...new Set([...names.filter((name) => name === pointed), ...names.toReversed()])];
  }

  /** Removes old and half-written checkpoints, also those that a killed process was removing. */
  async prune(): Promise<void> {
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

/** @throws {CheckpointDamagedError} A file is missing, or is not the one that was written. */
async function verify(folder: string): Promise<void> {
  let manifest: Manifest;
  try {
    manifest = manifestSchema.parse(JSON.parse(await readRegularFile(join(folder, 'manifest.json'), MAX_JSON_BYTES)));
  } catch (cause) {
    throw new CheckpointDamagedError(folder, 'its manifest.json is missing or unreadable', cause);
  }
  for (const file of manifest.files) {
    const problem = await fileProblem(folder, file);
    if (problem) throw new CheckpointDamagedError(folder, problem);
  }
}

async function filesIn(folder: string, unhashed: ReadonlySet<string>): Promise<Manifest['files']> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: Manifest['files'] = [];
  for (const place of places.sort()) {
    const path = relative(folder, place);
    const { size: bytes } = await stat(place);
    files.push({ path, bytes, ...(!unhashed.has(path) && { sha256: await sha256OfFile(place) }) });
  }
  return files;
}

const firstLine = (error: unknown): string =>
  String((error as Error).message ?? error)
    .split('\n')[0]!
    .replace(/\.$/, '');

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
