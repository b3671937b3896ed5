/**
 * Things in a world: where they stand, how much room they take, and a description of their looks that needs no
 * three.js. An entity of your own extends `Entity` (or is a `MeshEntity` with a mesh of your own).
 *
 * Radii, heights and draws follow `Farama-Foundation/Miniworld`, `miniworld/entity.py`.
 */

import type { Generator } from '@vlgym/core';
import { COLORS, type ColorName } from './colors.js';
import { WorldError } from './errors.js';
import { meshExtents } from './mesh-extents.js';
import { type Parameters, sampleScalar, sampleTriple, type Triple } from './parameters.js';
import { textureVariants } from './texture-names.js';

/** What the scene draws for an entity. */
export type Looks =
  | { readonly kind: 'none' }
  | { readonly kind: 'box'; readonly size: Triple; readonly color: Triple }
  | { readonly kind: 'mesh'; readonly mesh: string; readonly scale: number }
  | {
      readonly kind: 'image';
      readonly texture: string;
      readonly width: number;
      readonly height: number;
      readonly depth: number;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Per letter the handwriting, from 1. */
      readonly variants: readonly number[];
      readonly height: number;
      readonly depth: number;
    };

export abstract class Entity {
  /** Meters; y is up and the floor is 0. */
  x = 0;
  y = 0;
  z = 0;
  /** Radians: 0 looks along +x, turning left increases it; never wrapped. */
  direction = 0;
  /** Meters kept free around it. */
  abstract readonly radius: number;
  abstract readonly height: number;
  /** Static ones cannot be picked up. */
  readonly isStatic: boolean = false;

  /** In words, as in "a red box". */
  abstract get label(): string;
  /** The same object as long as it looks the same, where that is easy: the scene compares. */
  abstract looks(): Looks;

  /** Once per reset, when all entities are placed. Draw from `rng` only where it is given. */
  randomize(_parameters: Parameters, _rng: Generator | undefined): void {}

  /** State of its own beyond place and direction, as JSON data, for snapshots. */
  saveState(): unknown {
    return undefined;
  }

  restoreState(_state: unknown): void {}
}

export class Box extends Entity {
  override readonly radius: number;
  override readonly height: number;
  readonly size: Triple;
  #looks: Extract<Looks, { kind: 'box' }>;

  /** @param size  Meters: one number for a cube, or x, y, z. */
  constructor(
    readonly color: ColorName,
    size: number | Triple = 0.8,
  ) {
    super();
    checkColor(color);
    this.size = typeof size === 'number' ? [size, size, size] : size;
    checkSizes('A box', this.size);
    const [x, y, z] = this.size;
    this.radius = Math.sqrt(x * x + z * z) / 2;
    this.height = y;
    this.#looks = { kind: 'box', size: this.size, color: COLORS[color] };
  }

  /** Red, green and blue from 0 to 1, bias included. */
  get shownColor(): Triple {
    return this.#looks.color;
  }

  override get label(): string {
    return `a ${this.color} box`;
  }

  override looks(): Looks {
    return this.#looks;
  }

  override randomize({ objColorBias }: Parameters, rng: Generator | undefined): void {
    const bias = sampleTriple(objColorBias, rng);
    const base = COLORS[this.color];
    const shown = (axis: 0 | 1 | 2) => Math.min(Math.max(base[axis] + bias[axis], 0), 1);
    this.#looks = { kind: 'box', size: this.size, color: [shown(0), shown(1), shown(2)] };
  }
}

export interface MeshEntityOptions {
  readonly mesh: string;
  /** Meters; the mesh is scaled to it. */
  readonly height: number;
  readonly isStatic?: boolean;
  /** For texts and dialogues; default made from the mesh's name. */
  readonly label?: string;
}

export class MeshEntity extends Entity {
  readonly mesh: string;
  override readonly radius: number;
  override readonly height: number;
  readonly scale: number;
  override readonly isStatic: boolean;
  readonly #label: string;
  readonly #looks: Looks;

  /** @throws {UnknownMeshError} */
  constructor({ mesh, height, isStatic = true, label = `a ${mesh.replaceAll('_', ' ')}` }: MeshEntityOptions) {
    super();
    checkSizes(`The mesh entity "${mesh}"`, [height]);
    const [x, y, z] = meshExtents(mesh);
    this.mesh = mesh;
    this.height = height;
    this.scale = height / y;
    // the original's extents are float32, and so are their squares
    this.radius = Math.sqrt(Math.fround(Math.fround(x * x) + Math.fround(z * z))) * this.scale;
    this.isStatic = isStatic;
    this.#label = label;
    this.#looks = { kind: 'mesh', mesh, scale: this.scale };
  }

