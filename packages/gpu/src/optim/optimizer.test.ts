import { beforeAll, describe, expect, it } from 'vitest';
import optimiser from '../../../../test/golden/algos/optimiser.json' with { type: 'json' };
import { setNumThreads } from '../native/runtime.js';
import { Parameter } from '../nn/parameter.js';
import { tensor } from '../tensor/creation.js';
import type { DType } from '../tensor/dtype.js';
import { memory, tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { Adam, AdamW } from './adam.js';
import { clipGradNorm_, NonFiniteGradientError } from './clip.js';
import { OptimizerStateError } from './optimizer.js';
import { SGD } from './sgd.js';

type Nested = number | Nested[];
interface GoldenCase {
  name: string;
  params: {
    lr: number;
    betas: [number, number];
    eps: number;
    weight_decay: number;
    decoupled: boolean;
    max_grad_norm: number | null;
  };
  inputs: { parameters: Nested[]; micro_gradients_step_micro_tensor: Nested[][][] };
  expected: { grad_norm_before_clipping: number[]; parameters_after_each_step: Nested[][] };
}

const golden = optimiser as unknown as { tolerance: { abs: number; rel: number }; cases: GoldenCase[] };

function expectClose(actual: readonly number[], wanted: readonly number[]): void {
  expect(actual.length).toBe(wanted.length);
  for (const [index, value] of actual.entries()) {
    const target = wanted[index]!;
    expect(Math.abs(value - target)).toBeLessThanOrEqual(
      golden.tolerance.abs + golden.tolerance.rel * Math.abs(target),
    );
  }
}

function parameter(values: Nested): Parameter {
  return tidy(() => new Parameter(tensor(values, { dtype: 'float64' })));
}

function setGradient(target: Parameter, values: readonly Tensor[]): void {
  target.grad = values.reduce((sum, value) => sum.add(value)).div(values.length);
}

beforeAll(() => setNumThreads(1));

describe('Adam and AdamW with clipping', () => {
  it.each(golden.cases)('agree with the reference: $name', ({ params, inputs, expected }) => {
    const parameters = inputs.parameters.map(parameter);
    const options = { lr: params.lr, betas: params.betas, eps: params.eps, weightDecay: params.weight_decay };
    const optimizer = params.decoupled ? new AdamW(parameters, options) : new Adam(parameters, options);
    for (const [step, micro] of inputs.micro_gradients_step_micro_tensor.entries()) {
      tidy(() => {
        for (const [index, each] of parameters.entries()) {
          setGradient(
            each,
            micro.map((gradients) => tensor(gradients[index]!, { dtype: 'float64' })),
          );
        }
        const norm = clipGradNorm_(parameters, params.max_grad_norm ?? Number.POSITIVE_INFINITY);
        expectClose([norm], [expected.grad_norm_before_clipping[step]!]);
        optimizer.step();
      });
      expectClose(
        parameters.flatMap((parameter) => parameter.toNumbers()),
        expected.parameters_after_each_step[step]!.flat(3) as number[],
      );
    }
    optimizer.dispose();
    for (const parameter of parameters) parameter.dispose();
  });
});

/** Three steps down f(p) = sum(p^4) from fixed values. */
function descend(
  make: (parameters: Parameter[]) => Adam | AdamW | SGD,
  steps: number,
  between?: (step: number) => void,
) {
  const parameters = [parameter([0.5, -1.5]), parameter([[2]])];
  const optimizer = make(parameters);
  for (let step = 0; step < steps; step += 1) {
    tidy(() => {
      optimizer.zeroGrad();
      for (const parameter of parameters) parameter.pow(4).sum().backward();
      optimizer.step();
    });
    between?.(step);
  }
  return { parameters, optimizer, values: parameters.map((parameter) => parameter.tolist()) };
}

describe('every optimizer', () => {
  it.each([
    ['Adam', (parameters: Parameter[]) => new Adam(parameters, { lr: 0.1 })],
    ['AdamW', (parameters: Parameter[]) => new AdamW(parameters, { lr: 0.1 })],
    [
      'SGD with momentum',
      (parameters: Parameter[]) => new SGD(parameters, { lr: 0.01, momentum: 0.9, dampening: 0.1 }),
    ],
  ])('%s continues a saved run bit for bit', (_, make) => {
    const whole = descend(make, 6);
    const half = descend(make, 3);
    const resumed = make(half.parameters);
    resumed.loadStateDict(half.optimizer.stateDict());
    for (let step = 0; step < 3; step += 1) {
      tidy(() => {
        resumed.zeroGrad();
        for (const parameter of half.parameters) parameter.pow(4).sum().backward();
        resumed.step();
      });
    }
    expect(half.parameters.map((parameter) => parameter.tolist())).toEqual(whole.values);
  });

  it('keeps its state when the step is taken inside a tidy, and gives it back on dispose', () => {
    const before = memory().tensors;
    const { optimizer, parameters } = descend((params) => new Adam(params, { lr: 0.1 }), 3);
    optimizer.dispose();
    for (const parameter of parameters) parameter.dispose();
    expect(memory().tensors).toBe(before);
  });

  it.each([
    ['Adam', (parameters: Parameter[]) => new Adam(parameters, { lr: 0.1 })],
    ['AdamW', (parameters: Parameter[]) => new AdamW(parameters, { lr: 0.1 })],
    ['SGD with momentum', (parameters: Parameter[]) => new SGD(parameters, { lr: 0.01, momentum: 0.9 })],
  ])('%s moves parameters of several dtypes as it moves each alone', (_, make) => {
    const moved = (dtypes: readonly DType[]) => {
      const parameters = dtypes.map((dtype) => tidy(() => new Parameter(tensor([0.5, -1.5], { dtype }))));
      const optimizer = make(parameters);
      for (let step = 0; step < 2; step += 1) {
        tidy(() => {
          optimizer.zeroGrad();
          for (const each of parameters) each.square().sum().backward();
          clipGradNorm_(parameters, 1e9);
          optimizer.step();
        });
      }
      optimizer.dispose();
      return parameters.map((each) => each.toNumbers());
    };
    const dtypes = ['float32', 'bfloat16', 'float64', 'float32'] as const;
    expect(moved(dtypes)).toEqual(dtypes.flatMap((dtype) => moved([dtype])));
  });

  it('leaves parameters without a gradient alone', () => {
    const [used, unused] = [parameter([1]), parameter([1])];
    const optimizer = new Adam([used, unused], { lr: 0.1 });
    tidy(() => used.square().sum().backward());
    optimizer.step();
    expect(unused.item()).toBe(1);
    expect(used.item()).toBeCloseTo(0.9, 8);
  });

  it('takes the learning rate that was set last', () => {
    const target = parameter([1]);
    const optimizer = new SGD([target], { lr: 1 });
    optimizer.lr = 0.25;
    tidy(() => target.sum().backward());
    optimizer.step();
    expect(target.item()).toBe(0.75);
  });

  it('gives groups their own options', () => {
    const [slow, fast] = [parameter([1]), parameter([1])];
    const optimizer = new SGD([{ params: [slow] }, { params: [fast], lr: 0.5 }], { lr: 0.125 });
    tidy(() => slow.add(fast).sum().backward());
    optimizer.step();
    expect([slow.item(), fast.item()]).toEqual([0.875, 0.5]);
  });

  it('refuses the state of other parameters', () => {
    const saved = descend((params) => new Adam(params), 1).optimizer.stateDict();
    expect(() => new Adam([parameter([1])]).loadStateDict(saved)).toThrow(OptimizerStateError);
    expect(() => new AdamW([parameter([1])]).loadStateDict(saved)).toThrow(/saved by Adam/);
  });
});

describe('clipGradNorm_', () => {
  it('reports a norm that is not finite and leaves the gradients as they were', () => {
    const target = parameter([1, 2]);
    tidy(() => {
      target.grad = tensor([Number.NaN, 3], { dtype: 'float64' });
      expect(() => clipGradNorm_([target], 1, { errorIfNonFinite: true })).toThrow(NonFiniteGradientError);
      expect(target.grad?.toNumbers()).toEqual([Number.NaN, 3]);
    });
  });

  it('is 0 without gradients', () => {
    expect(clipGradNorm_([parameter([1])], 1)).toBe(0);
  });
});
