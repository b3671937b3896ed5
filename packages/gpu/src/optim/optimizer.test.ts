import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Parameter } from '../nn/parameter.js';
import { setNumThreads } from '../native/runtime.js';
import { tensor } from '../tensor/creation.js';
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
  expected: {
    gradient_norm: number[];
    clip_factor: number[];
    parameters_after_each_step: Nested[][];
    exp_avg: Nested[];
    exp_avg_sq: Nested[];
  };
}

const golden = JSON.parse(
  readFileSync(new URL('../../../../test/golden/algos/optimiser.json', import.meta.url), 'utf8'),
) as { tolerance: { abs: number; rel: number }; cases: GoldenCase[] };

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
  target.grad = values.reduce((sum, each) => sum.add(each)).div(values.length);
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
        expectClose([norm], [expected.gradient_norm[step]!]);
        optimizer.step();
      });
      expectClose(
        parameters.flatMap((each) => each.toNumbers()),
        expected.parameters_after_each_step[step]!.flat(3) as number[],
      );
    }
    optimizer.dispose();
    for (const each of parameters) each.dispose();
  });
});
