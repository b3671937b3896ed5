/** Packages to start from, `templates/KIND` of this package: working code in which only names are replaced. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './command-line/usage-error.js';
import { VERSION } from './version.js';

export const KINDS = ['env', 'agent', 'algorithm'] as const;
export type Kind = (typeof KINDS)[number];

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** Longest name that npm allows. */
const MAX_LENGTH = 214;

const words = (name: string) => name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));

/**
 * Writes a package into a new folder.
 *
 * @returns names of its files.
 * @throws {UsageError} The name is not one of a package, or the folder holds something.
 */
export async function writeTemplate(kind: Kind, name: string, folder: string): Promise<string[]> {
  if (!NAME.test(name) || name.length > MAX_LENGTH) {
    throw new UsageError(`Invalid name: ${JSON.stringify(name)}.`, {
      expected: 'lowercase letters, digits and single hyphens, such as my-maze',
    });
  }
  const held = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (held.length > 0) {
    throw new UsageError(`${folder} is not empty.`, { hint: 'choose another name, or another --folder' });
  }
  await mkdir(folder, { recursive: true });
  const source = new URL(`../templates/${kind}/`, import.meta.url);
  const names: string[] = [];
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'utf8');
    // npm and bundlers would treat a package.json inside a package as a package, and leave out names with a dot
    const target = relative(fileURLToPath(source), path)
      .replaceAll(/(^|[\\/])_/g, '$1')
      .replaceAll('dot-', '.');
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await writeFile(join(folder, target), renamed(text, name), { flag: 'wx' });
    names.push(target.replaceAll('\\', '/'));
  }
  return names.sort();
}

const renamed = (text: string, name: string) =>
  text
    .replaceAll('my-name', name)
    .replaceAll('MyName', words(name).join(''))
    .replaceAll('My name', words(name).join(' '))
    .replaceAll('^0.1.0', `^${VERSION}`);
