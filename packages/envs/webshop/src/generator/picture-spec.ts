/** What a product's picture shows, as a short text that stands where a catalogue has a picture's address. */
import type { Shape } from './kinds.js';
import { PATTERNS, type Pattern } from './words.js';

export interface PictureSpec {
  readonly shape: Shape;
  /** Name of a colour. */
  readonly colour: string;
  readonly pattern: Pattern;
  /** How many are drawn. */
  readonly pack: number;
}

const PREFIX = 'draw:';

/** `draw:shoe/navy blue/striped/1` */
export function pictureSpec({ shape, colour, pattern, pack }: PictureSpec): string {
  return `${PREFIX}${shape}/${colour}/${pattern}/${pack}`;
}

/** What the text asks for; nothing where it is another kind of address. */
export function parsePictureSpec(text: string | null | undefined): PictureSpec | undefined {
  if (!text?.startsWith(PREFIX)) return undefined;
  const [shape = 'box', colour = '', pattern = '', pack = '1'] = text.slice(PREFIX.length).split('/');
  return {
    shape: shape as Shape,
    colour,
    pattern: PATTERNS.find((each) => each === pattern) ?? 'plain',
    pack: Math.min(Math.max(Math.trunc(Number(pack)) || 1, 1), 24),
  };
}
