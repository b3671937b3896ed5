/** Spaces: what observations and actions look like. */
export type { DType, TypedArray, TypedArrays } from './arrays.js';
export { BaseSpace } from './base-space.js';
export { type BoxOptions, BoxSpace } from './box.js';
export { type DiscreteOptions, DiscreteSpace } from './discrete.js';
export {
  InvalidMaskError,
  InvalidSpaceError,
  InvalidValueError,
  NotFlattenableError,
  SamplerMissingError,
  UnsupportedSchemaError,
} from './errors.js';
export { type Channels, type ImageOptions, ImageSpace } from './image.js';
export type { EntryMask, MaskOptions } from './masks.js';
export * from './space.js';
export * as spaces from './spaces.js';
export { ALPHANUMERIC, type TextMask, type TextOptions, TextSpace } from './text.js';
