/** A folder of its own with the files of a model, for what a measurement writes beside them. */
import { readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

export function linkModel(model: string, folder: string): void {
  for (const name of readdirSync(model)) symlinkSync(join(resolve(model), name), join(folder, name));
}
