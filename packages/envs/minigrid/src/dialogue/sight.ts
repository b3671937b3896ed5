/** The parts of an observation that a prompt shows. */
import type { RgbImage } from '@vlgym/core';
import { type MiniGridObservation, viewText } from '../env/observations.js';

export interface Sight {
  readonly text: string | undefined;
  readonly image: RgbImage | undefined;
}

/** Symbols become text; a picture has none. @param viewSize  Cells of a side of the view. */
export function sightOf(observation: MiniGridObservation, viewSize: number): Sight {
  if (typeof observation === 'string') return { text: observation, image: undefined };
  if ('mission' in observation) return { text: viewText(observation.image, viewSize), image: undefined };
  if ('text' in observation) return observation;
  return { text: undefined, image: observation };
}
