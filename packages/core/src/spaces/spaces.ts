/** The spaces by their short names: `spaces.dict({ picture: spaces.image({ height: 64, width: 64 }) })`. */
import type { DType } from './arrays.js';
import { type BoxOptions, BoxSpace } from './box.js';
import { type DiscreteOptions, DiscreteSpace } from './discrete.js';
import { type Channels, type ImageOptions, ImageSpace } from './image.js';
import { type TextOptions, TextSpace } from './text.js';

/** Arrays of numbers of one shape between bounds. */
export function box<D extends DType = 'float32'>(options: BoxOptions<D>): BoxSpace<D> {
  return new BoxSpace(options);
}

/** The whole numbers `start` to `start + n - 1`, with names if you like. */
export function discrete(n: number, options?: DiscreteOptions): DiscreteSpace {
  return new DiscreteSpace(n, options);
}

/** Pictures of one size. */
export function image<C extends Channels = 3>(options: ImageOptions<C>): ImageSpace<C> {
  return new ImageSpace(options);
}

/** Strings of a bounded length in code points. */
export function text(options: TextOptions): TextSpace {
  return new TextSpace(options);
}
