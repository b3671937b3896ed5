/** A space as data → the space. */
import { z } from 'zod';
import { isRecord } from '../../type-tests.js';
import { DTYPES, type DType, isShape, placesOf } from '../arrays.js';
import type { BaseSpace } from '../base-space.js';
import { BoxSpace } from '../box.js';
import { ChatSpace } from '../chat.js';
import { DictSpace } from '../composite/dict.js';
import { GraphSpace } from '../composite/graph.js';
import { OneOfSpace } from '../composite/one-of.js';
import { SequenceSpace } from '../composite/sequence.js';
import { TupleSpace } from '../composite/tuple.js';
import { DiscreteSpace } from '../discrete.js';
import { InvalidSpaceError, SpaceTooLargeError } from '../errors.js';
import { ImageSpace } from '../image.js';
import { jsonSpaceOf } from '../json.js';
import { boxBytes, bytesOf, MAX_JSON_BYTES } from '../limits.js';
import { MultiBinarySpace } from '../multi-binary.js';
import { MultiDiscreteSpace } from '../multi-discrete.js';
import { TextSpace } from '../text.js';

/** Maximum nesting of spaces; deeper data could overflow the stack. */
export const MAX_DEPTH = 100;

const bound = z.union([z.number(), z.enum(['Infinity', '-Infinity']).transform(Number)]);
const bounds = z.union([bound, z.array(bound)]);
const numbers = z.array(z.number());
const inner = z.unknown();
const count = z.number().optional();
/** Not `z.record`, which drops a key named `__proto__`. */
const record = z.custom<Record<string, unknown>>(isRecord, 'expected an object');

const DEFINITION = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('box'),
    dtype: z.enum(Object.keys(DTYPES) as [DType, ...DType[]]),
    shape: numbers,
    low: bounds,
    high: bounds,
  }),
  z.strictObject({ type: z.literal('discrete'), n: z.number(), start: count, labels: z.array(z.string()).optional() }),
  z.strictObject({
    type: z.literal('multiDiscrete'),
    counts: numbers,
    start: numbers.optional(),
    shape: numbers.optional(),
  }),
  z.strictObject({ type: z.literal('multiBinary'), shape: numbers }),
  z.strictObject({
    type: z.literal('text'),
    maxLength: z.number(),
    minLength: count,
    charset: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('image'),
    height: z.number(),
    width: z.number(),
    channels: z.literal([1, 3, 4]).optional(),
  }),
  z.strictObject({
    type: z.literal('chat'),
    minMessages: count,
    maxMessages: count,
    roles: z.array(z.enum(['system', 'user', 'assistant'])).optional(),
    images: z.boolean().optional(),
    maxLength: count,
  }),
  z.strictObject({ type: z.literal('json'), schema: record }),
  z.strictObject({ type: z.literal('tuple'), spaces: z.array(inner) }),
  z.strictObject({ type: z.literal('oneOf'), spaces: z.array(inner) }),
  z.strictObject({ type: z.literal('dict'), spaces: record }),
  z.strictObject({ type: z.literal('sequence'), element: inner, minLength: count, maxLength: count }),
  z.strictObject({ type: z.literal('graph'), nodes: inner, edges: inner.optional() }),
]);

/**
 * Builds the space that `space.toJSON()` described. JSON spaces come back without their sampler.
 *
 * @throws {InvalidSpaceError} The data does not describe a space.
 * @throws {SpaceTooLargeError} The space and one sample would need more than `MAX_JSON_BYTES`.
 */
export function fromJSON(json: unknown): BaseSpace<unknown> {
  return build(json, 0, { bytes: MAX_JSON_BYTES });
}

/** The memory left for all spaces of one description. */
interface Budget {
  bytes: number;
}

function spend(budget: Budget, kind: string, value: unknown, bytes: number): void {
  budget.bytes -= bytes;
  if (!(budget.bytes >= 0)) throw new SpaceTooLargeError(kind, value, `at most ${MAX_JSON_BYTES} bytes in total`);
}

function build(json: unknown, depth: number, budget: Budget): BaseSpace<unknown> {
  const space = parsed(json, depth, budget);
  if (COUNTED.includes(space.type)) spend(budget, space.type, json, bytesOf(space));
  return space;
}

/**
 * Boxes are counted before they are built, because their bounds need the memory; parts are counted on their own. A graph
 * counts again, because one sample holds many members of its parts.
 */
const COUNTED: readonly string[] = ['multiBinary', 'multiDiscrete', 'text', 'image', 'chat', 'graph'];

function parsed(json: unknown, depth: number, budget: Budget): BaseSpace<unknown> {
  if (depth > MAX_DEPTH) throw new InvalidSpaceError('nested', json, `at most ${MAX_DEPTH} levels of nesting`);
  const result = DEFINITION.safeParse(json);
  if (!result.success) throw new InvalidSpaceError('described', json, z.prettifyError(result.error));
  const definition = withoutUndefined(result.data);
  const inside = (part: unknown) => build(part, depth + 1, budget);
  switch (definition.type) {
    case 'box':
      if (isShape(definition.shape)) {
        spend(budget, 'box', definition.shape, boxBytes(placesOf(definition.shape), definition.dtype));
      }
      return new BoxSpace(definition);
    case 'discrete':
      return new DiscreteSpace(definition.n, definition);
    case 'multiDiscrete':
      return new MultiDiscreteSpace(definition.counts, definition);
    case 'multiBinary':
      return new MultiBinarySpace(definition.shape);
    case 'text':
      return new TextSpace(definition);
    case 'image':
      return new ImageSpace(definition);
    case 'chat':
      return new ChatSpace(definition);
    case 'json':
      return jsonSpaceOf(definition.schema);
    case 'tuple':
      return new TupleSpace(definition.spaces.map(inside));
    case 'oneOf':
      return new OneOfSpace(definition.spaces.map(inside));
    case 'dict': {
      const entries = Object.entries(definition.spaces);
      return new DictSpace(Object.fromEntries(entries.map(([key, part]) => [key, inside(part)])));
    }
    case 'sequence':
      return new SequenceSpace(inside(definition.element), definition);
    case 'graph': {
      const nodes = inside(definition.nodes);
      return new GraphSpace(definition.edges === undefined ? { nodes } : { nodes, edges: inside(definition.edges) });
    }
  }
}

type Defined<T> = T extends unknown ? { [K in keyof T]: Exclude<T[K], undefined> } : never;

/** Removes `undefined` entries, so that defaults apply. */
function withoutUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
