/**
 * Calls whose arguments fit each other, which random arguments almost never do: layers, indices in range, parameters with
 * gradients. Sometimes one size, index or argument is replaced, so that later checks are reached.
 */
import type { FuzzCall, Random, Value } from './calls.js';
import { decoderParts, type MatrixKind } from './decoder-parts.js';

/** A fresh tensor: random floats, or whole numbers below `below`. */
type Wanted = { readonly shape: readonly number[]; readonly below?: number; readonly dtype?: number };
type Part = Value | Wanted | { readonly slot: number } | readonly Part[];

const x = (...shape: number[]): Wanted => ({ shape });
const whole = (below: number, ...shape: number[]): Wanted => ({ shape, below });
const mask = (...shape: number[]): Wanted => ({ shape, dtype: 11, below: 2 });

/** float32, as the decoders of the child are. */
const single = (...shape: number[]): Wanted => ({ shape, dtype: 6 });
/** Angles and mask of some tokens, and a cache of two columns with room for more. */
const reading = (rows: number, tokens: number): readonly Part[] => {
  const cache = [single(rows, 1, 6, 2), single(rows, 1, 6, 2)];
  return [single(rows, tokens, 1, 2), single(1, tokens, 1, 2), single(rows, 1, tokens, 2 + tokens), cache, cache, 2];
};

type Recipe = readonly [name: string, args: readonly Part[]];

