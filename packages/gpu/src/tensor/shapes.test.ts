/** Shapes, indexing, and tensors made like others. */

import { long, m, type Row, t, testOperations, v } from '../../test-support/operation-tables.js';
import * as torch from './creation.js';

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

testOperations({ shapes, indexing, creation });
