/** JSON files of model folders, bounded and with errors that name them. */
import { basename, join } from 'node:path';
import { NotReadableFileError, readRegularFile } from '@vlgym/core/internal';
import { ModelFolderError } from './errors.js';

/** Ten times the index of a model of several hundred layers. */
const MAX_BYTES = 2 ** 26;

type Json = Readonly<Record<string, unknown>>;

/** @returns `undefined` if the file does not exist. @throws {ModelFolderError} It is not a JSON object. */
export async function readOptionalJson(folder: string, name: string): Promise<Json | undefined> {
  const text = await readOptionalText(folder, name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ModelFolderError(folder, `${name} is not JSON`, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new ModelFolderError(folder, `${name} is not a JSON object`);
}

/** @throws {ModelFolderError} The file is missing or not a JSON object. */
export async function readJson(folder: string, name: string): Promise<Json> {
  const value = await readOptionalJson(folder, name);
  if (!value) throw new ModelFolderError(folder, `it has no ${name}`);
  return value;
}

export async function readOptionalText(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readRegularFile(join(folder, basename(name)), MAX_BYTES);
  } catch (cause) {
    if (cause instanceof NotReadableFileError) {
      throw new ModelFolderError(folder, `${name} is not readable: ${cause.problem}`, { cause });
    }
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ModelFolderError(folder, `${name} is not readable`, { cause });
  }
}