const RECIPES: readonly Recipe[] = [
  ['conv2d', [x(2, 4, 8, 8), x(6, 2, 3, 3), x(6), [1, 1], [1, 1], [1, 1], 2]],
  ['conv3d', [x(1, 2, 4, 4, 4), x(3, 2, 2, 2, 2), null, [1, 1, 1], [0, 0, 0], [1, 1, 1], 1]],
  ['maxPool2d', [x(1, 2, 8, 8), [2, 2], [2, 2], [0, 0]]],
  ['avgPool2d', [x(1, 2, 8, 8), [2, 2], [2, 2], [1, 1]]],
  ['interpolateBilinear', [x(1, 2, 4, 4), [8, 3], false, true]],
  ['interpolateBicubic', [x(1, 2, 4, 4), [8, 3], true, false]],
  ['interpolateNearest', [x(1, 2, 4, 4), [8, 3]]],
  ['scaledDotProductAttention', [x(1, 4, 5, 8), x(1, 2, 5, 8), x(1, 2, 5, 8), mask(5, 5), false, null, true]],
  ['scaledDotProductAttention', [x(1, 2, 5, 8), x(1, 2, 5, 8), x(1, 2, 5, 8), null, true, 0.5, false]],
  ['layerNorm', [x(2, 3, 4), [4], x(4), x(4), 1e-5]],
  ['rmsNorm', [x(2, 4), [4], x(4), 1e-6]],
  ['dropout', [x(2, 3), 0.5, null]],
  ['groupNorm', [x(2, 4, 3), 2, x(4), x(4), 1e-5]],
  ['linear', [x(2, 3), x(4, 3), x(4)]],
  ['bmm', [x(2, 3, 4), x(2, 4, 5)]],
  ['mm', [x(3, 4), x(4, 5)]],
  ['dot', [x(4), x(4)]],
  ['addmm', [x(5), x(3, 4), x(4, 5), 1, 1]],
  ['einsum', ['ij,jk->ik', [x(2, 3), x(3, 4)]]],
  ['embedding', [x(5, 3), whole(5, 2, 2), 0]],
  ['crossEntropy', [x(4, 5), whole(5, 4), x(5), 1, -100, 0.1]],
  ['nllLoss', [x(4, 5), whole(5, 4), null, 2, 1]],
  ['binaryCrossEntropyWithLogits', [x(4), x(4), x(4), x(4), 1]],
  ['oneHot', [whole(5, 4), 5]],
  ['gather', [x(3, 4), 1, whole(4, 3, 2)]],
  ['scatter', [x(3, 4), 1, whole(4, 3, 2), x(3, 2)]],
  ['scatter_', [x(3, 4), 1, whole(4, 3, 2), x(3, 2)]],
  ['scatterAdd', [x(3, 4), 0, whole(3, 2, 4), x(2, 4)]],
  ['indexSelect', [x(3, 4), 0, whole(3, 5)]],
  ['indexAdd', [x(3, 4), 0, whole(3, 5), x(5, 4)]],
  ['indexCopy_', [x(3, 4), 0, whole(3, 2), x(2, 4)]],
  ['index', [x(3, 4), [whole(3, 2), whole(4, 2)]]],
  ['index', [x(3, 4), [mask(3, 4)]]],
  ['indexPut', [x(3, 4), [whole(3, 2), null], x(4), true]],
  ['indexPut_', [x(3, 4), [whole(3, 2), whole(4, 2)], x(2), false]],
  ['take', [x(3, 4), whole(12, 5)]],
  ['takeAlongDim', [x(3, 4), whole(3, 1, 4), 0]],
  ['maskedSelect', [x(3, 4), mask(3, 4)]],
  ['maskedScatter', [x(3, 4), mask(3, 4), x(12)]],
  ['maskedFill_', [x(3, 4), mask(4), 1]],
  ['searchsorted', [x(5), x(3), true]],
  ['bincount', [whole(7, 9), x(9), 3]],
  ['repeatInterleaveTensor', [x(3, 2), whole(4, 3), 0]],
  ['multinomial', [x(2, 5), 3, false, { generator: 0 }]],
  ['remainder', [whole(9, 3), whole(3, 3)]],
  ['floorDivide', [whole(9, 3), whole(3, 3)]],
  ['floorDivideScalar', [whole(9, 3), -1]],
  ['copyTo', [x(2), { view: 'Float32Array', buffer: 1, offset: 8, length: 2 }]],
  ['fromData', [{ view: 'Float64Array', buffer: 2, offset: 0, length: 6 }, [2, 3], 7, 'cpu']],
  ['reshape', [x(3, 4), [2, -1]]],
  ['unflatten', [x(3, 4), 1, [2, 2]]],
  ['roll', [x(3, 4), [1, -2], [0, 1]]],
  ['scatterScalar', [x(3, 4), 1, whole(4, 3, 2), 2]],
  ['unfold', [x(3, 8), 1, 3, 2]],
  ['pad', [x(2, 3, 4), [1, 2], 'reflect', null]],
  ['processScores', [x(3, 8), 0.7, 3, 0.9, 1.2, mask(3, 8), mask(3, 8)]],
  ['drawToken', [x(3, 8), 0.7, 3, 0.9, 1.2, mask(3, 8), mask(3, 8), x(3)]],
  ['rotate', [x(2, 3, 4, 6), x(1, 3, 1, 6), x(2, 3, 1, 6)]],
  ['quickGelu', [x(3, 5)]],
  ...['decodeToken', 'decodeTokenAsync'].map((name): Recipe => [name, [{ decoder: 0 }, whole(8, 3), ...reading(3, 1)]]),
  ...['runDecoder', 'runDecoderAsync'].flatMap((name): Recipe[] => [
    [name, [{ decoder: 1 }, single(2, 3, 4), ...reading(2, 3), true, false, [single(2, 3, 4)]]],
    [name, [{ decoder: 1 }, single(2, 3, 4), ...reading(2, 3), true, true, [single(2, 3, 4)]]],
    ...[5, 6].map(
      (decoder): Recipe => [name, [{ decoder }, single(2, 3, 4), ...reading(2, 3), true, false, [single(2, 3, 4)]]],
    ),
    [
      name,
      [{ decoder: 2 }, single(2, 3, 4), single(1, 3, 1, 2), single(1, 3, 1, 2), null, [], [], 0, false, false, []],
    ],
  ]),
  ['readTensor', [{ file: 0 }, 16, [3, 5], 6]],
  // copies of weights in fewer bytes: few rows, and more than those
  ...[3, 4].flatMap((decoder) =>
    [1, 3, 9].flatMap((rows): Recipe[] => [
      ['decodeToken', [{ decoder }, whole(8, rows), ...reading(rows, 1)]],
      ['runDecoderAsync', [{ decoder }, single(rows, 3, 4), ...reading(rows, 3), true, false, []]],
    ]),
  ),
  ['quantizeRows', [x(3, 5)]],
  ['scoreTokensAsync', [x(5, 4), x(7, 4), whole(7, 5), mask(5, 7), -1e9, 0.7, true, 2]],
  ['scoreTokensAsync', [x(5, 4), x(7, 4), whole(7, 5), null, 0, 1, false, 100]],
  ['allReduce', [{ group: 0 }, x(3, 4)]],
  ['broadcast', [{ group: 1 }, x(3), 0]],
  ['allGather', [{ group: 0 }, single(3), [single(3)]]],
  ['barrier', [{ group: 1 }]],
  ['armBuckets', [{ buckets: 0 }]],
  ['sumBuckets', [{ buckets: 1 }, 0.5]],
  ['bucketCounts', [{ buckets: 0 }]],
];

