/**
 * Members as flat arrays for networks, and back.
 *
 * Spaces that are not a fixed number of numbers keep their structure, with flat parts. Rules follow
 * `Farama-Foundation/Gymnasium`, `gymnasium/spaces/utils.py`; `flat-layout.ts` has the layout of each space.
 */
import { makeArray, type TypedArray } from '../arrays.js';
import type { BaseSpace } from '../base-space.js';
import { BoxSpace } from '../box.js';
import { DictSpace } from '../composite/dict.js';
import { type Graph, GraphSpace } from '../composite/graph.js';
import { SequenceSpace } from '../composite/sequence.js';
import { TupleSpace } from '../composite/tuple.js';
import { InvalidValueError, NotFlattenableError } from '../errors.js';
import { isKind } from '../kinds.js';
import type { Space } from '../space.js';
import { type FlatLayout, flatLayout } from './flat-layout.js';

/** True if `flatten` gives one array of a fixed length. */
export function isFlattenable(space: Space): boolean {
  return flatLayout(space) !== undefined;
}

/**
 * Numbers in a flat member.
 *
 * @throws {NotFlattenableError} Members have no fixed number of entries.
 */
export function flatSize(space: Space): number {
  const layout = flatLayout(space);
  if (!layout) throw new NotFlattenableError(space.type);
  return layout.size;
}

/**
 * The space that `flatten` maps to: a box with one axis if possible, otherwise the same structure of such boxes.
 *
 * @throws {NotFlattenableError} A part is a chat or JSON.
 */
export function flattenSpace(space: Space): BaseSpace<unknown> {
  const layout = flatLayout(space);
  if (layout) return new BoxSpace({ ...layout.bounds(), shape: [layout.size], dtype: layout.dtype });
  if (isKind(space, 'tuple')) return new TupleSpace(space.spaces.map(flattenSpace));
  if (isKind(space, 'dict')) {
    return new DictSpace(Object.fromEntries(space.keys.map((key) => [key, flattenSpace(space.spaces[key]!)])));
  }
  if (isKind(space, 'sequence')) {
    const { minLength, maxLength } = space;
    return new SequenceSpace(flattenSpace(space.element), { minLength, maxLength });
  }
  if (isKind(space, 'graph')) {
    const nodes = flattenSpace(space.nodes);
    return new GraphSpace({ nodes, ...(space.edges ? { edges: flattenSpace(space.edges) } : {}) });
  }
  throw new NotFlattenableError(space.type);
}

/**
 * A member as a member of `flattenSpace(space)`.
 *
 * @throws {InvalidValueError} `value` is not a member.
 * @throws {NotFlattenableError} A part is a chat or JSON.
 */
export function flatten<T>(space: Space<T>, value: T): unknown {
  if (!space.contains(value)) throw new InvalidValueError(value, space.describe());
  return mapParts(space, value, (layout, member) => {
    const target: TypedArray = makeArray(layout.dtype, layout.size);
    layout.write(member, target, 0);
    return target;
  });
}

/**
 * The inverse of `flatten`.
 *
 * @throws {InvalidValueError} `flat` has another layout, or does not encode a member: a one-hot part without a 1, …
 * @throws {NotFlattenableError} A part is a chat or JSON.
 */
export function unflatten<T>(space: Space<T>, flat: unknown): T {
  const value = mapParts(space, flat, (layout, source) => {
    if (!ArrayBuffer.isView(source) || (source as TypedArray).length !== layout.size) {
      throw new InvalidValueError(source, `a typed array of ${layout.size} numbers`);
    }
    return layout.read(source as TypedArray, 0);
  });
  if (!space.contains(value)) throw new InvalidValueError(flat, space.describe());
  return value;
}

/** Applies `convert` to the parts of a value that have a flat layout, and keeps the structure around them. */
function mapParts(space: Space, value: unknown, convert: (layout: FlatLayout, part: unknown) => unknown): unknown {
  const layout = flatLayout(space);
  if (layout) return convert(layout, value);
  const inside = (part: Space, inner: unknown) => mapParts(part, inner, convert);
  try {
    if (isKind(space, 'tuple')) {
      return space.spaces.map((part: Space, index: number) => inside(part, (value as unknown[])[index]));
    }
    if (isKind(space, 'dict')) {
      const entry = (key: string) => inside(space.spaces[key]!, (value as Record<string, unknown>)[key]);
      return Object.fromEntries(space.keys.map((key) => [key, entry(key)]));
    }
    if (isKind(space, 'sequence')) return (value as unknown[]).map((element) => inside(space.element, element));
    if (isKind(space, 'graph')) {
      const { nodes, edges, edgeLinks } = value as Graph;
      return {
        nodes: nodes.map((node) => inside(space.nodes, node)),
        edges: edges === null ? null : edges.map((edge) => inside(space.edges!, edge)),
        edgeLinks,
      };
    }
  } catch (cause) {
    if (cause instanceof TypeError) throw new InvalidValueError(value, `the structure of: ${space.describe()}`, cause);
    throw cause;
  }
  throw new NotFlattenableError(space.type);
}
