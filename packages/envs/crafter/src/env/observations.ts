/** The kinds of observation: the space of each, and how it is made. */
import { type RgbImage, type Space, spaces } from '@vlgym/core';
import { PictureMemory } from '@vlgym/core/internal';
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
  readonly memory: PictureMemory;

  constructor(
    readonly kind: ObservationKind,
    size: number,
  ) {
    this.painter = new Painter(size);
    this.memory = new PictureMemory(size ** 2 * 3, kind);
    const image = spaces.image({ height: size, width: size });
    const text = spaces.text({ maxLength: MAX_TEXT });
    const space = { image: () => image, text: () => text, both: () => spaces.dict({ text, image }) }[kind]();
    this.space = space as unknown as Space<CrafterObservation>;
  }

  /**
   * @param noise  Numbers for a dark picture.
   * @param last   The episode ends with it.
   */
  observe(game: Game, noise: Float64Array | undefined, last: boolean): CrafterObservation {
    if (this.kind === 'text') return textOf(game);
    const image = this.painter.draw(game, noise, this.memory.next(last));
    return this.kind === 'image' ? image : { text: textOf(game), image };
  }
}