  override get label(): string {
    return this.#label;
  }

  override looks(): Looks {
    return this.#looks;
  }
}

export class Ball extends MeshEntity {
  constructor(
    readonly color: ColorName,
    size = 0.6,
  ) {
    checkColor(color);
    super({ mesh: `ball_${color}`, height: size, isStatic: false, label: `a ${color} ball` });
  }
}

export class Key extends MeshEntity {
  constructor(
    readonly color: ColorName,
    size = 0.35,
  ) {
    checkColor(color);
    super({ mesh: `key_${color}`, height: size, isStatic: false, label: `a ${color} key` });
  }
}

export interface FramePlace {
  readonly position: Triple;
  readonly direction: number;
}

/** A picture on a wall; its direction is where it looks. */
export class ImageFrame extends Entity {
  override readonly radius = 0;
  override readonly height: number;
  override readonly isStatic = true;
  readonly texture: string;
  readonly width: number;
  readonly depth: number;

  /** @param aspect  Height over width of the picture. */
  constructor({
    position,
    direction,
    texture,
    width,
    aspect = 1,
    depth = 0.05,
  }: FramePlace & { texture: string; width: number; aspect?: number; depth?: number }) {
    super();
    textureVariants(texture);
    checkSizes('An image frame', [width, aspect, depth]);
    [this.x, this.y, this.z] = position;
    this.direction = direction;
    this.texture = texture;
    this.width = width;
    this.height = width * aspect;
    this.depth = depth;
  }

  override get label(): string {
    return 'a picture on the wall';
  }

  override looks(): Looks {
    const { texture, width, height, depth } = this;
    return { kind: 'image', texture, width, height, depth };
  }
}

/** Handwritings of each letter that randomization chooses from. */
const LETTER_VARIANTS = 9;

/** Words on a wall, one square per letter. */
export class TextFrame extends Entity {
  override readonly radius = 0;
  override readonly height: number;
  override readonly isStatic = true;
  readonly text: string;
  readonly depth: number;
  #variants: readonly number[];

  constructor({
    position,
    direction,
    text,
    height = 0.15,
    depth = 0.05,
  }: FramePlace & { text: string; height?: number; depth?: number }) {
    super();
    if (!/^[A-Za-z0-9 ]+$/.test(text)) {
      throw new WorldError('A text frame cannot show this text.', text, 'letters, digits and spaces');
    }
    checkSizes('A text frame', [height, depth]);
    [this.x, this.y, this.z] = position;
    this.direction = direction;
    this.text = text;
    this.height = height;
    this.depth = depth;
    this.#variants = [...text].map(() => 1);
  }

  get width(): number {
    return this.text.length * this.height;
  }

  override get label(): string {
    return `a sign that says ${this.text}`;
  }

  override looks(): Looks {
    const { text, height, depth } = this;
    return { kind: 'text', text, variants: this.#variants, height, depth };
  }

  override randomize(_parameters: Parameters, rng: Generator | undefined): void {
    this.#variants = [...this.text].map((letter) => (rng && letter !== ' ' ? 1 + rng.integers(LETTER_VARIANTS) : 1));
  }
}

const INVISIBLE: Looks = { kind: 'none' };

/** Who acts; its eye is a camera. */
export class Agent extends Entity {
  /** RoomObjects makes it 1.5. */
  override radius = 0.4;
  override readonly height = 1.6;
  /** Meters above the floor, meters forward, degrees up, degrees from bottom to top. */
  camHeight = 1.5;
  camFwdDisp = 0;
  camPitch = 0;
  camFovY = 60;
  carrying: Entity | undefined;

  get forwardX(): number {
    return Math.cos(this.direction);
  }

  get forwardZ(): number {
    return -Math.sin(this.direction);
  }

  override get label(): string {
    return 'the agent';
  }

  override looks(): Looks {
    return INVISIBLE;
  }

  override randomize({ camHeight, camFwdDisp, camPitch, camFovY }: Parameters, rng: Generator | undefined): void {
    this.camHeight = sampleScalar(camHeight, rng);
    this.camFwdDisp = sampleScalar(camFwdDisp, rng);
    this.camPitch = sampleScalar(camPitch, rng);
    this.camFovY = sampleScalar(camFovY, rng);
  }
}

function checkColor(color: string): void {
  if (!Object.hasOwn(COLORS, color)) {
    throw new WorldError('There is no such color.', color, Object.keys(COLORS).join(', '));
  }
}

function checkSizes(what: string, sizes: readonly number[]): void {
  if (!sizes.every((size) => size > 0 && size <= 1000)) {
    throw new WorldError(`${what} cannot have this size.`, sizes, 'meters above 0, up to 1000');
  }
}
