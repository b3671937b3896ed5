/**
 * three.js textures, materials and mesh geometries, shared by all worlds with the same texture library.
 *
 * Colors are plain numbers without color management, as in the fixed pipeline of the original.
 */
import {
  type BufferGeometry,
  Color,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NearestFilter,
  RepeatWrapping,
  RGBAFormat,
} from 'three';
import { meshModel } from '../meshes/models.js';
import { objectParts } from '../meshes/object-models.js';
import { type Texture, TextureLibrary } from '../textures/library.js';
import { UnknownMeshError } from '../world/errors.js';
import { meshExtents, meshNames } from '../world/mesh-extents.js';
import type { Triple } from '../world/parameters.js';
import { meshGeometry, paletteOf } from './mesh-geometry.js';

/** One part of a mesh entity: a geometry and its material. */
export interface MeshPart {
  readonly geometry: BufferGeometry;
  /** One, or one per group of the geometry. */
  readonly material: MeshLambertMaterial | MeshLambertMaterial[];
}

export class SceneResources {
  readonly library: TextureLibrary;
  /** Colors come from the vertices. */
  readonly vertexColored = new MeshLambertMaterial({ vertexColors: true });
  readonly black = new MeshLambertMaterial({ color: rgb([0, 0, 0]) });
  readonly white = new MeshLambertMaterial({ color: rgb([1, 1, 1]) });
  /** The agent from above, in the shade of red that it has in the original after a box was drawn. */
  readonly agentMark = new MeshBasicMaterial({ color: rgb([0.65, 0, 0]) });
  readonly #textured = new Map<Texture, MeshLambertMaterial>();
  readonly #meshes = new Map<string, readonly MeshPart[]>();

  private constructor(library: TextureLibrary) {
    this.library = library;
  }

  static readonly #shared = new WeakMap<TextureLibrary, SceneResources>();

  /** @throws {AssetFolderError} */
  static open(assets?: string): SceneResources {
    const library = TextureLibrary.open(assets);
    let resources = SceneResources.#shared.get(library);
    if (!resources) {
      resources = new SceneResources(library);
      SceneResources.#shared.set(library, resources);
    }
    return resources;
  }

  /** A white material with the texture. */
  textured(texture: Texture): MeshLambertMaterial {
    let material = this.#textured.get(texture);
    if (!material) {
      material = new MeshLambertMaterial({ map: dataTexture(texture), color: rgb([1, 1, 1]) });
      this.#textured.set(texture, material);
    }
    return material;
  }

  /** @throws {UnknownMeshError} */
  mesh(name: string): readonly MeshPart[] {
    let parts = this.#meshes.get(name) ?? objectParts(name);
    if (!parts) {
      const model = meshModel(name);
      if (!model) throw new UnknownMeshError(name, meshNames());
      parts = meshGeometry(model, meshExtents(name)).map(({ geometry, surface }) => {
        if (surface === 'vertices') return { geometry, material: this.vertexColored };
        if (surface === 'facade') return { geometry, material: this.textured(this.library.mesh(surface)) };
        return { geometry, material: paletteMaterial(paletteOf(model)) };
      });
      this.#meshes.set(name, parts);
    }
    return parts;
  }
}

/** Sets the components without conversion; the constructor of `Color` would convert them. */
export function rgb([red, green, blue]: Triple): Color {
  return new Color().setRGB(red, green, blue);
}

/** A texture with one cell per color, without mixing between cells. */
function paletteMaterial(colors: readonly Triple[]): MeshLambertMaterial {
  const rgba = Uint8Array.from(colors.flatMap((color) => [...color.map((value) => Math.round(255 * value)), 255]));
  const map = new DataTexture(rgba, colors.length, 1, RGBAFormat);
  map.magFilter = NearestFilter;
  map.minFilter = NearestFilter;
  map.needsUpdate = true;
  return new MeshLambertMaterial({ map, color: rgb([1, 1, 1]) });
}

/** Flips the rows, because v = 0 is the bottom row. */
function dataTexture({ image: { data, width, height } }: Texture): DataTexture {
  const rgba = new Uint8Array(4 * width * height).fill(255);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = 3 * ((height - 1 - row) * width + column);
      const to = 4 * (row * width + column);
      rgba[to] = data[from]!;
      rgba[to + 1] = data[from + 1]!;
      rgba[to + 2] = data[from + 2]!;
    }
  }
  const texture = new DataTexture(rgba, width, height, RGBAFormat);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
