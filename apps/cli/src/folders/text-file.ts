/** Texts of the folders that commands are given. A folder may be a stranger's: nothing in it is waited for. */
import { readRegularFileIfAny } from '@vlgym/core/internal';

const MAX_BYTES = 2 ** 28;

/**
 * @returns `undefined` for a missing file.
 * @throws {NotReadableFileError} `FILE_NOT_READABLE`: a pipe, a device, a folder, or more than 256 MiB.
 */
export const textIn = (path: string): Promise<string | undefined> => readRegularFileIfAny(path, MAX_BYTES);

/** @returns `undefined` for a missing file, or one that a kill has torn. @throws what `textIn` does. */
export async function jsonIn(path: string): Promise<unknown> {
  const text = await textIn(path);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values of a file of JSON lines that are whole. @throws what `textIn` does. */
export async function jsonLinesIn(path: string): Promise<unknown[]> {
  const text = (await textIn(path)) ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
