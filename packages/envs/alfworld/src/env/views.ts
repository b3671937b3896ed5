/** Observations: text, a picture, or both. */
import { type RgbImage, type Space, spaces } from '@vlgym/core';
import type { Play } from '../engine/play.js';
import type { LoadedGame } from '../games/source.js';
import type { Origin } from '../pictures/floor-plan.js';
import { painter } from '../pictures/load.js';
import type { InstanceMap, Size } from '../pictures/painter.js';

export const OBSERVATION_KINDS = ['text', 'image', 'both'] as const;

/**
 * - `text`: the text of the game.
 * - `image`: a first-person picture after the action.
 * - `both`: `{ text, image }`.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

/** Text and picture of the same state. */
export interface TextAndImage {
  readonly text: string;
  readonly image: RgbImage;
}

export type ObservationOfKind<Kind extends ObservationKind> = {
  text: string;
  image: RgbImage;
  both: TextAndImage;
}[Kind];

export type SeenObservation = ObservationOfKind<ObservationKind>;

const MAX_OBSERVATION_LENGTH = 16_384;
/** Pixels that an object must cover to count as visible, as in ALFWorld's visual engine. */
const MIN_PIXELS = 10;

/** A state of an episode. */
export interface Moment {
  readonly loaded: LoadedGame;
  readonly play: Play;
  readonly observation: string;
}

/** Makes observations; uses the renderer for pictures only. */
export class Views {
  readonly kind: ObservationKind;
  readonly size: Size;
  readonly space: Space<SeenObservation>;

  /** @throws {GymError} `PICTURES_NOT_LOADED` */
  constructor(kind: ObservationKind, size: Size) {
    this.kind = kind;
    this.size = size;
    const text = spaces.text({ minLength: 0, maxLength: MAX_OBSERVATION_LENGTH });
    const image = spaces.image(size);
    const space = { text: () => text, image: () => image, both: () => spaces.dict({ text, image }) }[kind]();
    this.space = space as unknown as Space<SeenObservation>;
    if (kind !== 'text') painter();
  }

  observe(moment: Moment): SeenObservation {
    if (this.kind === 'text') return moment.observation;
    const image = this.picture(moment);
    return this.kind === 'image' ? image : { text: moment.observation, image };
  }

  picture({ loaded, play }: Moment): RgbImage {
    return painter().drawRgb(play, originOf(loaded), this.size);
  }

  instances({ loaded, play }: Moment): InstanceMap {
    return painter().drawInstances(play, originOf(loaded), this.size);
  }

  /** Names of objects that cover at least ten pixels, largest first. */
  visible(moment: Moment): string[] {
    const { data, names } = this.instances(moment);
    const counts = new Map<number, number>();
    for (const id of data) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts]
      .filter(([id, pixels]) => id !== 0 && pixels >= MIN_PIXELS)
      .sort(([a, more], [b, less]) => less - more || a - b)
      .map(([id]) => names.get(id)!);
  }
}

/** Furniture of our generator has known sizes, even if the household comes from a file. */
function originOf({ file, areas }: LoadedGame): Origin {
  return { isMade: file === undefined || /[\\/]trial_vlgym_\d+[\\/]/.test(file), areas };
}
