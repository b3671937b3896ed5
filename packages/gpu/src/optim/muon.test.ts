import { InvalidOptionError } from '@vlgym/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { setNumThreads } from '../native/runtime.js';
import { Parameter } from '../nn/parameter.js';
import { tensor } from '../tensor/creation.js';
import { tidy } from '../tensor/scope.js';
import { Adam } from './adam.js';
import { CombinedOptimizer } from './combined.js';
import { Muon, type MuonOptions } from './muon.js';
import { OptimizerStateError } from './optimizer.js';

const transposed = (rows: readonly number[][]) => rows[0]!.map((_, column) => rows.map((row) => row[column]!));

const START = [
  [0.5, -1],
  [2, 0.25],
  [-0.75, 1.5],
];
const GRADIENTS = [
  [
    [1, -0.5],
    [0.25, 2],
    [-1.5, 0.75],
  ],
  [
    [-0.5, 0.25],
    [1, 1],
    [0.5, -2],
  ],
];

function parameter(values: number[] | number[][], dtype: 'float32' | 'float64' = 'float64'): Parameter {
  return tidy(() => new Parameter(tensor(values, { dtype })));
}

function descend(optimizer: { step(): void; zeroGrad(): void }, parameters: readonly Parameter[], steps: number) {
  for (let step = 0; step < steps; step += 1) {
    tidy(() => {
      optimizer.zeroGrad();
      for (const each of parameters) each.pow(4).sum().backward();
      optimizer.step();
    });
  }
}

beforeAll(() => setNumThreads(1));

describe('Muon', () => {
  // two steps, computed from the formulas of `torch/optim/_muon.py` of PyTorch 2.13 in float64
  it.each<[string, boolean, Pick<MuonOptions, 'nesterov' | 'adjustLr'>, number[]]>([
    [
      'more rows than columns',
      false,
      { nesterov: true, adjustLr: 'original' },
      [0.4101360208, -0.8761323333, 1.724899647, 0.0691960284, -0.6432680424, 1.3826798584],
    ],
    [
      'updates as large as those of Adam',
      false,
      { nesterov: false, adjustLr: 'match-rms-adamw' },
      [0.4127757782, -0.8823721973, 1.7992603788, 0.1725574703, -0.6395143819, 1.3457505433],
    ],
    [
      'more columns than rows',
      true,
      { nesterov: true, adjustLr: 'original' },
      [0.4176805765, 1.7395983357, -0.6494350341, -0.8809708903, 0.0979012795, 1.3773711305],
    ],
  ])('moves matrices as PyTorch does: %s', (_, isWide, options, expected) => {
    const shaped = (rows: number[][]) => (isWide ? transposed(rows) : rows);
    const matrix = parameter(shaped(START));
    const optimizer = new Muon([matrix], { lr: 0.1, momentum: 0.9, weightDecay: 0.5, ...options });
    for (const gradient of GRADIENTS) {
      tidy(() => {
        matrix.grad = tensor(shaped(gradient), { dtype: 'float64' });
        optimizer.step();
      });
    }
    for (const [i, value] of matrix.toNumbers().entries()) expect(value).toBeCloseTo(expected[i]!, 9);
    optimizer.dispose();
    matrix.dispose();
  });

  it('differs in bfloat16 by its rounding alone', () => {
    const moved = [false, true].map((bfloat16) => {
      const matrix = parameter(START, 'float32');
      const optimizer = new Muon([matrix], { lr: 0.1, bfloat16 });
      descend(optimizer, [matrix], 1);
      optimizer.dispose();
      return matrix.toNumbers();
    });
    expect(moved[1]).not.toEqual(moved[0]);
    for (const [i, value] of moved[1]!.entries()) expect(Math.abs(value - moved[0]![i]!)).toBeLessThan(5e-3);
  });

  it('refuses what is not a matrix', () => {
    expect(() => new Muon([parameter([1, 2])])).toThrow(InvalidOptionError);
  });
});

describe('CombinedOptimizer', () => {
  const make = (matrix: Parameter, vector: Parameter) =>
    new CombinedOptimizer(new Muon([matrix], { lr: 0.1 }), new Adam([vector], { lr: 0.1 }));

  it('moves each parameter as its optimizer does alone, and continues a saved run bit for bit', () => {
    const [matrix, vector, alone] = [parameter(START), parameter([0.5, -1.5]), parameter([0.5, -1.5])];
    const whole = make(matrix, vector);
    descend(whole, [matrix, vector], 6);
    const adam = new Adam([alone], { lr: 0.1 });
    descend(adam, [alone], 6);
    expect(vector.tolist()).toEqual(alone.tolist());

    const [again, rest] = [parameter(START), parameter([0.5, -1.5])];
    const half = make(again, rest);
    descend(half, [again, rest], 3);
    const resumed = make(again, rest);
    resumed.loadStateDict(half.stateDict());
    descend(resumed, [again, rest], 3);
    expect([again.tolist(), rest.tolist()]).toEqual([matrix.tolist(), vector.tolist()]);
  });

  it('refuses the state of other optimizers', () => {
    const [matrix, vector] = [parameter(START), parameter([1, 2])];
    const saved = make(matrix, vector).stateDict();
    expect(() => new CombinedOptimizer(new Adam([matrix]), new Adam([vector])).loadStateDict(saved)).toThrow(
      OptimizerStateError,
    );
  });
});
