/**
 * Checkpoints that survive a killed process: a folder is complete or it is not there.
 *
 * `checkpoint-000012/` is written under a temporary name, its manifest last; all is fsynced, then renamed; then the
 * pointer file `latest` is replaced. Reading starts at the pointer and falls back to the newest whole folder, with a
 * warning; one whose manifest is missing, or whose files are not those of their checksums, is never picked up.
 */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { GymError, sha256OfFile, warn, writeFileAtomic } from '@vlgym/core';
import { readRegularFile, readRegularFileIfAny } from '@vlgym/core/internal';
import { z } from 'zod';

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
      /** Hexadecimal; absent in checkpoints from before there were checksums. */
      sha256: z.string().optional(),
    }),
  ),
});
type Manifest = z.output<typeof manifestSchema>;

/** A checkpoint that was altered or torn after it was written, or all that there are. Nothing was loaded of it. */
export class CheckpointDamagedError extends GymError {
  constructor(
    readonly path: string,
    readonly problem: string,
    cause?: unknown,
  ) {
    super(`The checkpoint ${path} is damaged: ${problem}.`, {
      code: 'CHECKPOINT_DAMAGED',
      value: path,
      hint: 'restore the folder from an intact copy, or train into another folder',
      cause,
    });
  }
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
    // only a folder that is not whole, or the same update made again after a resume, can be in the way
    await rm(path, { recursive: true, force: true });
    await rename(temporary, path);
    await syncFolder(this.folder);
    await writeFileAtomic(join(this.folder, POINTER), name);
    await this.prune();
    return path;
  }

  /** Path of the newest whole checkpoint, or `undefined` where none was ever written. */
  async latest(): Promise<string | undefined> {
    return this.read(async (path) => path);
  }

  /**
   * What `load` makes of the newest checkpoint that is whole and that it can read; `undefined` where none was ever
   * written. Each one that is passed over is reported by a warning, `CHECKPOINT_DAMAGED`.
   *
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
  for (const { path, bytes, sha256 } of manifest.files) {
    const place = join(folder, path);
    const size = await stat(place).then(
      (found) => (found.isFile() ? found.size : undefined),
      () => undefined,
    );
    if (size === undefined) throw new CheckpointDamagedError(folder, `${path} is missing`);
    if (size !== bytes) throw new CheckpointDamagedError(folder, `${path} has ${size} bytes instead of ${bytes}`);
    if (sha256 !== undefined && (await sha256OfFile(place)) !== sha256) {
      throw new CheckpointDamagedError(folder, `${path} is not what was written`);
    }
  }
}

async function filesIn(folder: string): Promise<Manifest['files']> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: Manifest['files'] = [];
  for (const path of paths.sort()) {
    files.push({ path: relative(folder, path), bytes: (await stat(path)).size, sha256: await sha256OfFile(path) });
  }
  return files;
}

const firstLine = (error: unknown): string =>
  String((error as Error).message ?? error)
    .split('\n')[0]!
    .replace(/\.$/, '');

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Makes a rename in the folder survive a power loss; left to the system where folders cannot be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
