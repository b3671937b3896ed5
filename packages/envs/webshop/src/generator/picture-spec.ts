/** The contents of a product's picture as a short text, stored in place of an address. */
import type { Shape } from './kinds.js';
import { PATTERNS, type Pattern } from './words.js';

export interface PictureSpec {
  readonly shape: Shape;
  /** Name of a color. */
  readonly color: string;
  readonly pattern: Pattern;
  /** Number of items. */
  readonly pack: number;
}

const PREFIX = 'draw:';

/** `draw:shoe/navy blue/striped/1` */
export function pictureSpec({ shape, color, pattern, pack }: PictureSpec): string {
  return `${PREFIX}${shape}/${color}/${pattern}/${pack}`;
}

/** Parses the text of a picture; `undefined` for other addresses. */
export function parsePictureSpec(text: string | null | undefined): PictureSpec | undefined {
  if (!text?.startsWith(PREFIX)) return undefined;
  const [shape = 'box', color = '', pattern = '', pack = '1'] = text.slice(PREFIX.length).split('/');
  return {
    shape: shape as Shape,
    color,
    pattern: PATTERNS.find((known) => known === pattern) ?? 'plain',
    pack: Math.min(Math.max(Math.trunc(Number(pack)) || 1, 1), 24),
  };
}

/** The main picture with the changes of the chosen options' pictures. */
export function combinedSpec(main: PictureSpec, chosen: readonly string[]): PictureSpec {
  let { color, pattern, pack } = main;
  for (const text of chosen) {
    const spec = parsePictureSpec(text) ?? main;
    if (spec.color !== main.color) color = spec.color;
    if (spec.pattern !== main.pattern) pattern = spec.pattern;
    if (spec.pack !== main.pack) pack = spec.pack;
  }
  return { ...main, color, pattern, pack };
}
