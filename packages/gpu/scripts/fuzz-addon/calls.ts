/**
 * Random calls of the addon as plain data, determined by the seed alone, so that a call list can be repeated, shortened,
 * printed and replayed. Tensors are slots of the child process; their content at the time of a call is not known here.
 */
import { followRecipe } from './recipes.js';
import type { Parameter, Signature } from './signatures.js';

/** A value of JavaScript as data. Objects are what JSON cannot say. */
export type Value =
  | number
  | string
  | boolean
  | null
  | readonly Value[]
  | { readonly number: 'NaN' | 'Infinity' | '-Infinity' | '-0' }
  | { readonly bigint: string }
  /** The handle in a slot; -1 where there is none. */
  | { readonly tensor: number }
  | { readonly generator: number }
  | { readonly file: number }
  | { readonly decoder: number }
  | { readonly group: number }
  | { readonly buckets: number }
  | { readonly descriptor: 'tensors' | 'folder' | 'pipe' | 'closed' }
  | { readonly path: string }
  /** A typed array over one of the child's buffers, which other calls transfer and resize. */
  | { readonly view: string; readonly buffer: number; readonly offset: number; readonly length: number }
  /** A list in which reading one entry runs code. */
  | { readonly trap: readonly Value[]; readonly at: number; readonly effect: TrapEffect; readonly slot: number }
  | { readonly holes: number }
  | { readonly odd: 'object' | 'function' | 'throwing' | 'symbol' | 'proxy' | 'undefined' | 'date' };

export type TrapEffect = 'throw' | 'dispose' | 'make' | 'transfer' | 'shrink';

export interface FuzzCall {
  readonly name: string;
  readonly args: readonly Value[];
  /** The index of the result. */
  readonly into: number;
}

export const SLOTS = 24;
export const BUFFERS = 4;
/** Three in float32, one in bfloat16, one in int8. */
const DECODERS = 7;
/** One process each, and as many sets of buckets. */
export const GROUPS = 2;
/** Events between calls. */
const EVENTS = ['@transfer', '@resize', '@renew', '@shorten', '@restore', '@tick'] as const;

export type Random = () => number;

/** mulberry32: 32 bits of state, enough to choose arguments. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const slot = (random: Random): number => Math.floor(random() * SLOTS);

export function makeCalls(signatures: readonly Signature[], count: number, seed: number): FuzzCall[] {
  const random = randomFrom(seed);
  const calls = prologue(random);
  while (calls.length < count) {
    const kind = random();
    if (kind < 0.1) calls.push(fill(random));
    else if (kind < 0.2) calls.push(...followRecipe(random, SLOTS, hostile));
    else calls.push(makeCall(signatures, random));
  }
  return calls.slice(0, count);
}

/** Tensors of the common kinds to begin with. */
function prologue(random: Random): FuzzCall[] {
  return Array.from({ length: SLOTS }, (_, into) => ({ ...fill(random), into }));
}

const SHAPES = [[], [0], [1], [5], [2, 3], [3, 3], [3, 3], [4, 4], [1, 2, 8, 8], [2, 1, 3], [4, 2, 3, 3]];

/** A fresh tensor in place of a disposed one: numbers, indices or a mask. */
function fill(random: Random): FuzzCall {
  const shape = pick(random, SHAPES);
  const into = slot(random);
  switch (Math.floor(random() * 5)) {
    case 0:
      return { name: 'randint', args: [0, pick(random, [1, 2, 4]), shape, null, 4, 'cpu'], into };
    case 1:
      return { name: 'full', args: [shape, random() < 0.5, 11, 'cpu'], into };
    case 2:
      return { name: 'full', args: [shape, { bigint: `${-(2n ** 63n)}` }, pick(random, [4, 3]), 'cpu'], into };
    default:
      return { name: 'randn', args: [shape, null, pick(random, [6, 6, 6, 7, 15]), 'cpu'], into };
  }
}

function makeCall(signatures: readonly Signature[], random: Random): FuzzCall {
  if (random() < 0.04) return { name: pick(random, EVENTS), args: [Math.floor(random() * BUFFERS)], into: 0 };
  const { name, parameters } = pick(random, signatures);
  const args = parameters.map((parameter) => (random() < 0.1 ? hostile(random) : plausible(parameter, random)));
  if (random() < 0.02) args.pop();
  return { name, args, into: slot(random) };
}

