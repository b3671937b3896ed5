/** What an agent gets to see of a step: words, a picture, or both. */
import { type RgbImage, type Space, spaces } from '@vlgym/core';
import type { Play } from '../engine/play.js';
import type { LoadedGame } from '../games/source.js';
import { painter } from '../pictures/load.js';
import type { InstanceMap, Size } from '../pictures/painter.js';

export const OBSERVATION_KINDS = ['text', 'image', 'both'] as const;

/**
 * - `text`: what the game says.
 * - `image`: a first-person picture after the action.
 * - `both`: `{ text, image }`.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

/** Words and a picture of the same moment. */
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

const LONGEST_OBSERVATION = 16_384;
/** Pixels that an object must cover to count as seen: the rule of ALFWorld's visual engine. */
const FEWEST_PIXELS = 10;

/** A moment of an episode. */
export interface Moment {
  readonly loaded: LoadedGame;
  readonly play: Play;
  readonly observation: string;
}

/** Nothing of pictures is touched while only words are asked for. */
export class Views {
  readonly kind: ObservationKind;
  readonly size: Size;
  readonly space: Space<SeenObservation>;

  /** @throws {GymError} `PICTURES_NOT_LOADED` where pictures are asked for at once. */
  constructor(kind: ObservationKind, size: Size) {
    this.kind = kind;
    this.size = size;
    const text = spaces.text({ minLength: 0, maxLength: LONGEST_OBSERVATION });
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
    return painter().drawRgb(play, isMade(loaded), this.size);
  }

  instances({ loaded, play }: Moment): InstanceMap {
    return painter().drawInstances(play, isMade(loaded), this.size);
  }

  /** Names of what covers at least ten pixels, sorted by the number of pixels, most first. */
  seen(moment: Moment): string[] {
    const { data, names } = this.instances(moment);
    const counts = new Map<number, number>();
    for (const id of data) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts]
      .filter(([id, pixels]) => id !== 0 && pixels >= FEWEST_PIXELS)
      .sort(([a, more], [b, less]) => less - more || a - b)
      .map(([id]) => names.get(id)!);
  }
}

/** Households of our generator have furniture of known sizes, also where they come from a file. */
function isMade({ file }: LoadedGame): boolean {
  return file === undefined || /[\\/]trial_vlgym_\d+[\\/]/.test(file);
}
