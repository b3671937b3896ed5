/**
 * Photographs models of products with our own renderer: the same bytes on every machine.
 *
 * Loaded only by themes that show photographs, because it needs the optional packages @vlgym/render and three.
 */
import { encodePng } from '@vlgym/core/images';
import { createSoftRenderer } from '@vlgym/render';
import {
  AmbientLight,
  Box3,
  Color,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  RepeatWrapping,
  RGBAFormat,
  Scene,
  Vector3,
} from 'three';
import { COLORS, type Pattern } from '../generator/words.js';
import { CATEGORY_MODELS, MODELS } from './models/index.js';
import type { Materials, Model } from './parts.js';

export interface Photo {
  /** The query of the kind. */
  readonly kind: string;
  /** For products whose kind has no model. */
  readonly category?: string;
  /** Name of a color. */
  readonly color: string;
  readonly pattern: Pattern;
  /** Number of items in the picture. */
  readonly pack: number;
}

/** Pixels of a photograph, width and height. */
export const PHOTO_SIZE = 288;
/** Photographs that are kept, about 20 kB each. */
const MAX_KEPT = 1000;

/** Angle of view, degrees. */
const VIEW = 24;
const BACKGROUND: readonly [number, number, number] = [250, 250, 250];

export class Studio {
  readonly #renderer = createSoftRenderer({ outputColorSpace: 'srgb-linear' });
  readonly #kept = new Map<string, string>();
  /** All models share them: a photograph sets their colors. */
  readonly #materials = newMaterials();
  readonly #scenes = new Map<string, { readonly scene: Scene; readonly camera: PerspectiveCamera }>();
  readonly #patterns = new Map<string, DataTexture>();

  /** Address of the photograph, with the picture in it. */
  address(photo: Photo): string {
    const key = `${modelOf(photo)}/${photo.color}/${photo.pattern}/${photo.pack}`;
    const before = this.#kept.get(key);
    if (before !== undefined) return before;
    const png = encodePng({ width: PHOTO_SIZE, height: PHOTO_SIZE, channels: 3, data: this.take(photo) });
    const address = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
    if (this.#kept.size >= MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, address);
    return address;
  }

  /** @returns Pixels, [PHOTO_SIZE, PHOTO_SIZE, 3]. */
  take({ pack, ...photo }: Photo): Uint8Array<ArrayBuffer> {
    const columns = Math.ceil(Math.sqrt(pack));
    const rows = Math.ceil(pack / columns);
    const side = Math.floor(PHOTO_SIZE / columns);
    const item = this.#draw(photo, side);
    if (pack === 1) return item;
    // A pack is its item several times, so that the number can be counted.
    const sheet = new Uint8Array(PHOTO_SIZE * PHOTO_SIZE * 3);
    for (let at = 0; at < sheet.length; at += 3) sheet.set(BACKGROUND, at);
    const top = Math.floor((PHOTO_SIZE - rows * side) / 2);
    for (let index = 0; index < pack; index += 1) {
      const [x, y] = [(index % columns) * side, top + Math.floor(index / columns) * side];
      for (let row = 0; row < side; row += 1) {
        sheet.set(item.subarray(3 * row * side, 3 * (row + 1) * side), 3 * ((y + row) * PHOTO_SIZE + x));
      }
    }
    return sheet;
  }

  close(): void {
    this.#renderer.dispose();
    this.#kept.clear();
    this.#scenes.clear();
  }

  #draw({ color, pattern, ...about }: Omit<Photo, 'pack'>, size: number): Uint8Array<ArrayBuffer> {
    const name = modelOf(about);
    let set = this.#scenes.get(name);
    if (!set) {
      set = sceneOf(MODELS[name]!(this.#materials));
      this.#scenes.set(name, set);
    }
    this.#paint(channels(COLORS[color] ?? '#8c8c8c'), pattern);
    const { rgb } = this.#renderer.render(set.scene, set.camera, { width: size, height: size, rgb: true });
    return rgb as Uint8Array<ArrayBuffer>;
  }

  #paint(rgb: Channels, pattern: Pattern): void {
    const { body, plain, shade } = this.#materials;
    setColor(plain, rgb);
    setColor(shade, darker(rgb));
    setColor(body, pattern === 'plain' ? rgb : [255, 255, 255]);
    body.map = pattern === 'plain' ? null : this.#texture(rgb, pattern);
  }

  #texture(rgb: Channels, pattern: Pattern): DataTexture {
    const key = `${rgb} ${pattern}`;
    const made = this.#patterns.get(key) ?? patternTexture(pattern, rgb, isLight(rgb) ? [58, 58, 58] : [242, 242, 242]);
    this.#patterns.set(key, made);
    return made;
  }
}

function modelOf({ kind, category = '' }: Pick<Photo, 'kind' | 'category'>): string {
  if (Object.hasOwn(MODELS, kind)) return kind;
  return Object.hasOwn(CATEGORY_MODELS, category) ? CATEGORY_MODELS[category]! : 'pancake mixes';
}

