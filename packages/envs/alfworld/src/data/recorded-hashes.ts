/**
 * Checksums of archives at their first download: ALFWorld publishes none, so later downloads are compared with the first.
 * Stored as JSON next to the archives: address → SHA-256.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writing } from './write-error.js';

type Hashes = Readonly<Record<string, string>>;

export const hashFile = (archives: string): string => join(archives, 'sha256.json');

/** Empty if the file is missing or unreadable. */
export async function recordedHashes(archives: string): Promise<Hashes> {
  try {
    const hashes: unknown = JSON.parse(await readFile(hashFile(archives), 'utf8'));
    return Object.fromEntries(
      Object.entries(hashes as Hashes).filter(([, hash]) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)),
    );
  } catch {
    return {};
  }
}

export async function recordHash(archives: string, url: string, hash: string): Promise<void> {
  const file = hashFile(archives);
  const text = `${JSON.stringify({ ...(await recordedHashes(archives)), [url]: hash }, undefined, 2)}\n`;
  await writing(file, async () => {
    await writeFile(`${file}.part`, text);
    await rename(`${file}.part`, file);
  });
}
