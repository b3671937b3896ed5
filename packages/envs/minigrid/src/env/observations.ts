/** The kinds of observation: the space of each, and how it is made. */
import { type RgbImage, type Space, spaces } from '@vlgym/core';
import { PictureMemory } from '@vlgym/core/internal';
import { Painter } from '../pictures/picture.js';
import { describeView } from '../text/describe.js';
import type { View } from '../view/view.js';
import type { World } from '../world/world.js';
import type { ObservationKind, Shown } from './options.js';

/** As published. */
export interface SymbolicObservation {
  /** Type, color and state of each cell of the view, column by column; zeros for a hidden cell. */
  readonly image: Uint8Array;
  /** 0 right, 1 down, 2 left, 3 up. */
  readonly direction: number;
  readonly mission: string;
}

export interface TextAndImage {
  readonly text: string;
  readonly image: RgbImage;
}

export type ObservationOfKind<Kind extends ObservationKind> = {
  symbolic: SymbolicObservation;
  image: RgbImage;
  text: string;
  both: TextAndImage;
}[Kind];

export type MiniGridObservation = ObservationOfKind<ObservationKind>;

const MAX_MISSION = 1000;
const MAX_TEXT = 20_000;
const YOU_SEE = 'You see ';

export interface ObserverSettings {
  readonly kind: ObservationKind;
  readonly shown: Shown;
  readonly tileSize: number;
  readonly highlight: boolean;
}

/** Text without the words that begin each sentence, as BALROG shows it. */
export const viewText = (image: Uint8Array, size: number): string =>
  describeView(image, size)
    .map((line) => line.replace(YOU_SEE, ''))
    .join('\n');

export class Observer {
  readonly kind: ObservationKind;
  readonly space: Space<MiniGridObservation>;
  readonly memory: PictureMemory;
  readonly #settings: ObserverSettings;
  readonly #painter: Painter;

  constructor(settings: ObserverSettings, world: World, view: View) {
    const { kind, shown, tileSize } = settings;
    this.kind = kind;
    this.#settings = settings;
    this.#painter = new Painter(tileSize);
    const size = shown === 'agent' ? this.#painter.viewSize(view) : this.#painter.worldSize(world);
    this.memory = new PictureMemory(size.height * size.width * 3, kind);
    const image = spaces.image(size);
    const text = spaces.text({ minLength: 0, maxLength: MAX_TEXT });
    const cells = spaces.box({ low: 0, high: 255, shape: [view.size, view.size, 3], dtype: 'uint8' });
    const mission = spaces.text({ minLength: 0, maxLength: MAX_MISSION });
    const space = {
      symbolic: () => spaces.dict({ image: cells, direction: spaces.discrete(4), mission }),
      image: () => image,
      text: () => text,
      both: () => spaces.dict({ text, image }),
    }[kind]();
    this.space = space as unknown as Space<MiniGridObservation>;
  }

  /**
   * The symbols of the view before `Task.begin`, from which the text is made.
   *
   * @returns `undefined` if the kind needs none.
   */
  symbols(view: View): Uint8Array | undefined {
    return this.kind === 'image' ? undefined : view.encode();
  }

  /** @param last  The episode ends with it. */
  observe(world: World, view: View, symbols: Uint8Array | undefined, last: boolean): MiniGridObservation {
    switch (this.kind) {
      case 'symbolic':
        return { image: symbols!, direction: world.direction, mission: world.mission };
      case 'text':
        return viewText(symbols!, view.size);
      case 'image':
        return this.draw(world, view, last);
      case 'both':
        return { text: viewText(symbols!, view.size), image: this.draw(world, view, last) };
    }
  }

  draw(world: World, view: View, last: boolean): RgbImage {
    const { shown, highlight } = this.#settings;
    const into = this.memory.next(last);
    if (shown === 'agent') return this.#painter.drawView(view, into);
    return this.#painter.drawWorld(world, highlight ? view : undefined, into);
  }
}
