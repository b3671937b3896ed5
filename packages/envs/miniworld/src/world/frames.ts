/** Pictures and texts on walls. Sizes follow `Farama-Foundation/Miniworld`, `miniworld/entity.py`. */
import type { Generator } from '@vlgym/core';
import { checkSizes } from './check-entity.js';
import { Entity, type Looks } from './entity.js';
import { WorldError } from './errors.js';
import type { Parameters, Triple } from './parameters.js';
import { textureVariants } from './texture-names.js';

export interface FramePlace {
  readonly position: Triple;
  readonly direction: number;
}

/** A picture on a wall, facing its direction. */
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
  }: FramePlace & { texture: string; width: number; aspect?: number | undefined; depth?: number | undefined }) {
    super();
    textureVariants(texture);
    checkSizes('an image frame', [width, aspect, depth]);
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

/** Number of handwritings of each letter. */
const LETTER_VARIANTS = 9;

/** A text on a wall, one square per letter. */
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
  }: FramePlace & { text: string; height?: number | undefined; depth?: number | undefined }) {
    super();
    if (!/^[A-Za-z0-9 ]+$/.test(text)) {
      throw new WorldError('Invalid text of a text frame.', text, 'letters, digits and spaces');
    }
    checkSizes('a text frame', [height, depth]);
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
