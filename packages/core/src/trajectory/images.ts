/** Stores for the pictures of trajectories: in a folder or in memory, each picture once, named by its pixels. */
import { builtin } from '../files/builtin.js';
import { NotReadableFileError, readRegularBytes } from '../files/read-regular-file.js';
import { writeFileAtomic } from '../files/write-file-atomic.js';
import type { Image } from '../image.js';
import { hashImage } from '../images/hash-image.js';
import { ImageInvalidError } from '../images/image-error.js';
import { decodePng, encodePng } from '../images/png.js';
import { ImageMissingError } from './errors.js';
import { type ContentHash, contentHashSchema } from './schema.js';

/** Far more than a PNG file of the largest picture. */
const MAX_IMAGE_BYTES = 1 << 28;

export interface ImageStore {
  /** Stores the picture; once this resolves it can be loaded. */
  save(image: Image): Promise<ContentHash>;
  /** @throws {ImageMissingError} `IMAGE_MISSING`. @throws {ImageInvalidError} `IMAGE_INVALID`: damaged or altered. */
  load(hash: ContentHash): Promise<Image>;
}

/** One PNG file per picture: `<folder>/<64 hexadecimal digits>.png`. */
export class FolderImages implements ImageStore {
  readonly #saved = new Map<ContentHash, Promise<void>>();

  constructor(readonly folder: string) {}

  async save(image: Image): Promise<ContentHash> {
    const hash = hashImage(image);
    let saved = this.#saved.get(hash);
    if (saved === undefined) {
      saved = this.#write(hash, image);
      this.#saved.set(hash, saved);
      saved.catch(() => this.#saved.delete(hash)); // the disk may have space again at the next attempt
    }
    await saved;
    return hash;
  }

  async load(hash: ContentHash): Promise<Image> {
    let bytes: Uint8Array;
    try {
      bytes = await readRegularBytes(this.#path(hash), MAX_IMAGE_BYTES);
    } catch (cause) {
      if (cause instanceof NotReadableFileError) throw cause;
      throw new ImageMissingError(hash, this.folder, cause);
    }
    const image = decodePng(bytes);
    const found = hashImage(image);
    if (found !== hash) {
      throw new ImageInvalidError(`The pixels of the stored picture do not match its name.`, {
        value: found,
        expected: hash,
        hint: 'the file was altered; record the episode again',
      });
    }
    return image;
  }

  async #write(hash: ContentHash, image: Image): Promise<void> {
    const { access } = builtin('node:fs/promises');
    const path = this.#path(hash);
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (!exists) await writeFileAtomic(path, encodePng(image));
  }

  /** A hash from a hostile file could otherwise name any path. */
  #path(hash: ContentHash): string {
    if (!contentHashSchema.safeParse(hash).success) throw new ImageMissingError(hash, this.folder);
    return builtin('node:path').join(this.folder, `${hash.slice('sha256:'.length)}.png`);
  }
}

export class MemoryImages implements ImageStore {
  readonly #images = new Map<ContentHash, Image>();

  async save(image: Image): Promise<ContentHash> {
    const hash = hashImage(image);
    this.#images.set(hash, image);
    return hash;
  }

  async load(hash: ContentHash): Promise<Image> {
    const image = this.#images.get(hash);
    if (image === undefined) throw new ImageMissingError(hash, 'memory');
    return image;
  }
}
