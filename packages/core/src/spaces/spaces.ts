/** The spaces by their short names: `spaces.dict({ picture: spaces.image({ height: 64, width: 64 }) })`. */
import type { DType } from './arrays.js';
import { type BoxOptions, BoxSpace } from './box.js';
import { type ChatOptions, ChatSpace } from './chat.js';
import { DictSpace, type SpaceRecord } from './composite/dict.js';
import { type GraphOptions, GraphSpace } from './composite/graph.js';
import { OneOfSpace } from './composite/one-of.js';
import { type SequenceOptions, SequenceSpace } from './composite/sequence.js';
import { TupleSpace } from './composite/tuple.js';
import { type DiscreteOptions, DiscreteSpace } from './discrete.js';
import { type Channels, type ImageOptions, ImageSpace } from './image.js';
import { type JsonOptions, JsonSpace, type SchemaValue, type StandardSchema } from './json.js';
import { MultiBinarySpace } from './multi-binary.js';
import { type MultiDiscreteOptions, MultiDiscreteSpace } from './multi-discrete.js';
import type { Space } from './space.js';
import { type TextOptions, TextSpace } from './text.js';

export { batchSpace, concatenate, iterate } from './flat/batch.js';
export { flatSize, flatten, flattenSpace, isFlattenable, unflatten } from './flat/flatten.js';
export { isKind } from './kinds.js';
export { fromJSON } from './serialization/from-json.js';
export { fromJsonSchema } from './serialization/from-json-schema.js';

/** Arrays of numbers of one shape between bounds. */
export function box<D extends DType = 'float32'>(options: BoxOptions<D>): BoxSpace<D> {
  return new BoxSpace(options);
}

/** The whole numbers `start` to `start + n - 1`, with optional names. */
export function discrete(n: number, options?: DiscreteOptions): DiscreteSpace {
  return new DiscreteSpace(n, options);
}

/** Several whole numbers at once, each below its count. */
export function multiDiscrete(counts: readonly number[], options?: MultiDiscreteOptions): MultiDiscreteSpace {
  return new MultiDiscreteSpace(counts, options);
}

/** An array of 0 and 1. */
export function multiBinary(shape: number | readonly number[]): MultiBinarySpace {
  return new MultiBinarySpace(shape);
}

/** Strings of a bounded length in code points. */
export function text(options: TextOptions): TextSpace {
  return new TextSpace(options);
}

/** Pictures of one size. */
export function image<C extends Channels = 3>(options: ImageOptions<C>): ImageSpace<C> {
  return new ImageSpace(options);
}

/** Conversations of text and pictures. */
export function chat(options?: ChatOptions): ChatSpace {
  return new ChatSpace(options);
}

/** JSON data that a zod schema, or another Standard Schema, accepts. */
export function json<S extends StandardSchema>(
  schema: S,
  options?: JsonOptions<SchemaValue<S>>,
): JsonSpace<SchemaValue<S>> {
  return new JsonSpace(schema as StandardSchema<SchemaValue<S>>, options);
}

/** A fixed list of values, each from its own space. */
export function tuple<const S extends readonly Space[]>(spaces: S): TupleSpace<S> {
  return new TupleSpace(spaces);
}

/** An object with a fixed set of keys. */
export function dict<S extends SpaceRecord>(spaces: S): DictSpace<S> {
  return new DictSpace(spaces);
}

/** Lists of any length with elements of one space. */
export function sequence<T>(element: Space<T>, options?: SequenceOptions): SequenceSpace<T> {
  return new SequenceSpace(element, options);
}

/** Graphs with features on nodes and edges. */
export function graph<Node, Edge = never>(options: GraphOptions<Node, Edge>): GraphSpace<Node, Edge> {
  return new GraphSpace(options);
}

/** A value of one of several spaces, as `[index, value]`. */
export function oneOf<const S extends readonly Space[]>(spaces: S): OneOfSpace<S> {
  return new OneOfSpace(spaces);
}
