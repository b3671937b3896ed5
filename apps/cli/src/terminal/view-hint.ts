/** How a folder is looked at, as the last line of the commands that write one. */
import { relative } from 'node:path';
import { dim } from './style.js';

/** The path from here, where it does not lead out of this folder. */
export function shownPath(path: string): string {
  const here = relative('.', path);
  return here === '' ? '.' : here.startsWith('..') ? path : here;
}

export function viewHint(folder: string): string {
  const shown = shownPath(folder);
  return dim(`see it: vlgym view ${/^[\w./@:+-]+$/.test(shown) ? shown : JSON.stringify(shown)}`);
}
