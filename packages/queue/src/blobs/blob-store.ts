/**
 * Trajectories by content: `<folder>/<2 digits>/<64 hexadecimal digits>`, named by the SHA-256 of the bytes.
 *
 * The queue and the ledger carry only the name, so results of a megabyte leave nothing in Redis. Every read verifies the
 * name. A file is written under a temporary name, synced and renamed before anybody learns its name.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { readRegularBytes, writeFileAtomic } from '@vlgym/core/internal';
import type { ContentHash } from '@vlgym/core/trajectory';
import { z } from 'zod';

/** Maximum size: far more than an episode with its pictures needs. */
const MAX_BLOB_BYTES = 2 ** 30;

/** `sha256:` and 64 hexadecimal digits. */
export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .transform((digest) => digest as ContentHash);

export interface BlobStore {
  /** Durable when it resolves; a damaged one is replaced. */
  put(bytes: Uint8Array): Promise<ContentHash>;
  /** Is it there, as it was written? */
  has(digest: ContentHash): Promise<boolean>;
  /** @throws {BlobMissingError} @throws {BlobDamagedError} */
  get(digest: ContentHash): Promise<Uint8Array>;
}

/** A trajectory that the ledger names is not there. */
export class BlobMissingError extends GymError {
  constructor(digest: string, folder: string, cause?: unknown) {
    super(`The trajectory ${digest} is missing in ${folder}.`, {
      code: 'BLOB_MISSING',
      value: digest,
      hint: 'workers and learner must see the same folder, under the path that each was given',
      cause,
    });
  }
}

/** A trajectory is not what was written. */
export class BlobDamagedError extends GymError {
  constructor(digest: string, found: string) {
    super(`The trajectory ${digest} was changed after it was written.`, {
      code: 'BLOB_DAMAGED',
      value: found,
      expected: digest,
      hint: 'copy the file back from where it was whole; a run that continues with --resume plays the episode again',
    });
  }
}

const digestOf = (bytes: Uint8Array): ContentHash =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}` as ContentHash;

export class FolderBlobs implements BlobStore {
  constructor(readonly folder: string) {}

  async put(bytes: Uint8Array): Promise<ContentHash> {
    const digest = digestOf(bytes);
    if (!(await this.has(digest))) await writeFileAtomic(this.#path(digest), bytes);
    return digest;
  }

  has(digest: ContentHash): Promise<boolean> {
    return this.get(digest).then(
      () => true,
      () => false,
    );
  }

  async get(digest: ContentHash): Promise<Uint8Array> {
    const bytes = await readRegularBytes(this.#path(digest), MAX_BLOB_BYTES).catch((cause) => {
      throw new BlobMissingError(digest, this.folder, cause);
    });
    const found = digestOf(bytes);
    if (found !== digest) throw new BlobDamagedError(digest, found);
    return bytes;
  }

  /** Removes blobs that `used` does not name and that are older than `ageMs`: episodes played twice leave them. */
  async removeOrphans(used: ReadonlySet<string>, ageMs: number, now: number): Promise<number> {
    let removed = 0;
    await mkdir(this.folder, { recursive: true });
    for (const part of await readdir(this.folder)) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue;
      for (const name of await readdir(join(this.folder, part))) {
        const path = join(this.folder, part, name);
        if (used.has(`sha256:${name}`) || now - (await stat(path)).mtimeMs < ageMs) continue;
        await rm(path, { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  #path(digest: ContentHash): string {
    const name = digestSchema.parse(digest).slice('sha256:'.length);
    return join(this.folder, name.slice(0, 2), name);
  }
}

/** Blobs of one process, for the queue without a server. */
export class MemoryBlobs implements BlobStore {
  readonly #blobs = new Map<ContentHash, Uint8Array>();

  async put(bytes: Uint8Array): Promise<ContentHash> {
    const digest = digestOf(bytes);
    this.#blobs.set(digest, bytes);
    return digest;
  }

  async has(digest: ContentHash): Promise<boolean> {
    return this.#blobs.has(digest);
  }

  async get(digest: ContentHash): Promise<Uint8Array> {
    const bytes = this.#blobs.get(digest);
    if (!bytes) throw new BlobMissingError(digest, 'memory');
    return bytes;
  }
}
