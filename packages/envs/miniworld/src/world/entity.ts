/**
 * Entities of a world: their position and size, and a description of their looks that does not need three.js. Your own
 * entity extends `Entity`, or is a `MeshEntity` with your own mesh.
 *
 * Radii, heights and draws follow `Farama-Foundation/Miniworld`, `miniworld/entity.py`.
 */

import type { Generator } from '@vlgym/core';
import { checkColor, checkSizes } from './check-entity.js';
import { COLORS, type ColorName } from './colors.js';
import { meshExtents } from './mesh-extents.js';
import { type Parameters, sampleScalar, sampleTriple, type Triple } from './parameters.js';

/** The appearance of an entity in the scene. */
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
      /** The handwriting of each letter, from 1. */
      readonly variants: readonly number[];
      readonly height: number;
      readonly depth: number;
    };

export abstract class Entity {
  /** Meters; y is up and the floor is 0. */
  x = 0;
  y = 0;
  z = 0;
  /** Radians: 0 is +x, turning left increases it; never wrapped. */
  direction = 0;
  /** Radius of the floor area that it occupies, in meters. */
  abstract readonly radius: number;
  abstract readonly height: number;
  /** Static entities cannot be picked up. */
  readonly isStatic: boolean = false;

  /** Whether it stops the agent and what the agent carries, and can be picked up. */
  blocks = true;

  /** The entity in words, such as "a red box". */
  abstract get label(): string;
  /** Return the same object while the looks do not change, if possible; the scene compares them. */
  abstract looks(): Looks;

  /** Called once per reset, after all entities are placed. Draw from `rng` only if it is given. */
  randomize(_parameters: Parameters, _rng: Generator | undefined): void {}

  /** Further state for snapshots, apart from position and direction, as JSON data. */
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
    checkSizes('a box', this.size);
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
  /** Height in meters, to which the mesh is scaled. */
  readonly height: number;
  readonly isStatic?: boolean | undefined;
  /** Used in texts and dialogues; derived from the mesh's name by default. */
  readonly label?: string | undefined;
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
    checkSizes(`the mesh entity "${mesh}"`, [height]);
    const [x, y, z] = meshExtents(mesh);
    this.mesh = mesh;
    this.height = height;
    this.scale = height / y;
    // In the original the extents and their squares are float32.
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

const INVISIBLE: Looks = { kind: 'none' };

/** The agent and its camera. */
export class Agent extends Entity {
  /** 1.5 in RoomObjects. */
  override radius = 0.4;
  override readonly height = 1.6;
  /** The camera: height and forward displacement in meters, pitch and vertical field of view in degrees. */
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
