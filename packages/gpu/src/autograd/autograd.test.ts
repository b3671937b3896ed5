/** Analytic gradients against central differences in float64, and the machinery around them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TorchError } from '../native/errors.js';
import { setNumThreads } from '../native/runtime.js';
import * as functional from '../nn/functional.js';
import { cat, rand, tensor, where } from '../tensor/creation.js';
import { Generator } from '../tensor/generator.js';
import { memory, tidy, tidyAsync } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { grad } from './grad.js';
import { enableGrad, isGradEnabled, noGrad } from './grad-mode.js';

beforeAll(() => setNumThreads(1));

const STEP = 1e-6;
const index = () => tensor([[1, 0, 2]], { dtype: 'int64' });

/** Functions of x [2, 3] with entries in (0.5, 1.5), where all of them are smooth. */
const functions: [string, (x: Tensor) => Tensor][] = [
  ['add, sub, mul, div', (x) => x.add(2).mul(x).sub(x.div(3)).div(x.add(1))],
  ['pow', (x) => x.pow(3)],
  ['exp, log', (x) => x.exp().add(x.log())],
  ['expm1, log1p', (x) => x.expm1().mul(x.log1p())],
  ['sqrt, rsqrt, reciprocal', (x) => x.sqrt().add(x.rsqrt()).add(x.reciprocal())],
  ['sin, cos, tanh', (x) => x.sin().mul(x.cos()).add(x.tanh())],
  ['sigmoid, silu, gelu, softplus', (x) => x.sigmoid().add(x.silu()).add(x.gelu()).add(x.softplus())],
  ['abs, square, neg', (x) => x.abs().add(x.square()).neg()],
  ['clamp inside its bounds', (x) => x.clamp(0, 2)],
  ['maximum, minimum', (x) => x.maximum(x.mul(0.5)).minimum(x.mul(2))],
  ['where', (x) => where(x.gt(0), x.mul(3), x)],
  ['softmax', (x) => x.softmax(1)],
  ['logSoftmax', (x) => x.logSoftmax(-1)],
  ['logsumexp', (x) => x.logsumexp(1)],
  ['mean, var, std', (x) => x.mean(0).add(x.var(0)).add(x.std(0))],
  ['prod', (x) => x.prod(1)],
  ['amax', (x) => x.amax(1)],
  ['norm', (x) => x.norm()],
  ['cumsum', (x) => x.cumsum(1)],
  ['sort', (x) => x.sort(1).values.mul(tensor([1, 2, 3], { dtype: 'float64' }))],
  ['topk', (x) => x.topk(2).values],
  ['matmul, transpose', (x) => x.matmul(x.t())],
  ['reshape, permute, narrow', (x) => x.reshape([3, 2]).permute([1, 0]).narrow(1, 0, 2)],
  ['gather', (x) => x.gather(1, index())],
  ['scatter', (x) => x.scatter(1, cat([index(), index()]), x.mul(2))],
  ['indexSelect, maskedFill', (x) => x.indexSelect(1, index().squeeze(0)).maskedFill(x.gt(10), 0)],
  ['cat, expand, flip', (x) => cat([x, x.narrow(0, 0, 1).expand([2, 3]).flip(0)])],
  ['layerNorm', (x) => functional.layerNorm(x, [3])],
  ['rmsNorm', (x) => functional.rmsNorm(x, [3], { eps: 1e-6 })],
  ['crossEntropy', (x) => functional.crossEntropy(x, tensor([2, 0], { dtype: 'int64' }))],
  ['mseLoss', (x) => functional.mseLoss(x, x.detach().mul(0))],
  ['conv2d', (x) => functional.conv2d(x.reshape([1, 1, 2, 3]), x.narrow(1, 0, 2).reshape([1, 1, 2, 2]))],
  [
    'attention',
    (x) => {
      const heads = x.reshape([1, 1, 2, 3]);
      return functional.scaledDotProductAttention(heads, heads, heads, { isCausal: true });
    },
  ],
];

