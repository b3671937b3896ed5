/**
 * Textures by name and variant: painted on first use and kept, or read from a folder of the original's pictures.
 *
 * One library serves all environments that use the same folder, so a further environment costs no texture memory.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodePng, GymError, type Image, type RgbImage } from '@vlgym/core';
import { UnknownTextureError, WorldError } from '../world/errors.js';
import { addTextureName, textureVariants } from '../world/texture-names.js';
import { facade } from './facade.js';
import { drawLetter } from './letters.js';
import { RECIPES, type Recipe } from './recipes.js';

/** A picture and the meters that one repetition of it covers. */
export interface Texture {
  readonly image: RgbImage;
  readonly meters: readonly [width: number, height: number];
}

/** The original lays 512 texels on a meter, whatever the size of a picture. */
const TEXELS_PER_METRE = 512;

/** Recipes of `defineTexture`. */
const defined = new Map<string, readonly Recipe[]>();

/**
 * Makes a texture known to every world from here on.
 *
 * @param variants  What domain randomization chooses from; pictures of any size, with the meters that each covers.
 * @throws {WorldError}  The name is taken, or there are no variants, or more than nine.
 */
export function defineTexture(
  name: string,
  variants: readonly { readonly meters: readonly [number, number]; paint(): RgbImage }[],
): void {
  const sizes = variants.flatMap(({ meters }) => meters);
  if (variants.length < 1 || variants.length > 9 || !sizes.every((size) => size > 0 && size < 1e4)) {
    throw new WorldError('A texture cannot have these variants.', variants.length, '1 to 9, each of positive size');
  }
  addTextureName(name, variants.length);
  defined.set(name, variants);
}

/** A folder of pictures that is not there, or lacks one that a world needs. */
export class AssetFolderError extends GymError {
  constructor(message: string, value: string, expected: string) {
    super(message, {
      code: 'ASSETS_MISSING',
      value,
      expected,
      hint: 'leave `assets` out for the textures of this package',
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
   * @param folder  The original's `miniworld` folder or its `textures`; left out, textures are painted.
   * @throws {AssetFolderError}  It does not exist, or holds no textures.
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

  /** A surface's texture. @throws {UnknownTextureError | AssetFolderError} */
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

  /** What meshes of this package wear. */
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
    const image = opaque(decodePng(readFileSync(path)));
    return { image, meters: [image.width / TEXELS_PER_METRE, image.height / TEXELS_PER_METRE] };
  }
}

function texturesIn(folder: string): string {
  const found = [join(folder, 'textures'), folder].find((path) => existsSync(join(path, 'floor_tiles_bw_1.png')));
  if (found) return found;
  const there = existsSync(folder) && statSync(folder).isDirectory();
  throw new AssetFolderError(
    there ? `The asset folder "${folder}" holds no textures.` : `There is no asset folder "${folder}".`,
    folder,
    'the folder `miniworld` of the Python package, or its `textures`',
  );
}

/** A recipe of somebody else's may return anything. @throws {WorldError} */
function checkedImage(name: string, image: RgbImage): RgbImage {
  const { data, width, height, channels } = (image ?? {}) as Partial<RgbImage>;
  const sound =
    data instanceof Uint8Array && channels === 3 && width! > 0 && height! > 0 && data.length === 3 * width! * height!;
  if (sound) return image;
  const value = { bytes: data?.length, width, height, channels };
  throw new WorldError(`The texture "${name}" has no sound picture.`, value, '3 * width * height bytes, 3 channels');
}

/** Three channels; opacity has no effect, as in the original. */
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
