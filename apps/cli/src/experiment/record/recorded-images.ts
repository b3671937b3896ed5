/** The pictures of a record, and the bytes of its folder as they grow. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Image } from '@vlgym/core';
import { type ContentHash, FolderImages, type ImageStore } from '@vlgym/core/trajectory';

export const IMAGES = 'images';

export class RecordedImages implements ImageStore {
  readonly #images: FolderImages;
  readonly #counted = new Set<string>();
  /** Size of all files of the record, as far as they were counted. */
  bytes = 0;

  private constructor(readonly folder: string) {
    this.#images = new FolderImages(join(folder, IMAGES));
  }

  /** @param folder  That of the record; what lies there is counted. */
  static async open(folder: string): Promise<RecordedImages> {
    const images = new RecordedImages(folder);
    for (const at of [folder, join(folder, IMAGES)]) {
      for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
        if (entry.isFile()) await images.#count(join(at, entry.name));
      }
    }
    return images;
  }

  async save(image: Image): Promise<ContentHash> {
    const hash = await this.#images.save(image);
    const path = join(this.folder, IMAGES, `${hash.slice('sha256:'.length)}.png`);
    if (!this.#counted.has(path)) await this.#count(path);
    return hash;
  }

  load(hash: ContentHash): Promise<Image> {
    return this.#images.load(hash);
  }

  async #count(path: string): Promise<void> {
    this.#counted.add(path);
    this.bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  }
}