describe('gradients agree with central differences', () => {
  it.each(functions)('%s', (_, f) => {
    tidy(() => {
      const generator = new Generator(11);
      const x = rand([2, 3], { dtype: 'float64', generator }).add(0.5);
      // random weights, so that an error in one entry cannot hide behind the sum
      const loss = (at: Tensor) => {
        const y = f(at);
        return y.mul(rand(y.shape, { dtype: 'float64', generator: new Generator(5) })).sum();
      };
      x.requiresGrad_();
      loss(x).backward();
      const analytic = x.grad!.toNumbers();
      const numbers = x.detach().toNumbers();
      const numeric = numbers.map((_, position) => {
        const shifted = (by: number) =>
          loss(
            tensor(
              numbers.map((value, i) => (i === position ? value + by : value)),
              { dtype: 'float64', shape: [2, 3] },
            ),
          ).item();
        return (shifted(STEP) - shifted(-STEP)) / (2 * STEP);
      });
      for (const [i, each] of analytic.entries()) expect(Math.abs(each - numeric[i]!)).toBeLessThan(1e-7);
    });
  });
});

describe('backward', () => {
  it('adds to the gradient until it is dropped', () => {
    tidy(() => {
      const x = tensor([2], { requiresGrad: true });
      x.square().sum().backward();
      x.square().sum().backward();
      expect(x.grad?.item()).toBe(8);
      x.grad = null;
      expect(x.grad).toBeNull();
    });
  });

  it('weights a result of several entries', () => {
    tidy(() => {
      const x = tensor([1, 2], { requiresGrad: true });
      expect(() => x.mul(2).backward()).toThrow(TorchError);
      x.mul(2).backward({ gradient: tensor([1, 10]) });
      expect(x.grad?.tolist()).toEqual([2, 20]);
    });
  });

  it('works after the tensors in between were disposed', () => {
    tidy(() => {
      const x = tensor([3], { requiresGrad: true });
      const loss = tidy(() => x.mul(x).mul(x).sum());
      loss.backward();
      expect(x.grad?.item()).toBe(27);
    });
  });

  it('needs retainGraph for a second time', () => {
    tidy(() => {
      const x = tensor([3], { requiresGrad: true });
      const y = x.mul(x).sum();
      y.backward({ retainGraph: true });
      y.backward();
      expect(x.grad?.item()).toBe(12);
      expect(() => y.backward()).toThrow(TorchError);
    });
  });

  it('on the native thread gives the same gradients and leaves the event loop free', async () => {
    await tidyAsync(async () => {
      const x = tensor([3], { requiresGrad: true });
      const y = tidy(() => {
        let z = x.mul(1);
        for (let i = 0; i < 2000; i += 1) z = z.add(x);
        return z.sum();
      });
      let turns = 0;
      const timer = setImmediate(function turn() {
        turns += 1;
        if (turns < 3) setImmediate(turn);
      });
      await y.backwardAsync();
      clearImmediate(timer);
      expect(x.grad?.item()).toBe(2001);
    });
  });

  it('on the native thread rejects with the typed error', async () => {
    using x = tensor([1, 2]);
    await expect(x.backwardAsync()).rejects.toThrow(TorchError);
  });
});

describe('grad', () => {
  it('gives gradients of gradients and leaves the leaves alone', () => {
    const before = memory().tensors;
    tidy(() => {
      const x = tensor([3], { requiresGrad: true });
      const [first] = grad(x.pow(3).sum(), [x], { createGraph: true });
      const [second] = grad(first!.sum(), [x]);
      expect([first!.item(), second!.item(), x.grad]).toEqual([27, 18, null]);
    });
    expect(memory().tensors).toBe(before);
  });

  it('refuses an input that the output does not depend on', () => {
    tidy(() => {
      const [x, y] = [tensor([3], { requiresGrad: true }), tensor([3], { requiresGrad: true })];
      expect(() => grad(x.sum(), [y])).toThrow(TorchError);
    });
  });
});

describe('noGrad', () => {
  it('records nothing inside, and recording comes back even after an error', () => {
    tidy(() => {
      const x = tensor([3], { requiresGrad: true });
      expect(noGrad(() => x.mul(2).requiresGrad)).toBe(false);
      expect(noGrad(() => enableGrad(() => x.mul(2).requiresGrad))).toBe(true);
      expect(() =>
        noGrad(() => {
          throw new Error('x');
        }),
      ).toThrow('x');
      expect(isGradEnabled()).toBe(true);
    });
  });

  it('refuses a promise: the switch is not per task', () => {
    expect(() => noGrad(() => Promise.resolve())).toThrow(TorchError);
    expect(isGradEnabled()).toBe(true);
  });
});