/** Usually a plausible value, so that calls get past the first check of their arguments. */
function plausible({ name, type }: Parameter, random: Random): Value {
  if (type.endsWith('|null') && random() < 0.3) return null;
  switch (type.replace(/\|null$/, '')) {
    case 'Handle':
      return { tensor: slot(random) };
    case 'readonlyHandle[]':
    case 'readonly(Handle|null)[]':
      return list(random, () => ({ tensor: slot(random) }));
    case 'Ints':
      return list(random, () => (name === 'shape' || name === 'size' ? size(random) : small(random)));
    case 'readonlynumber[]':
      return list(random, () => small(random));
    case 'Scalar':
      return pick<Value>(random, [0, 1, -1, 2, 0.5, -3, 255, true, { bigint: '-1' }, { bigint: '7' }]);
    case 'boolean':
      return random() < 0.5;
    case 'string':
      return string(name, random);
    case 'ArrayBufferView':
      return view(random);
    case 'NativeGenerator':
      return { generator: Math.floor(random() * 3) };
    case 'NativeFile':
      return { file: Math.floor(random() * 3) };
    case 'NativeDecoder':
      return { decoder: Math.floor(random() * DECODERS) };
    case 'NativeGroup':
      return { group: Math.floor(random() * GROUPS) };
    case 'NativeBuckets':
      return { buckets: Math.floor(random() * GROUPS) };
    case 'typeofnativeError':
      return { odd: pick(random, ['function', 'throwing'] as const) };
    default:
      if (name === 'descriptor')
        return { descriptor: pick(random, ['tensors', 'tensors', 'folder', 'pipe', 'closed']) };
      if (name === 'dtype') return pick(random, [0, 3, 4, 5, 6, 7, 11, 15]);
      return random() < 0.2 ? pick(random, [0.5, 1e-6, 3, 100, 1000]) : small(random);
  }
}

function list(random: Random, entry: () => Value): Value {
  const entries = Array.from({ length: Math.floor(random() * 5) }, entry);
  if (random() > 0.06) return entries;
  const effect = pick(random, ['throw', 'dispose', 'make', 'transfer', 'shrink'] as const);
  return { trap: entries, at: Math.floor(random() * Math.max(1, entries.length)), effect, slot: slot(random) };
}

const size = (random: Random): Value => pick(random, [0, 1, 1, 2, 3, 4, 5, 8, 17, 64]);
const small = (random: Random): Value => pick(random, [0, 0, 1, 1, 2, 3, -1, -2, 4, 7]);

function string(name: string, random: Random): Value {
  if (name === 'device') return random() < 0.9 ? 'cpu' : pick(random, ['cuda', 'cuda:0', 'meta', 'mps', 'cpu:99', '']);
  if (name === 'path' || name === 'temporary')
    return { path: pick(random, ['a', 'b', 'c.partial', 'no/such', 'x\0y', '']) };
  if (name === 'mode') return pick(random, ['constant', 'reflect', 'replicate', 'circular', 'none']);
  if (name === 'equation')
    return pick(random, ['ij,jk->ik', 'ii->i', '...i->...', 'i,i', 'ij->', '->', 'ab,', 'iij->j']);
  if (name === 'approximate') return pick(random, ['none', 'tanh', 'other']);
  return pick(random, ['', '{}', 'text']);
}

const VIEWS = [
  ...['Float32Array', 'Float64Array', 'BigInt64Array', 'Int32Array', 'Uint8Array', 'Uint16Array', 'Uint8ClampedArray'],
  ...['BigUint64Array', 'Int8Array', 'DataView', 'Buffer'],
];

function view(random: Random): Value {
  const length = pick(random, [0, 1, 2, 4, 6, 8, 9]);
  return { view: pick(random, VIEWS), buffer: Math.floor(random() * BUFFERS), offset: pick(random, [0, 0, 8]), length };
}

/** Values of the wrong type, at the ends of ranges, or with side effects. */
function hostile(random: Random): Value {
  return pick<() => Value>(random, [
    () => ({ number: pick(random, ['NaN', 'Infinity', '-Infinity', '-0'] as const) }),
    () =>
      pick(random, [1e308, -1e308, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 40, 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 62, 0.5]),
    () => ({ bigint: pick(random, [`${2n ** 63n - 1n}`, `${-(2n ** 63n)}`, `${2n ** 64n}`, '-1', '3']) }),
    () => ({ odd: pick(random, ['object', 'function', 'throwing', 'symbol', 'proxy', 'undefined', 'date'] as const) }),
    () => ({ tensor: slot(random) }),
    () => ({ generator: Math.floor(random() * 3) }),
    () => ({ file: Math.floor(random() * 3) }),
    () => ({ decoder: Math.floor(random() * DECODERS) }),
    () => ({ group: Math.floor(random() * GROUPS) }),
    () => ({ buckets: Math.floor(random() * GROUPS) }),
    () => ({ holes: pick(random, [1, 3, 1000, 2 ** 32 - 1]) }),
    () => [{ bigint: `${2n ** 62n}` }, 4],
    () => [2 ** 32, 2 ** 32],
    () => Array.from({ length: pick(random, [65, 200]) }, () => 1),
    () => [pick(random, [-1, 0, 4096, 2 ** 40, 2 ** 53 - 1])],
    () => list(random, () => ({ tensor: slot(random) })),
    () => pick(random, ['', 'cpu', 'x'.repeat(5000), '\0', '\ud800']),
    () => view(random),
    () => pick(random, [null, true, false]),
    () => -1,
  ])();
}
