/**
 * Atomic file writes: a reader, and a machine after a power loss, finds either the old file or the new one.
 *
 * Temporary name in the same folder, write, fsync, rename, fsync of the folder (`rename(2)`, `fsync(2)`).
 */
import type { FileHandle } from 'node:fs/promises';
import { builtin } from './builtin.js';
import { FileWriteError } from './file-error.js';

/** Prefix of the names of temporary files. */
const TEMPORARY = '.tmp-';

/**
 * Replaces or creates the file; missing folders are made.
 *
 * @throws {FileWriteError} `FILE_WRITE_FAILED`; the old file is as it was and nothing temporary is left.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const file = await AtomicFile.create(path);
  try {
    await file.write(typeof data === 'string' ? new TextEncoder().encode(data) : data);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** The same for a file that is written in pieces: nothing exists at `path` before `commit`. */
export class AtomicFile {
  readonly #handle: FileHandle;
  #open = true;

  private constructor(
    readonly path: string,
    readonly temporaryPath: string,
    handle: FileHandle,
  ) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<AtomicFile> {
    const { mkdir, open } = builtin('node:fs/promises');
    const { dirname, join } = builtin('node:path');
    try {
      await mkdir(dirname(path), { recursive: true });
      const temporaryPath = join(dirname(path), `${TEMPORARY}${globalThis.crypto.randomUUID()}`);
      return new AtomicFile(path, temporaryPath, await open(temporaryPath, 'wx'));
    } catch (error) {
      throw new FileWriteError(path, error);
    }
  }

  /** Appends, or overwrites from the byte at `position`. */
  async write(bytes: Uint8Array, position: number | null = null): Promise<void> {
    try {
      await writeFully(this.#handle, bytes, position);
    } catch (error) {
      throw new FileWriteError(this.path, error);
    }
  }

  async commit(): Promise<void> {
    const { rename } = builtin('node:fs/promises');
    try {
      await this.#handle.sync();
      await this.#close();
      await rename(this.temporaryPath, this.path);
      await syncFolder(builtin('node:path').dirname(this.path));
    } catch (error) {
      throw new FileWriteError(this.path, error);
    }
  }

  /** Removes the partial file; never throws. */
  async discard(): Promise<void> {
    await this.#close().catch(() => {});
    await builtin('node:fs/promises')
      .rm(this.temporaryPath, { force: true })
      .catch(() => {});
  }

  async #close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#handle.close();
  }
}

/** Removes temporary files of killed writers. Only for the owner of the folder: files being written are removed too. */
export async function removeTemporaries(folder: string): Promise<void> {
  const { readdir, rm } = builtin('node:fs/promises');
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(TEMPORARY))) {
    await rm(builtin('node:path').join(folder, name), { force: true });
  }
}

/** One `write(2)` if the system accepts everything at once; continues after a short write. */
export async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number | null = null): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const at = position === null ? null : position + written;
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, at);
    written += bytesWritten;
  }
}

/** Makes a rename or a new file survive a power loss. Skipped on systems that cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await builtin('node:fs/promises').open(folder, 'r');
  } catch {
    return;
  }
  try {
    await handle.sync();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
}