/** Sequences in which calls use what the ones before made: `{ slot }` is the tensor made as `into`. */
type Step = readonly [name: string, into: number, args: readonly Part[]];

/** A decoder from one tensor per shape and kind: there are fewer slots than tensors in it. */
const makeDecoder = (records: number, matrices: MatrixKind = 'float32'): readonly Step[] => {
  const { numbers, tensors } = decoderParts(records, matrices);
  const steps: Step[] = [];
  const places = new Map<string, number>();
  let next = 5;
  for (const tensor of tensors) {
    if (!tensor) continue;
    const { shape, kind } = tensor;
    const key = `${kind} ${shape.join()}`;
    if (places.has(key)) continue;
    places.set(key, next);
    steps.push(['randn', next, [shape, null, kind === 'bfloat16' ? 15 : 6, 'cpu']]);
    if (kind === 'entries') {
      // in place of the matrix, with the scales behind it
      steps.push(['quantizeRows', next, [{ slot: next }]]);
      places.set(`scales ${shape.join()}`, next + 1);
      next += 1;
    }
    next += 1;
  }
  const handles = tensors.map((tensor) => tensor && { slot: places.get(`${tensor.kind} ${tensor.shape.join()}`)! });
  return [...steps, ['newDecoder', 4, [numbers, handles, null]]];
};

/** Gradients that leave in buckets: two backward passes, one of them before the buckets are armed. */
const bucketed = (hooks: boolean): readonly Step[] => [
  ['setRequiresGrad', 9, [{ slot: 0 }, true]],
  ['randn', 1, [[4, 2], null, 6, 'cpu']],
  ['setRequiresGrad', 9, [{ slot: 1 }, true]],
  ['newBuckets', 9, [{ group: 0 }, [{ slot: 0 }, { slot: 1 }], 16, 64, hooks]],
  ...[0, 1].flatMap((): Step[] => [
    ['matmul', 2, [{ slot: 0 }, { slot: 1 }]],
    ['sum', 3, [{ slot: 2 }, null, false]],
    ['backwardAsync', 9, [{ slot: 3 }, null, false]],
    ['armBuckets', 9, [{ buckets: 1 }]],
  ]),
  ['sumBuckets', 9, [{ buckets: 1 }, 0.5]],
  ['zeroGrads', 9, [[{ slot: 0 }, { slot: 1 }], true]],
];

