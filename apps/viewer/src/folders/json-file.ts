/** A JSON file of a folder that may be a stranger's. */
import { readRegularFileIfAny } from '@vlgym/core/internal';

const MAX_BYTES = 1 << 28;

/** @returns `undefined` for a file that is missing, torn, no regular one, or too large. */
export async function jsonFile(path: string): Promise<unknown> {
  const text = await readRegularFileIfAny(path, MAX_BYTES).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
