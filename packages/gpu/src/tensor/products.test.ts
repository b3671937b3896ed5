/** Products, layers, losses and attention. */
import { describe, expect, it } from 'vitest';
import { LN2, log, long, m, type Row, t, testOperations, v } from '../../test-support/operation-tables.js';
import * as functional from '../nn/functional.js';
import * as torch from './creation.js';
import { tidy } from './scope.js';

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

testOperations({ 'products, layers, losses': products });

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
