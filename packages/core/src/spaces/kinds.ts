/** Type tests for spaces, which also work for spaces of another copy of this package. */
import type { DType } from './arrays.js';
import type { BaseSpace } from './base-space.js';
import type { BoxSpace } from './box.js';
import type { ChatSpace } from './chat.js';
import type { DictSpace } from './composite/dict.js';
import type { GraphSpace } from './composite/graph.js';
import type { OneOfSpace } from './composite/one-of.js';
import type { SequenceSpace } from './composite/sequence.js';
import type { TupleSpace } from './composite/tuple.js';
import type { DiscreteSpace } from './discrete.js';
import type { Channels, ImageSpace } from './image.js';
import type { JsonSpace } from './json.js';
import type { MultiBinarySpace } from './multi-binary.js';
import type { MultiDiscreteSpace } from './multi-discrete.js';
import type { Space } from './space.js';
import type { TextSpace } from './text.js';

export interface SpaceKinds {
  box: BoxSpace<DType>;
  discrete: DiscreteSpace;
  multiDiscrete: MultiDiscreteSpace;
  multiBinary: MultiBinarySpace;
  text: TextSpace;
  image: ImageSpace<Channels>;
  chat: ChatSpace;
  json: JsonSpace<unknown>;
  tuple: TupleSpace;
  dict: DictSpace;
  sequence: SequenceSpace<unknown>;
  graph: GraphSpace<unknown, unknown>;
  oneOf: OneOfSpace;
}

/** Marks every space that extends BaseSpace, of any copy of this package. */
export const SPACE_MARKER = Symbol.for('vlgym.BaseSpace');

export function isBaseSpace<T>(space: Space<T>): space is BaseSpace<T>;
export function isBaseSpace(space: unknown): space is BaseSpace<unknown>;
export function isBaseSpace(space: unknown): boolean {
  return typeof space === 'object' && space !== null && SPACE_MARKER in space;
}

/** Like `instanceof`: after `isKind(space, 'discrete')`, TypeScript knows `space.n`. */
export function isKind<K extends keyof SpaceKinds>(space: Space, kind: K): space is SpaceKinds[K] {
  return isBaseSpace(space) && space.type === kind;
}
