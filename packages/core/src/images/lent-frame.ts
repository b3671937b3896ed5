/** Buffers that callers lend to environments, which draw their pictures into them (`drawInto`). */
import { InvalidOptionError } from '../options.js';

/** @param bytes  Length of an RGB picture of the environment. @throws {InvalidOptionError} The buffer has another length. */
export function checkLentFrame(frame: Uint8Array | undefined, bytes: number): void {
  if (frame === undefined || (frame instanceof Uint8Array && frame.length === bytes)) return;
  const value = (frame as unknown) instanceof Uint8Array ? frame.length : frame;
  throw new InvalidOptionError('frame', value, `a Uint8Array of ${bytes} bytes, 3 * height * width`);
}
