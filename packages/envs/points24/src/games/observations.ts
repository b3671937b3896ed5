/** The kinds of observation of the games: a picture, or what it shows in words. */
import { InvalidOptionError, type RgbImage, type Space, spaces } from '@vlgym/core';
import type { Size } from '../pictures/canvas.js';

export const OBSERVATION_KINDS = ['image', 'text'] as const;

/**
 * - `image`: the picture.
 * - `text`: what the picture shows, in words, for models that read text only.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export type ObservationOfKind<Kind extends ObservationKind> = { image: RgbImage; text: string }[Kind];

/** Maximum length of a description: two lines of cards, and a formula of 1000 entries. */
const MAX_CHARACTERS = 8192;

/** @typeParam Kind  The kind as the compiler knows it. */
export function spaceOf<Kind extends ObservationKind>(
  kind: ObservationKind,
  size: Size,
): Space<ObservationOfKind<Kind>> {
  const space = kind === 'text' ? spaces.text({ maxLength: MAX_CHARACTERS }) : spaces.image(size);
  return space as unknown as Space<ObservationOfKind<Kind>>;
}

/** @throws {InvalidOptionError}  Observations are text, which cannot be drawn into a buffer. */
export function refuseFrame(kind: ObservationKind, frame: Uint8Array | undefined): void {
  if (frame && kind === 'text') throw new InvalidOptionError('observation', kind, "'image', to draw into a buffer");
}
