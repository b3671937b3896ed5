/** Where the pages are: `VLGYM_MINIWOB_HTML`, or the cache of this user, which `setupPages` fills. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MiniWoBPagesMissingError } from './errors.js';

/** The release whose pages are played. */
export const MINIWOB_VERSION = '1.1.0';

/** Folder of this release in the cache, whether it exists or not. */
export function setupFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { VLGYM_CACHE, XDG_CACHE_HOME } = environment;
  const cache = VLGYM_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'vlgym');
  return join(cache, 'miniwob', MINIWOB_VERSION);
}

/** The folder `html` of the package. @throws {MiniWoBPagesMissingError} */
export function pagesFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const folder = environment.VLGYM_MINIWOB_HTML || join(setupFolder(environment), 'miniwob', 'html');
  if (!existsSync(join(folder, 'core', 'core.js'))) throw new MiniWoBPagesMissingError(folder);
  return folder;
}
