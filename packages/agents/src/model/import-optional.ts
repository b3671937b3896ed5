/** Packages that only some agents need. */
import { MissingPackageError } from '../errors.js';

/** @throws {MissingPackageError}  The package is not installed. */
export async function importOptional<T>(packageName: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
      throw new MissingPackageError(packageName, error);
    throw error;
  }
}
