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

/** What the main picture shows, changed as the pictures of the chosen options differ from it. */
export function combinedSpec(main: PictureSpec, chosen: readonly string[]): PictureSpec {
  let { colour, pattern, pack } = main;
  for (const text of chosen) {
    const spec = parsePictureSpec(text) ?? main;
    if (spec.colour !== main.colour) colour = spec.colour;
    if (spec.pattern !== main.pattern) pattern = spec.pattern;
    if (spec.pack !== main.pack) pack = spec.pack;
  }
  return { ...main, colour, pattern, pack };
}
