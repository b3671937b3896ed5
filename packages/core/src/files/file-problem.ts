/** Compares a file with what a manifest says about it. */
import { builtin } from './builtin.js';
import { sha256OfFile } from './hash-file.js';

/** A manifest's entry of one file. */
export interface ListedFile {
  /** Below the folder of the manifest. */
  readonly path: string;
  readonly bytes?: number | undefined;
  /** Hexadecimal. */
  readonly sha256?: string | undefined;
}

/** @returns The first difference between the file and its entry; `undefined` if they agree. */
export async function fileProblem(folder: string, { path, bytes, sha256 }: ListedFile): Promise<string | undefined> {
  const place = builtin('node:path').join(folder, path);
  const found = await builtin('node:fs/promises')
    .stat(place)
    .catch(() => undefined);
  if (!found?.isFile()) return `${path} is missing`;
  if (bytes !== undefined && found.size !== bytes) return `${path} has ${found.size} bytes instead of ${bytes}`;
  if (sha256 !== undefined && (await sha256OfFile(place)) !== sha256) return `${path} is not what was written`;
  return undefined;
}
