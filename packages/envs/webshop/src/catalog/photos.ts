/** Photographs of products: files and data URLs, copied into the folder of the catalog while it is imported. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Product } from './product.js';

/** Folder inside of a catalog, and the beginning of a photograph's address in a product. */
export const PHOTOS = 'photos/';
export const PHOTO_NAME = /^[0-9a-f]{32}\.(?:png|jpg|gif|webp|svg)$/;

const MAX_BYTES = 16 << 20;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const BASE64 = /^data:image\/[\w.+-]+;base64,/i;
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

export const photoType = (name: string): string => TYPES[name.slice(name.lastIndexOf('.') + 1)]!;

/** A picture that a page can show as it is. */
export const isDataUrl = (address: string): boolean => /^data:image\//i.test(address);

/** Takes photographs from where rows name them. */
export class PhotoKeeper {
  /** Pictures at addresses of the web, which the shop does not load: they are drawn. */
  elsewhere = 0;
  kept = 0;
  readonly #folder: string;
  readonly #write: (name: string, bytes: Uint8Array) => Promise<void>;
  readonly #known = new Map<string, string | undefined>();

  /**
   * @param source  The file of the products: paths of photographs start from its folder.
   * @param write   Writes a photograph of this name; called once per name.
   */
  constructor(source: string, write: (name: string, bytes: Uint8Array) => Promise<void>) {
    this.#folder = dirname(resolve(source));
    this.#write = write;
  }

  /** The product with addresses in the catalog. @param onLeftOut  Receives why a photograph is left out. */
  async keep(product: Product, onLeftOut: (reason: string) => void): Promise<Product> {
    const { mainImage, optionImages } = product;
    const images: Record<string, string | null> = {};
    for (const [value, image] of Object.entries(optionImages)) images[value] = await this.#kept(image, onLeftOut);
    return { ...product, mainImage: await this.#kept(mainImage, onLeftOut), optionImages: images };
  }

  async #kept(address: string | null, onLeftOut: (reason: string) => void): Promise<string | null> {
    if (!address || address.startsWith('draw:')) return address;
    if (SCHEME.test(address) && !isDataUrl(address)) {
      this.elsewhere += 1;
      return address;
    }
    const digest = isDataUrl(address) ? createHash('sha256').update(address).digest('hex') : address;
    if (!this.#known.has(digest)) this.#known.set(digest, await this.#store(address, onLeftOut));
    const name = this.#known.get(digest);
    return name === undefined ? null : PHOTOS + name;
  }

  async #store(address: string, onLeftOut: (reason: string) => void): Promise<string | undefined> {
    const bytes = isDataUrl(address) ? fromDataUrl(address) : await this.#file(address);
    const ending = bytes && endingOf(bytes);
    if (!ending) {
      const shown = isDataUrl(address) ? `${address.slice(0, 30)}…` : address;
      onLeftOut(`photo left out: ${shown} ${bytes ? 'is no PNG, JPEG, GIF, WebP or SVG' : 'cannot be read'}`);
      return undefined;
    }
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`;
    if (![...this.#known.values()].includes(name)) {
      await this.#write(name, bytes);
      this.kept += 1;
    }
    return name;
  }

  async #file(address: string): Promise<Uint8Array | undefined> {
    const path = resolve(this.#folder, address);
    try {
      const about = await stat(path);
      return about.isFile() && about.size <= MAX_BYTES ? await readFile(path) : undefined;
    } catch {
      return undefined;
    }
  }
}

function fromDataUrl(address: string): Uint8Array | undefined {
  const head = BASE64.exec(address)?.[0];
  if (head !== undefined) return Buffer.from(address.slice(head.length), 'base64');
  try {
    return Buffer.from(decodeURIComponent(address.slice(address.indexOf(',') + 1)), 'utf8');
  } catch {
    return undefined;
  }
}

/** By the first bytes, not by the name. */
function endingOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpg';
  if (head.startsWith('GIF8')) return 'gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp';
  return head.includes('<svg') && /^(?:\xef\xbb\xbf)?\s*</.test(head) ? 'svg' : undefined;
}
