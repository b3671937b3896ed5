/** The parts of an observation that a prompt shows. */
import type { RgbImage } from '@vlgym/core';
import { type CrafterObservation, PARTS } from '../env/observations.js';

export interface Sight {
  /** The view in sentences. */
  readonly view: string | undefined;
  /** Vitals and items. */
  readonly items: string | undefined;
  readonly image: RgbImage | undefined;
}

/** A picture has no words. */
export function sightOf(observation: CrafterObservation): Sight {
  if (typeof observation === 'string') return { ...inParts(observation), image: undefined };
  if ('text' in observation) return { ...inParts(observation.text), image: observation.image };
  return { view: undefined, items: undefined, image: observation };
}

function inParts(text: string): Pick<Sight, 'view' | 'items'> {
  const at = text.lastIndexOf(PARTS);
  return { view: text.slice(0, at), items: text.slice(at).trimStart() };
}
