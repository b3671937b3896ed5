/** Every operation against values worked out by hand or by PyTorch's documentation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setNumThreads } from '../native/runtime.js';
import * as functional from '../nn/functional.js';
import type { NestedNumbers } from './core.js';
import * as torch from './creation.js';
import { tidy } from './scope.js';
import type { Tensor } from './tensor.js';

type Value = NestedNumbers | boolean;
type Row = [name: string, compute: () => Tensor | number | boolean | readonly Tensor[], wanted: Value | Value[]];

const t = (data: Parameters<typeof torch.tensor>[0]) => torch.tensor(data, { dtype: 'float64' });
const long = (data: Parameters<typeof torch.tensor>[0]) => torch.tensor(data, { dtype: 'int64' });
const m = () =>
  t([
    [1, 2, 3],
    [4, 5, 6],
  ]);
const v = () => t([3, -1, 2]);
const { E, LN2, SQRT2, log, exp } = Math;
const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;
const sigmoid = (x: number) => 1 / (1 + exp(-x));

const arithmetic: Row[] = [
  ['add a number', () => v().add(1), [4, 0, 3]],
  [
    'add broadcasts',
    () => m().add(v()),
    [
      [4, 1, 5],
      [7, 4, 8],
    ],
  ],
  ['add with alpha', () => v().add(t([1, 1, 1]), 2), [5, 1, 4]],
  ['add a number with alpha', () => v().add(3, 2), [9, 5, 8]],
  ['sub', () => v().sub(1), [2, -2, 1]],
  ['sub a tensor', () => v().sub(v()), [0, 0, 0]],
  ['rsub', () => v().rsub(1), [-2, 2, -1]],
  ['mul', () => v().mul(v()), [9, 1, 4]],
  ['mul a number', () => v().mul(-2), [-6, 2, -4]],
  ['div', () => v().div(2), [1.5, -0.5, 1]],
  ['div of integers is a float', () => long([1, 2]).div(2), [0.5, 1]],
  ['pow', () => v().pow(2), [9, 1, 4]],
  ['pow a tensor', () => t([2, 3]).pow(t([3, 2])), [8, 9]],
  ['remainder has the sign of the divisor', () => t([-3, 3]).remainder(2), [1, 1]],
  ['floorDivide', () => t([-3, 3]).floorDivide(2), [-2, 1]],
  [
    'int64 plus a whole number stays int64',
    () =>
      long([2 ** 53 - 2])
        .add(1)
        .sub(2 ** 53 - 2),
    [1],
  ],
  ['neg', () => v().neg(), [-3, 1, -2]],
  ['abs', () => v().abs(), [3, 1, 2]],
  ['sign', () => t([-2, 0, 5]).sign(), [-1, 0, 1]],
  ['exp', () => t([0, 1]).exp(), [1, E]],
  ['expm1', () => t([1e-12]).expm1(), [1e-12]],
  ['log', () => t([1, E]).log(), [0, 1]],
  ['log1p', () => t([1e-12]).log1p(), [1e-12]],
  ['log2', () => t([8]).log2(), [3]],
  ['sqrt', () => t([4, 2]).sqrt(), [2, SQRT2]],
  ['rsqrt', () => t([4]).rsqrt(), [0.5]],
  ['square', () => v().square(), [9, 1, 4]],
  ['reciprocal', () => t([4]).reciprocal(), [0.25]],
  ['sin and cos', () => torch.cat([t([0]).sin(), t([0]).cos()]), [0, 1]],
  ['tanh', () => t([0.5]).tanh(), [Math.tanh(0.5)]],
  ['sigmoid', () => t([0.5]).sigmoid(), [sigmoid(0.5)]],
  ['relu', () => v().relu(), [3, 0, 2]],
  ['leakyRelu', () => v().leakyRelu(0.5), [3, -0.5, 2]],
  ['silu', () => t([0.5]).silu(), [0.5 * sigmoid(0.5)]],
  ['gelu', () => t([1]).gelu(), [0.8413447460685429]],
  ['gelu by tanh', () => t([1]).gelu('tanh'), [0.8411919906082768]],
  ['softplus', () => t([0]).softplus(), [LN2]],
  ['logSigmoid does not underflow', () => t([-1000]).logSigmoid(), [-1000]],
  ['erf', () => t([1]).erf(), [0.8427007929497149]],
  ['floor', () => t([-1.5, 1.5]).floor(), [-2, 1]],
  ['ceil', () => t([-1.5, 1.5]).ceil(), [-1, 2]],
  ['round goes to even', () => t([0.5, 1.5]).round(), [0, 2]],
  ['trunc', () => t([-1.5, 1.5]).trunc(), [-1, 1]],
  ['clamp', () => v().clamp(0, 2), [2, 0, 2]],
  ['clamp from below', () => v().clamp(0), [3, 0, 2]],
  ['clamp from above', () => v().clamp(null, 2), [2, -1, 2]],
  ['clampTensor', () => v().clampTensor(t([0, 0, 0]), t([1, 2, 3])), [1, 0, 2]],
  ['maximum', () => v().maximum(t([0, 0, 5])), [3, 0, 5]],
  ['minimum', () => v().minimum(t([0, 0, 5])), [0, -1, 2]],
  ['atan2', () => t([1]).atan2(t([1])), [Math.PI / 4]],
  ['addcmul', () => v().addcmul(v(), v(), 2), [21, 1, 10]],
  ['addcdiv', () => v().addcdiv(t([1, 1, 1]), t([2, 2, 2]), 4), [5, 1, 4]],
  ['lerp', () => t([0, 10]).lerp(t([10, 20]), 0.25), [2.5, 12.5]],
  ['nanToNum', () => t([nan, inf, 1]).nanToNum(0, 9), [0, 9, 1]],
];

const logic: Row[] = [
  ['eq', () => v().eq(2), [0, 0, 1]],
  ['ne', () => v().ne(2), [1, 1, 0]],
  ['lt', () => v().lt(2), [0, 1, 0]],
  ['le', () => v().le(t([3, 3, 1])), [1, 1, 0]],
  ['gt', () => v().gt(t([3, -3, 1])), [0, 1, 1]],
  ['ge', () => v().ge(2), [1, 0, 1]],
  ['logicalAnd', () => t([1, 0]).logicalAnd(t([1, 1])), [1, 0]],
  ['logicalOr', () => t([1, 0]).logicalOr(t([0, 0])), [1, 0]],
  ['logicalXor', () => t([1, 0]).logicalXor(t([1, 1])), [0, 1]],
  ['logicalNot', () => t([1, 0]).logicalNot(), [0, 1]],
  ['isnan', () => t([nan, inf, 1]).isnan(), [1, 0, 0]],
  ['isinf', () => t([nan, inf, 1]).isinf(), [0, 1, 0]],
  ['isfinite', () => t([nan, inf, 1]).isfinite(), [0, 0, 1]],
  ['any', () => t([0, 1]).any(), 1],
  [
    'any along a dimension',
    () =>
      t([
        [0, 1],
        [0, 0],
      ]).any(1),
    [1, 0],
  ],
  ['all', () => t([0, 1]).all(), 0],
  ['where', () => torch.where(v().gt(0), v(), t([0, 0, 0])), [3, 0, 2]],
  ['where with numbers', () => torch.where(v().gt(0), 1, -1), [1, -1, 1]],
  ['where keeps int64 beside a number', () => torch.where(v().gt(0), long([1, 2, 3]), 0), [1, 0, 3]],
  ['equal', () => v().equal(v()), true],
  ['allclose', () => v().allclose(v().add(1e-9)), true],
];

const reductions: Row[] = [
  ['sum', () => m().sum(), 21],
  ['sum along a dimension', () => m().sum(0), [5, 7, 9]],
  ['sum along several, kept', () => m().sum([0, 1], true), [[21]]],
  ['sum of bool counts', () => v().gt(0).sum(), 2],
  ['mean', () => m().mean(-1), [2, 5]],
  ['var with n - 1', () => t([1, 2, 3, 4]).var(), 5 / 3],
  ['var with n', () => t([1, 2, 3, 4]).var(null, { correction: 0 }), 1.25],
  ['std', () => t([1, 3]).std(), SQRT2],
  ['prod', () => m().prod(1), [6, 120]],
  ['amax', () => m().amax(0), [4, 5, 6]],
  ['amax of all', () => m().amax(), 6],
  ['amin', () => m().amin(1), [1, 4]],
  ['max', () => m().max(), 6],
  ['max along a dimension', () => Object.values(v().max(0)), [3, 0]],
  ['min', () => v().min(), -1],
  ['min along a dimension', () => Object.values(v().min(0)), [-1, 1]],
  ['argmax', () => m().argmax(), 5],
  ['argmax along a dimension', () => m().argmax(1), [2, 2]],
  ['argmin', () => v().argmin(), 1],
  ['norm', () => t([3, 4]).norm(), 5],
  ['norm of order 1', () => t([3, -4]).norm(1), 7],
  ['logsumexp', () => t([1000, 1000]).logsumexp(0), 1000 + LN2],
  ['softmax', () => t([0, log(3)]).softmax(0), [0.25, 0.75]],
  ['logSoftmax', () => t([0, log(3)]).logSoftmax(-1), [log(0.25), log(0.75)]],
  [
    'cumsum',
    () => m().cumsum(1),
    [
      [1, 3, 6],
      [4, 9, 15],
    ],
  ],
  ['cumprod', () => t([1, 2, 3]).cumprod(0), [1, 2, 6]],
  [
    'sort',
    () => Object.values(v().sort()),
    [
      [-1, 2, 3],
      [1, 2, 0],
    ],
  ],
  ['sort descending keeps equal entries in order', () => v().mul(0).sort(0, { descending: true }).indices, [0, 1, 2]],
  ['argsort', () => v().argsort(), [1, 2, 0]],
  [
    'topk',
    () => Object.values(v().topk(2)),
    [
      [3, 2],
      [0, 2],
    ],
  ],
  ['topk of the smallest', () => v().topk(1, 0, { largest: false }).values, [-1]],
  ['kthvalue', () => Object.values(v().kthvalue(2)), [2, 2]],
  ['median', () => v().median(), 2],
  ['quantile', () => t([0, 1, 2, 3]).quantile(0.5), 1.5],
  ['unique', () => t([2, 1, 2]).unique(), [1, 2]],
];

const shapes: Row[] = [
  [
    'view',
    () => m().view([3, 2]),
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ],
  ['reshape with -1', () => m().reshape([-1]), [1, 2, 3, 4, 5, 6]],
  ['flatten', () => m().flatten(), [1, 2, 3, 4, 5, 6]],
  [
    'unflatten',
    () => t([1, 2, 3, 4]).unflatten(0, [2, -1]),
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'transpose',
    () => m().transpose(0, 1),
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  ],
  [
    't',
    () => m().t(),
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  ],
  ['permute', () => m().unsqueeze(0).permute([2, 0, 1]), [[[1, 4]], [[2, 5]], [[3, 6]]]],
  ['squeeze', () => t([[[1]]]).squeeze(), 1],
  ['squeeze one', () => t([[[1]]]).squeeze(0), [[1]]],
  ['unsqueeze', () => t([1, 2]).unsqueeze(-1), [[1], [2]]],
  [
    'expand',
    () => t([[1], [2]]).expand([-1, 2]),
    [
      [1, 1],
      [2, 2],
    ],
  ],
  [
    'expandAs',
    () => t([1, 2, 3]).expandAs(m()),
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  ],
  [
    'repeat',
    () => t([1, 2]).repeat([2, 1]),
    [
      [1, 2],
      [1, 2],
    ],
  ],
  ['repeatInterleave', () => t([1, 2]).repeatInterleave(2), [1, 1, 2, 2]],
  ['repeatInterleave by a tensor', () => t([1, 2]).repeatInterleave(long([1, 3])), [1, 2, 2, 2]],
  [
    'narrow',
    () => m().narrow(1, 1, 2),
    [
      [2, 3],
      [5, 6],
    ],
  ],
  ['slice from the end', () => v().slice(0, -2), [-1, 2]],
  ['slice by steps', () => t([0, 1, 2, 3, 4]).slice(0, 0, null, 2), [0, 2, 4]],
  ['select', () => m().select(0, 1), [4, 5, 6]],
  ['flip', () => v().flip(0), [2, -1, 3]],
  ['roll', () => v().roll(1), [2, 3, -1]],
  [
    'tril',
    () => torch.ones([2, 2]).tril(),
    [
      [1, 0],
      [1, 1],
    ],
  ],
  [
    'triu',
    () => torch.ones([2, 2]).triu(1),
    [
      [0, 1],
      [0, 0],
    ],
  ],
  ['diagonal', () => m().diagonal(), [1, 5]],
  ['pad', () => t([1]).pad([1, 2], { value: 9 }), [9, 1, 9, 9]],
  ['pad by reflection', () => t([[1, 2, 3]]).pad([1, 0], { mode: 'reflect' }), [[2, 1, 2, 3]]],
  ['cat', () => torch.cat([m(), m()], 1).select(0, 0), [1, 2, 3, 1, 2, 3]],
  [
    'stack',
    () => torch.stack([v(), v()]),
    [
      [3, -1, 2],
      [3, -1, 2],
    ],
  ],
  ['split', () => v().split(2), [[3, -1], [2]]],
  ['split by sizes', () => v().split([1, 2]), [[3], [-1, 2]]],
  ['chunk', () => v().chunk(2), [[3, -1], [2]]],
  [
    'unbind',
    () => m().unbind(0),
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  ],
  [
    'unfold',
    () => v().unfold(0, 2, 1),
    [
      [3, -1],
      [-1, 2],
    ],
  ],
  ['contiguous', () => m().t().contiguous().view([-1]), [1, 4, 2, 5, 3, 6]],
];

const indexing: Row[] = [
  ['gather', () => m().gather(1, long([[2], [0]])), [[3], [4]]],
  ['scatter', () => t([0, 0]).scatter(0, long([1]), t([7])), [0, 7]],
  ['scatterValue', () => t([0, 0]).scatterValue(0, long([1]), 7), [0, 7]],
  ['scatterAdd adds repeats', () => t([1, 1]).scatterAdd(0, long([0, 0]), t([2, 3])), [6, 1]],
  [
    'indexSelect',
    () => m().indexSelect(1, long([2, 2])),
    [
      [3, 3],
      [6, 6],
    ],
  ],
  ['indexAdd', () => t([1, 1]).indexAdd(0, long([1]), t([5])), [1, 6]],
  ['index by rows', () => m().index(long([1])), [[4, 5, 6]]],
  ['index by a mask', () => m().index(m().gt(4)), [5, 6]],
  [
    'index by several',
    () => m().index([null, long([0, 2])]),
    [
      [1, 3],
      [4, 6],
    ],
  ],
  ['indexPut', () => v().indexPut([long([0])], t([9])), [9, -1, 2]],
  ['indexPut_ accumulates', () => v().indexPut_([long([0, 0])], t([1, 1]), true), [5, -1, 2]],
  ['take', () => m().take(long([5, 0])), [6, 1]],
  ['takeAlongDim', () => v().takeAlongDim(v().argsort(), 0), [-1, 2, 3]],
  ['maskedFill', () => v().maskedFill(v().lt(0), 0), [3, 0, 2]],
  ['maskedSelect', () => v().maskedSelect(v().gt(0)), [3, 2]],
  ['maskedScatter', () => v().maskedScatter(v().gt(0), t([8, 9])), [8, -1, 9]],
  ['nonzero', () => t([0, 5, 6]).nonzero(), [[1], [2]]],
  ['searchsorted', () => torch.searchsorted(t([1, 3, 5]), t([3, 4])), [1, 2]],
  ['searchsorted to the right', () => torch.searchsorted(t([1, 3, 5]), t([3]), { right: true }), [2]],
  ['bincount', () => long([0, 2, 2]).bincount({ minlength: 4 }), [1, 0, 2, 0]],
];

const products: Row[] = [
  ['matmul', () => m().matmul(v()), [7, 19]],
  [
    'mm',
    () => m().mm(m().t()),
    [
      [14, 32],
      [32, 77],
    ],
  ],
  [
    'bmm',
    () => m().unsqueeze(0).bmm(m().t().unsqueeze(0)),
    [
      [
        [14, 32],
        [32, 77],
      ],
    ],
  ],
  ['dot', () => v().dot(v()), 14],
  [
    'outer',
    () => t([1, 2]).outer(t([3, 4])),
    [
      [3, 4],
      [6, 8],
    ],
  ],
  ['addmm', () => t([1]).addmm(t([[2]]), t([[3]]), { alpha: 2 }), [[13]]],
  ['einsum', () => torch.einsum('ij,j->i', m(), v()), [7, 19]],
  ['linear', () => functional.linear(v(), m(), t([1, 0])), [8, 19]],
  [
    'embedding',
    () => functional.embedding(long([1, 0]), m()),
    [
      [4, 5, 6],
      [1, 2, 3],
    ],
  ],
  ['layerNorm', () => functional.layerNorm(t([1, 3]), [2], { eps: 0 }), [-1, 1]],
  [
    'rmsNorm',
    () => functional.rmsNorm(t([3, 4]), [2], { weight: t([1, 2]), eps: 0 }),
    [3 / 12.5 ** 0.5, 8 / 12.5 ** 0.5],
  ],
  ['groupNorm', () => functional.groupNorm(t([[1, 3]]), 1, { eps: 0 }), [[-1, 1]]],
  [
    'conv2d',
    () =>
      functional.conv2d(
        t([
          [
            [
              [1, 2],
              [3, 4],
            ],
          ],
        ]),
        t([
          [
            [
              [1, 1],
              [1, 1],
            ],
          ],
        ]),
        t([1]),
      ),
    [[[[11]]]],
  ],
  [
    'conv2d padded by steps',
    () =>
      functional.conv2d(
        t([
          [
            [
              [1, 2],
              [3, 4],
            ],
          ],
        ]),
        t([[[[2]]]]),
        null,
        { padding: 1, stride: 2 },
      ),
    [
      [
        [
          [0, 0],
          [0, 8],
        ],
      ],
    ],
  ],
  ['conv3d', () => functional.conv3d(t([[[[[1]], [[2]]]]]), t([[[[[1]], [[10]]]]])), [[[[[21]]]]]],
  [
    'maxPool2d',
    () =>
      functional.maxPool2d(
        t([
          [
            [
              [1, 2],
              [3, 4],
            ],
          ],
        ]),
        2,
      ),
    [[[[4]]]],
  ],
  [
    'avgPool2d',
    () =>
      functional.avgPool2d(
        t([
          [
            [
              [1, 2],
              [3, 4],
            ],
          ],
        ]),
        2,
      ),
    [[[[2.5]]]],
  ],
  ['interpolate', () => functional.interpolate(t([[[[1, 3]]]]), [1, 4]), [[[[1, 1, 3, 3]]]]],
  [
    'interpolate bilinearly',
    () => functional.interpolate(t([[[[1, 3]]]]), [1, 3], { mode: 'bilinear', alignCorners: true }),
    [[[[1, 2, 3]]]],
  ],
  [
    'oneHot',
    () => functional.oneHot(long([1, 0]), 3),
    [
      [0, 1, 0],
      [1, 0, 0],
    ],
  ],
  ['crossEntropy', () => functional.crossEntropy(t([[0, log(3)]]), long([1])), -log(0.75)],
  [
    'crossEntropy skips ignored targets',
    () =>
      functional.crossEntropy(
        t([
          [0, log(3)],
          [5, 5],
        ]),
        long([1, -100]),
      ),
    -log(0.75),
  ],
  ['nllLoss per entry', () => functional.nllLoss(t([[-1, -2]]), long([1]), { reduction: 'none' }), [2]],
  ['mseLoss', () => functional.mseLoss(t([1, 2]), t([1, 4])), 2],
  ['smoothL1Loss', () => functional.smoothL1Loss(t([0.5, 3]), t([0, 0]), { reduction: 'sum' }), 0.125 + 2.5],
  ['binaryCrossEntropyWithLogits', () => functional.binaryCrossEntropyWithLogits(t([0]), t([1])), LN2],
];

const inPlace: Row[] = [
  ['add_', () => v().add_(1), [4, 0, 3]],
  ['add_ a tensor with alpha', () => v().add_(v(), -1), [0, 0, 0]],
  ['sub_', () => v().sub_(v()), [0, 0, 0]],
  ['mul_', () => v().mul_(2), [6, -2, 4]],
  ['div_', () => v().div_(2), [1.5, -0.5, 1]],
  ['zero_', () => v().zero_(), [0, 0, 0]],
  ['fill_', () => v().fill_(7), [7, 7, 7]],
  ['copy_', () => v().copy_(t([1])), [1, 1, 1]],
  ['clamp_', () => v().clamp_(0, 2), [2, 0, 2]],
  ['addcmul_', () => v().addcmul_(v(), v()), [12, 0, 6]],
  ['addcdiv_', () => v().addcdiv_(v(), v()), [4, 0, 3]],
  ['lerp_', () => v().lerp_(t([0, 0, 0]), 0.5), [1.5, -0.5, 1]],
  ['maskedFill_', () => v().maskedFill_(v().lt(0), 9), [3, 9, 2]],
  ['scatter_', () => v().scatter_(0, long([2]), t([9])), [3, -1, 9]],
  ['indexCopy_', () => v().indexCopy_(0, long([0]), t([9])), [9, -1, 2]],
];

const creation: Row[] = [
  ['zeros', () => torch.zeros([2]), [0, 0]],
  ['ones', () => torch.ones([2]), [1, 1]],
  ['full', () => torch.full([2], 0.5), [0.5, 0.5]],
  ['empty has the shape', () => torch.empty([0, 2]), []],
  ['arange', () => torch.arange(3), [0, 1, 2]],
  ['arange by steps', () => torch.arange(0, 1, 0.25), [0, 0.25, 0.5, 0.75]],
  ['linspace', () => torch.linspace(0, 1, 3), [0, 0.5, 1]],
  [
    'eye',
    () => torch.eye(2, 3),
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
  ],
  ['zerosLike', () => torch.zerosLike(v()), [0, 0, 0]],
  ['onesLike', () => torch.onesLike(v()), [1, 1, 1]],
  ['fullLike', () => torch.fullLike(v(), 2), [2, 2, 2]],
  [
    'newTensor',
    () => v().newTensor([1, 2, 3, 4], [2, 2]),
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['newZeros', () => v().newZeros([2]), [0, 0]],
  ['newOnes', () => v().newOnes([2]), [1, 1]],
  ['newFull', () => v().newFull([1], 5), [5]],
];

function value(result: Tensor | number | boolean | readonly Tensor[]): unknown {
  if (typeof result !== 'object') return result;
  return 'tolist' in result ? result.tolist() : result.map((tensor) => tensor.tolist());
}

function expectClose(actual: unknown, wanted: unknown): void {
  if (Array.isArray(wanted)) {
    expect(Array.isArray(actual) && actual.length).toBe(wanted.length);
    for (const [index, entry] of wanted.entries()) expectClose((actual as unknown[])[index], entry);
  } else if (typeof wanted === 'number') {
    expect(Math.abs((actual as number) - wanted)).toBeLessThanOrEqual(1e-14 + 1e-12 * Math.abs(wanted));
  } else {
    expect(actual).toBe(wanted);
  }
}

beforeAll(() => setNumThreads(1));

describe.each([
  ['arithmetic', arithmetic],
  ['comparison and logic', logic],
  ['reductions', reductions],
  ['shapes', shapes],
  ['indexing', indexing],
  ['products, layers, losses', products],
  ['in place', inPlace],
  ['creation', creation],
] as const)('%s', (_, rows) => {
  it.each([...rows])('%s', (_name, compute, wanted) => {
    tidy(() => expectClose(value(compute()), wanted));
  });
});

describe('scaledDotProductAttention', () => {
  const attend = (options: functional.AttentionOptions) =>
    functional.scaledDotProductAttention(t([[[[0], [0]]]]), t([[[[1], [1]]]]), t([[[[2], [4]]]]), options).tolist();

  it('averages the values where all scores are equal', () => tidy(() => expect(attend({})).toEqual([[[[3], [3]]]])));
  it('sees only the past when causal', () => tidy(() => expect(attend({ isCausal: true })).toEqual([[[[2], [3]]]])));
  it('sees what a bool mask allows', () =>
    tidy(() =>
      expect(
        attend({
          attnMask: torch.tensor([
            [false, true],
            [true, true],
          ]),
        }),
      ).toEqual([[[[4], [3]]]]),
    ));
  it('shares key heads among groups of query heads', () =>
    tidy(() => {
      const query = torch.zeros([1, 4, 1, 2]);
      const value = torch.stack([torch.full([1, 2], 5), torch.full([1, 2], 7)]).unsqueeze(0);
      const result = functional.scaledDotProductAttention(query, value, value, { enableGqa: true });
      expect(result.select(3, 0).tolist()).toEqual([[[5], [5], [7], [7]]]);
    }));
});