const SEQUENCES: readonly (readonly Step[])[] = [
  ...[true, false].map((decoupled): Step[] => [
    ['setGrad', 9, [{ slot: 0 }, x(3, 4)]],
    ['adamStep', 9, [[{ slot: 0 }], [x(3, 4)], [x(3, 4)], [1], 0.1, 0.9, 0.99, 1e-8, 0.1, decoupled]],
  ]),
  [
    ['setGrad', 9, [{ slot: 0 }, x(3, 4)]],
    ['sgdStep', 9, [[{ slot: 0 }], [x(3, 4)], 0.1, 0.9, 0, 0, true, false]],
    ['clipGradNorm', 9, [[{ slot: 0 }], 1]],
    ['zeroGrads', 9, [[{ slot: 0 }], false]],
  ],
  makeDecoder(0),
  makeDecoder(1),
  makeDecoder(0, 'bfloat16'),
  makeDecoder(0, 'int8'),
  bucketed(true),
  bucketed(false),
  // gradients through a decoder, its gated layers and its adapters
  [
    ['setRequiresGrad', 9, [{ slot: 0 }, true]],
    ['reshape', 1, [{ slot: 0 }, [1, 3, 4]]],
    [
      'runDecoder',
      2,
      [{ decoder: 1 }, { slot: 1 }, single(1, 3, 1, 2), single(1, 3, 1, 2), null, [], [], 0, true, false, []],
    ],
    ['quickGelu', 2, [{ slot: 2 }]],
    ['sum', 3, [{ slot: 2 }, null, false]],
    ['backward', 9, [{ slot: 3 }, null, true, false]],
    ['gradients', 4, [[{ slot: 3 }], [{ slot: 0 }], [], true, true, true]],
  ],
  // the same with the forward on the native thread
  [
    ['setRequiresGrad', 9, [{ slot: 0 }, true]],
    ['reshape', 1, [{ slot: 0 }, [1, 3, 4]]],
    [
      ...(['runDecoderAsync', 2] as const),
      [{ decoder: 1 }, { slot: 1 }, single(1, 3, 1, 2), single(1, 3, 1, 2), null, [], [], 0, true, false, []],
    ],
    ['@tick', 9, [0]],
    ['sum', 3, [{ slot: 2 }, null, false]],
    ['backwardAsync', 9, [{ slot: 3 }, null, true]],
  ],
  ...['backward', 'backwardAsync'].map((name): Step[] => [
    ['setRequiresGrad', 9, [{ slot: 0 }, true]],
    ['exp', 1, [{ slot: 0 }]],
    ['matmul', 2, [{ slot: 1 }, x(4, 2)]],
    ['sum', 3, [{ slot: 2 }, null, false]],
    [name, 9, name === 'backward' ? [{ slot: 3 }, null, true, false] : [{ slot: 3 }, null, true]],
    ['grad', 4, [{ slot: 0 }]],
    ['add_', 9, [{ slot: 1 }, 1, 1]],
    ['zeroGrads', 9, [[{ slot: 0 }], true]],
  ]),
  [
    ['setRequiresGrad', 9, [{ slot: 0 }, true]],
    ['tanh', 1, [{ slot: 0 }]],
    ['sum', 2, [{ slot: 1 }, null, false]],
    ['gradients', 3, [[{ slot: 2 }], [{ slot: 0 }], [], true, true, true]],
  ],
  [
    ['generatorState', 0, [{ generator: 1 }]],
    ['narrow', 1, [{ slot: 0 }, 0, 8, 16]],
    ['fill_', 9, [{ slot: 1 }, 2]],
    ['setGeneratorState', 9, [{ generator: 1 }, { slot: 0 }]],
    ['rand', 2, [[700], { generator: 1 }, 6, 'cpu']],
  ],
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** One recipe or sequence; tensors lie in the slots from `base` on. */
export function followRecipe(random: Random, slots: number, hostile: (random: Random) => Value): FuzzCall[] {
  const base = Math.floor(random() * slots);
  const calls: FuzzCall[] = [];
  let next = 10;
  const fresh = ({ shape, below, dtype }: Wanted): Value => {
    const sizes = shape.map((size) => (random() < 0.03 ? pick(random, [0, 1, 2, 9]) : size));
    const into = (base + next++) % slots;
    const low = random() < 0.03 ? -1 : 0;
    const high = random() < 0.03 ? 1e9 : (below ?? 1);
    if (below) calls.push({ name: 'randint', args: [low, Math.max(1, high), sizes, null, dtype ?? 4, 'cpu'], into });
    else calls.push({ name: 'randn', args: [sizes, null, dtype ?? pick(random, [6, 6, 6, 6, 7, 15, 5]), 'cpu'], into });
    return { tensor: into };
  };
  const value = (part: Part): Value => {
    if (random() < 0.02) return hostile(random);
    if (Array.isArray(part)) return part.map(value);
    if (typeof part === 'object' && part !== null && 'shape' in part) return fresh(part);
    if (typeof part === 'object' && part !== null && 'slot' in part) return { tensor: (base + part.slot) % slots };
    return part as Value;
  };
  if (random() < 0.75) {
    const [name, args] = pick(random, RECIPES);
    const values = args.map(value);
    calls.push({ name, args: values, into: base });
    return calls;
  }
  calls.push({ name: 'randn', args: [[3, 4], null, pick(random, [6, 6, 7, 15]), 'cpu'], into: base });
  for (const [name, into, args] of pick(random, SEQUENCES)) {
    const values = args.map(value);
    calls.push({ name, args: values, into: (base + into) % slots });
  }
  return calls;
}
