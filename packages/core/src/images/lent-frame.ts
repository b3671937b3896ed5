/** Buffers that callers lend to environments, which draw their pictures into them (`drawInto`). */
import { InvalidOptionError } from '../options.js';

/** @param bytes  Length of an RGB picture of the environment. @throws {InvalidOptionError} The buffer has another length. */
export function checkLentFrame(frame: Uint8Array | undefined, bytes: number): void {
  if (frame === undefined || (frame instanceof Uint8Array && frame.length === bytes)) return;
  const value = (frame as unknown) instanceof Uint8Array ? frame.length : frame;
  throw new InvalidOptionError('frame', value, `a Uint8Array of ${bytes} bytes, 3 * height * width`);
}

/** The memory of an environment's pictures: a buffer that its caller lends, or new memory for each picture. */
export class PictureMemory {
  #lent: Uint8Array | undefined;
  #copiesLast = false;

  /**
   * @param bytes  Length of a picture.
   * @param kind   That of the observations: only those that are an `image` can be drawn into a buffer.
   */
  constructor(
    readonly bytes: number,
    readonly kind: string,
  ) {}

  /** Lends the buffer; `undefined` takes it back. @throws {InvalidOptionError} */
  drawInto(frame: Uint8Array | undefined, { copyLast = false }: { readonly copyLast?: boolean } = {}): void {
    if (frame !== undefined && this.kind !== 'image') {
      throw new InvalidOptionError('observation', this.kind, "'image', to draw into a buffer");
    }
    checkLentFrame(frame, this.bytes);
    this.#lent = frame;
    this.#copiesLast = copyLast;
  }

  /** @param isLast  The picture is the last observation of an episode. */
  next(isLast: boolean): Uint8Array {
    const lent = isLast && this.#copiesLast ? undefined : this.#lent;
    return lent ?? new Uint8Array(this.bytes);
  }
}