/** Light, floor and camera around a model; the frame fits the model from where it is looked at. */
function sceneOf({ parts, yaw = 28, pitch = 16 }: Model): { scene: Scene; camera: PerspectiveCamera } {
  const model = new Group();
  model.add(...parts);
  const bounds = new Box3().setFromObject(model, true);
  const center = bounds.getCenter(new Vector3());
  const scene = new Scene();
  scene.background = new Color(...(BACKGROUND.map((value) => value / 255) as [number, number, number]));
  const sun = new DirectionalLight(0xffffff, 0.62 * Math.PI);
  sun.position.set(-1.2, 2.4, 2);
  const fill = new DirectionalLight(0xffffff, 0.2 * Math.PI);
  fill.position.set(2, 0.6, 1);
  scene.add(new AmbientLight(0xffffff, 0.42 * Math.PI), sun, fill, model, ground(bounds));
  const camera = new PerspectiveCamera(VIEW, 1, 0.1, 100);
  const [around, above] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const toCamera = new Vector3(Math.cos(above) * Math.sin(around), Math.sin(above), Math.cos(above) * Math.cos(around));
  camera.position.copy(center).addScaledVector(toCamera, 10);
  camera.lookAt(center);
  camera.updateMatrixWorld();
  const seen = corners(bounds).map((corner) => corner.applyMatrix4(camera.matrixWorldInverse));
  const reach = Math.max(...seen.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))));
  const near = Math.max(...seen.map(({ z }) => z + 10));
  camera.position.copy(center).addScaledVector(toCamera, (1.05 * reach) / Math.tan((VIEW * Math.PI) / 360) + near / 2);
  return { scene, camera };
}

function corners({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

/** A soft shadow on the floor: a picture of one, because the renderer casts none. */
function ground({ min, max }: Box3): Mesh {
  const size = 64;
  const pixels = new Uint8Array(size * size * 4);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const far = Math.hypot((column + 0.5) / size - 0.5, (row + 0.5) / size - 0.5) * 2;
      const dark = 58 * Math.max(0, 1 - far) ** 1.4;
      pixels.set([...BACKGROUND.map((value) => Math.round(value - dark)), 255], 4 * (row * size + column));
    }
  }
  const texture = new DataTexture(pixels, size, size, RGBAFormat);
  texture.needsUpdate = true;
  const plane = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ map: texture }));
  plane.rotation.x = -Math.PI / 2;
  plane.position.set((min.x + max.x) / 2, min.y - 0.01, (min.z + max.z) / 2);
  const spread = 0.35 * Math.max(max.x - min.x, max.z - min.z);
  plane.scale.set(max.x - min.x + 2 * spread, max.z - min.z + 2 * spread, 1);
  return plane;
}

function newMaterials(): Record<keyof Materials, MeshLambertMaterial> {
  const solid = (hex: string) => {
    const material = new MeshLambertMaterial({ side: DoubleSide });
    setColor(material, channels(hex));
    return material;
  };
  return {
    body: solid('#8c8c8c'),
    plain: solid('#8c8c8c'),
    shade: solid('#6c6c6c'),
    white: solid('#f4f4f2'),
    black: solid('#2b2c30'),
    metal: solid('#b9bdc4'),
    wood: solid('#a9764a'),
    cream: solid('#efd9ad'),
    green: solid('#5b8f4a'),
  };
}

function setColor(material: MeshLambertMaterial, [red, green, blue]: Channels): void {
  material.color.setRGB(red / 255, green / 255, blue / 255);
}

const PATTERN_SIZE = 64;

/** One tile of a pattern, repeated over a part. */
function patternTexture(pattern: Pattern, base: Channels, mark: Channels): DataTexture {
  const pixels = new Uint8Array(PATTERN_SIZE * PATTERN_SIZE * 4);
  for (let row = 0; row < PATTERN_SIZE; row += 1) {
    for (let column = 0; column < PATTERN_SIZE; column += 1) {
      const [u, v] = [(column + 0.5) / PATTERN_SIZE, (row + 0.5) / PATTERN_SIZE];
      const marked =
        pattern === 'striped'
          ? u < 0.36
          : pattern === 'dotted'
            ? Math.hypot(u - 0.5, v - 0.5) < 0.27
            : u < 0.5 === v < 0.5;
      pixels.set([...(marked ? mark : base), 255], 4 * (row * PATTERN_SIZE + column));
    }
  }
  const texture = new DataTexture(pixels, PATTERN_SIZE, PATTERN_SIZE, RGBAFormat);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.repeat.set(4, 4);
  texture.needsUpdate = true;
  return texture;
}

type Channels = readonly [number, number, number];

function channels(hex: string): Channels {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Channels;
}

/** A darker shade; of black, a lighter one. */
function darker(rgb: Channels): Channels {
  const factor = isLight(rgb) ? 0.8 : 0.66;
  const black = rgb.every((value) => value < 60);
  return rgb.map((value) => Math.round(black ? value + 46 : value * factor)) as unknown as Channels;
}

const isLight = ([red, green, blue]: Channels) => 0.3 * red + 0.6 * green + 0.1 * blue > 140;
