/** The kinds of observation: the space of each, and how it is made. */
import { type RgbImage, type Space, spaces } from '@vlgym/core';
import { Painter } from '../pictures/painter.js';
import { describeInventory, describeView } from '../text/describe.js';
import type { Game } from '../world/game.js';
import type { ObservationKind } from './options.js';

export interface TextAndImage {
  readonly text: string;
  readonly image: RgbImage;
}

export type ObservationOfKind<Kind extends ObservationKind> = {
  image: RgbImage;
  text: string;
  both: TextAndImage;
}[Kind];

export type CrafterObservation = ObservationOfKind<ObservationKind>;

const MAX_TEXT = 4000;

/** Separates what is seen from vitals and items; BALROG shows the latter only while they are current. */
export const PARTS = '\n\nYour status:';

export const textOf = (game: Game): string => `${describeView(game)}\n\n${describeInventory(game)}`;

export class Observer {
  readonly space: Space<CrafterObservation>;
  readonly painter: Painter;
  #lent: Uint8Array | undefined;

  constructor(
    readonly kind: ObservationKind,
    size: number,
  ) {
    this.painter = new Painter(size);
    const image = spaces.image({ height: size, width: size });
    const text = spaces.text({ maxLength: MAX_TEXT });
    const space = { image: () => image, text: () => text, both: () => spaces.dict({ text, image }) }[kind]();
    this.space = space as unknown as Space<CrafterObservation>;
  }

  /** Bytes of a picture. */
  get bytes(): number {
    return this.painter.size ** 2 * 3;
  }

  /** Pictures are views of this buffer; `undefined`: each has its own. */
  lend(frame: Uint8Array | undefined): void {
    this.#lent = frame;
  }

  /**
   * @param noise  Numbers for a dark picture.
   * @param copy   Whether a lent buffer may not be used.
   */
  observe(game: Game, noise: Float64Array | undefined, copy: boolean): CrafterObservation {
    if (this.kind === 'text') return textOf(game);
    const image = this.painter.draw(game, noise, this.#lent && !copy ? this.#lent : new Uint8Array(this.bytes));
    return this.kind === 'image' ? image : { text: textOf(game), image };
  }
}
