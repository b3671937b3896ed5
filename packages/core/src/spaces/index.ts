/** Spaces of observations and actions: classes, short names, batching, flattening, JSON. */
export type { DType, TypedArray, TypedArrays } from './arrays.js';
export { BaseSpace } from './base-space.js';
export { type BoxOptions, BoxSpace } from './box.js';
export { type ChatOptions, type ChatRole, ChatSpace } from './chat.js';
export { CompositeSpace } from './composite/composite-space.js';
export { DictSpace, type DictValue, type SpaceRecord } from './composite/dict.js';
export {
  type Graph,
  type GraphMask,
  type GraphOptions,
  type GraphSampleOptions,
  GraphSpace,
} from './composite/graph.js';
export { OneOfSpace, type OneOfValue } from './composite/one-of.js';
export { type SequenceMask, type SequenceOptions, SequenceSpace } from './composite/sequence.js';
export { TupleSpace, type TupleValue } from './composite/tuple.js';
export { type DiscreteOptions, DiscreteSpace } from './discrete.js';
export {
  InvalidMaskError,
  InvalidSpaceError,
  InvalidValueError,
  NotFlattenableError,
  SamplerMissingError,
  SpaceTooLargeError,
  UnsupportedSchemaError,
} from './errors.js';
export { type Channels, type ImageOptions, ImageSpace } from './image.js';
export { type JsonOptions, JsonSpace, type SchemaValue, type StandardSchema } from './json.js';
export { MAX_ELEMENTS, MAX_JSON_BYTES, MAX_TEXT_LENGTH } from './limits.js';
export type { EntryMask, MaskOptions } from './masks.js';
export { MultiBinarySpace } from './multi-binary.js';
export { type MultiDiscreteOptions, MultiDiscreteSpace } from './multi-discrete.js';
export { ALPHANUMERIC, type TextMask, type TextOptions, TextSpace } from './text.js';
