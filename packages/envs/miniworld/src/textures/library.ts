/**
 * Textures by name and variant: generated on first use and cached, or read from a folder of the original's pictures.
 *
 * All environments with the same folder share one library, so further environments need no texture memory.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GymError, type Image, type RgbImage } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { readRegularBytesSync } from '@vlgym/core/internal';
import { UnknownTextureError, WorldError } from '../world/errors.js';
import { addTextureName, textureVariants } from '../world/texture-names.js';
import { facade } from './facade.js';
import { drawLetter } from './letters.js';
import { RECIPES, type Recipe } from './recipes.js';

const MAX_TEXTURE_BYTES = 1 << 28;

/** A picture, and the size in meters of one repetition. */
export interface Texture {
  readonly image: RgbImage;
  readonly meters: readonly [width: number, height: number];
}

/** Scale of the original's pictures, regardless of their size. */
const TEXELS_PER_METER = 512;

/** Recipes of `defineTexture`. */
const defined = new Map<string, readonly Recipe[]>();

/**
 * Defines a texture for all worlds.
 *
 * @param variants  The variants that domain randomization chooses from: pictures of any size, and their size in meters.
 * @throws {WorldError}  The name exists, or the number of variants is not 1 to 9.
 */
export function defineTexture(
  name: string,
  variants: readonly { readonly meters: readonly [number, number]; paint(): RgbImage }[],
): void {
  const sizes = variants.flatMap(({ meters }) => meters);
  if (variants.length < 1 || variants.length > 9 || !sizes.every((size) => size > 0 && size < 1e4)) {
    throw new WorldError(`Invalid variants of the texture "${name}".`, variants.length, '1 to 9, of positive size');
  }
  addTextureName(name, variants.length);
  defined.set(name, variants);
}

/** The asset folder does not exist or lacks a picture. */
export class AssetFolderError extends GymError {
  constructor(message: string, value: string, expected: string) {
    super(message, {
      code: 'ASSETS_MISSING',
      value,
      expected,
      hint: 'omit `assets` for the textures of this package',
    });
  }
}

export class TextureLibrary {
  readonly #folder: string | undefined;
  readonly #kept = new Map<string, Texture>();

  private constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  static readonly #libraries = new Map<string, TextureLibrary>();

  /**
   * @param folder  The original's `miniworld` folder or its `textures`; omitted: textures are generated.
   * @throws {AssetFolderError}  It does not exist, or contains no textures.
   */
  static open(folder?: string): TextureLibrary {
    const textures = folder === undefined ? undefined : texturesIn(folder);
    let library = TextureLibrary.#libraries.get(textures ?? '');
    if (!library) {
      library = new TextureLibrary(textures);
      TextureLibrary.#libraries.set(textures ?? '', library);
    }
    return library;
  }

  /** The texture of a surface. @throws {UnknownTextureError | AssetFolderError} */
  surface(name: string, variant: number): Texture {
    return this.#keep(`${name}_${variant}`, () => {
      const count = textureVariants(name);
      const recipe = (defined.get(name) ?? RECIPES[name])?.[variant - 1];
      if (!recipe) throw new UnknownTextureError(`${name}_${variant}`, [`${name}_1 to ${name}_${count}`]);
      if (this.#folder !== undefined && !defined.has(name)) return this.#read(`${name}_${variant}.png`);
      return { image: checkedImage(name, recipe.paint()), meters: recipe.meters };
    });
  }

  letter(letter: string, variant: number): Texture {
    const file = `ch_0x${letter.charCodeAt(0)}_${variant}.png`;
    return this.#keep(file, () =>
      this.#folder === undefined
        ? { image: drawLetter(letter, variant), meters: [1, 1] }
        : this.#read(join('chars', file)),
    );
  }

  /** A texture of this package's meshes. */
  mesh(name: 'facade'): Texture {
    return this.#keep(`mesh ${name}`, () => ({ image: facade(), meters: [1, 1] }));
  }

  #keep(key: string, make: () => Texture): Texture {
    let texture = this.#kept.get(key);
    if (!texture) {
      texture = make();
      this.#kept.set(key, texture);
    }
    return texture;
  }

  #read(file: string): Texture {
    const path = join(this.#folder!, file);
    if (!existsSync(path)) {
      throw new AssetFolderError(`The asset folder lacks "${file}".`, path, 'the textures of MiniWorld 2.1.0');
    }
    const image = opaque(decodePng(readRegularBytesSync(path, MAX_TEXTURE_BYTES)));
    return { image, meters: [image.width / TEXELS_PER_METER, image.height / TEXELS_PER_METER] };
  }
}

function texturesIn(folder: string): string {
  const found = [join(folder, 'textures'), folder].find((path) => existsSync(join(path, 'floor_tiles_bw_1.png')));
  if (found) return found;
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  throw new AssetFolderError(
    isFolder ? `The asset folder "${folder}" has no textures.` : `The asset folder "${folder}" does not exist.`,
    folder,
    'the folder `miniworld` of the Python package, or its `textures`',
  );
}

/** Checks the result of a recipe, which may be a user's. @throws {WorldError} */
function checkedImage(name: string, image: RgbImage): RgbImage {
  const { data, width, height, channels } = (image ?? {}) as Partial<RgbImage>;
  const isValid =
    data instanceof Uint8Array && channels === 3 && width! > 0 && height! > 0 && data.length === 3 * width! * height!;
  if (isValid) return image;
  const value = { bytes: data?.length, width, height, channels };
  throw new WorldError(`Invalid picture of the texture "${name}".`, value, '3 * width * height bytes, 3 channels');
}

/** Converts to three channels. Opacity is ignored, as in the original. */
function opaque({ data, width, height, channels }: Image): RgbImage {
  if (channels === 3) return { data, width, height, channels };
  const pixels = new Uint8Array(3 * width * height);
  for (let index = 0; index < width * height; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[3 * index + channel] = data[channels * index + (channels === 1 ? 0 : channel)]!;
    }
  }
  return { data: pixels, width, height, channels: 3 };
}
