/** How a folder is looked at, as the last line of the commands that write one. */
import { relative } from 'node:path';
import { dim } from './style.js';

export function viewHint(folder: string): string {
  const path = relative('.', folder);
  const shown = path === '' ? '.' : path.startsWith('..') ? folder : path;
  return dim(`see it: vlgym view ${/^[\w./@:+-]+$/.test(shown) ? shown : JSON.stringify(shown)}`);
}
