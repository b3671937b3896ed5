/** The digest of a folder's weights, as one hash: checkpoints that contain only adapters identify their base by it. */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sha256OfFile, writeFileAtomic } from '@vlgym/core/internal';
import { cacheFolder } from '@vlgym/gpu/setup';
import { shardPaths } from './shards.js';

/** Milliseconds. File systems keep times in steps of up to two seconds. */
const SETTLED_AFTER = 2_000;
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * SHA-256 in hex over the names and hashes of the safetensors files. Reads every byte of a file once: its hash is kept in
 * the user's cache (`digests/` in the folder of `vlgym setup`) under its inode, size and times, and found there as long as
 * these stay.
 */
export async function baseDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await shardPaths(folder)) hash.update(`${basename(path)} ${await digestOf(path)}\n`);
  return hash.digest('hex');
}

async function digestOf(path: string): Promise<string> {
  const before = await stat(path, { bigint: true });
  const entry = join(cacheFolder(), 'digests', keyOf(before));
  const known = await readFile(entry, 'utf8').catch(() => '');
  if (DIGEST.test(known)) return known;
  const digest = await sha256OfFile(path);
  const after = await stat(path, { bigint: true });
  // a file that changes while it is read, or may change within the resolution of its times, has no digest to remember
  const isSettled = Date.now() - Number(after.mtimeMs) > SETTLED_AFTER;
  if (isSettled && keyOf(after) === keyOf(before)) await remember(entry, digest);
  return digest;
}

function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return createHash('sha256').update([dev, ino, size, mtimeNs, ctimeNs].join(' ')).digest('hex');
}

/** A cache that cannot be written costs the time to read the file again, nothing else. */
async function remember(entry: string, digest: string): Promise<void> {
  try {
    await mkdir(join(entry, '..'), { recursive: true });
    await writeFileAtomic(entry, digest);
  } catch {
    // read-only home, full disk
  }
}
