import { beforeAll, describe, expect, it } from 'vitest';
import { noGrad } from '../autograd/grad-mode.js';
import { setNumThreads } from '../native/runtime.js';
import { Adam } from '../optim/adam.js';
import { arange, ones, randn, tensor, zeros } from '../tensor/creation.js';
import { Generator } from '../tensor/generator.js';
import { memory, tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { ModuleList, Sequential } from './containers.js';
import * as init from './init.js';
import { Conv2d, Dropout, Embedding, LayerNorm, Linear, RMSNorm } from './layers.js';
import { Module, StateDictError } from './module.js';
import { Parameter } from './parameter.js';

class Net extends Module {
  readonly first: Linear;
  readonly blocks: ModuleList<Linear>;
  readonly scale = tidy(() => new Parameter(ones([1])));

  constructor(seed = 0) {
    super();
    const generator = new Generator(seed);
    this.first = new Linear(3, 4, { generator });
    this.blocks = new ModuleList([0, 1].map(() => new Linear(4, 4, { bias: false, generator })));
    this.registerBuffer('table', arange(2));
  }

  forward(x: Tensor): Tensor {
    let y = this.first.forward(x);
    for (const block of this.blocks) y = block.forward(y).relu();
    return y.mul(this.scale);
  }
}

beforeAll(() => setNumThreads(1));

describe('a module', () => {
  it('names its parameters and buffers after its properties', () => {
    expect([...new Net().stateDict().keys()]).toEqual([
      'scale',
      'first.weight',
      'first.bias',
      'blocks.0.weight',
      'blocks.1.weight',
      'table',
    ]);
  });

  it('counts a shared parameter once', () => {
    const net = new Net();
    const tied = new Sequential(net.first, net.first);
    expect(tied.parameters().length).toBe(2);
  });

  it('starts alike from the same seed', () => {
    const [a, b, c] = [new Net(1), new Net(1), new Net(2)].map((net) => net.first.weight.tolist());
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  it('computes what another computes after loading its state', () => {
    tidy(() => {
      const [from, to] = [new Net(1), new Net(2)];
      to.loadStateDict(from.stateDict());
      const x = randn([5, 3]);
      expect(to.forward(x).tolist()).toEqual(from.forward(x).tolist());
    });
  });

  it('refuses a state that does not fit, names what is wrong, and stays as it was', () => {
    const net = new Net();
    const before = net.first.weight.tolist();
    const state = new Map<string, Tensor>(new Net(5).stateDict());
    state.delete('scale');
    state.set('extra', zeros([1]));
    state.set('first.bias', zeros([7]));
    const error = (() => {
      try {
        net.loadStateDict(state);
      } catch (reason) {
        return reason as StateDictError;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(StateDictError);
    expect([error?.missing, error?.unexpected, error?.mismatched]).toEqual([
      ['scale'],
      ['extra'],
      ['first.bias: [7] instead of [4]'],
    ]);
    expect(net.first.weight.tolist()).toEqual(before);
    state.delete('first.bias');
    net.loadStateDict(state, { strict: false });
    expect(net.first.weight.tolist()).not.toEqual(before);
  });

  it('moves to another dtype, buffers of integers excepted, and still trains', () => {
    const net = new Net().to({ dtype: 'float64' });
    expect(net.parameters().map(({ dtype }) => dtype)).toEqual(new Array(5).fill('float64'));
    expect(net.buffer('table').dtype).toBe('int64');
    tidy(() =>
      net
        .forward(randn([2, 3], { dtype: 'float64' }))
        .sum()
        .backward(),
    );
    tidy(() => expect(net.first.weight.grad?.dtype).toBe('float64'));
    net.zeroGrad();
    expect(net.first.weight.grad).toBeNull();
  });

  it('switches training off and on for all below it', () => {
    const net = new Sequential(new Dropout(0.5), new Sequential(new Dropout(0.5)));
    net.eval();
    expect(Array.from(net.namedModules(), ([, module]) => module.training)).toEqual([false, false, false, false]);
    net.train();
    expect(Array.from(net.namedModules(), ([, module]) => module.training)).toEqual([true, true, true, true]);
  });

  it('can be frozen', () => {
    const net = new Net().requiresGrad_(false);
    tidy(() => expect(net.forward(zeros([1, 3])).requiresGrad).toBe(false));
  });

  it('lives through the tidy it was made in, and gives everything back on dispose', () => {
    const before = memory().tensors;
    const net = tidy(() => new Net());
    expect(memory().tensors - before).toBe(6);
    net.dispose();
    expect(memory().tensors).toBe(before);
  });

  it('learns', () => {
    const generator = new Generator(0);
    const net = new Sequential(new Linear(2, 8, { generator }), new LayerNorm(8), new Linear(8, 1, { generator }));
    const optimizer = new Adam(net.parameters(), { lr: 0.05 });
    const x = tensor([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
    const y = tensor([[0], [1], [1], [0]]);
    const step = () =>
      tidy(() => {
        optimizer.zeroGrad();
        const loss = net.forward(x).sub(y).square().mean();
        loss.backward();
        optimizer.step();
        return loss.item();
      });
    const before = memory().tensors;
    for (let i = 0; i < 200; i += 1) step();
    expect(step()).toBeLessThan(1e-3);
    expect(memory().tensors - before).toBe(12); // two averages for each of six parameters
  });
});

describe('layers', () => {
  it('Linear starts within ±1 / sqrt(inputs)', () => {
    const { weight, bias } = new Linear(16, 64, { generator: new Generator(0) });
    for (const parameter of [weight, bias!]) {
      const largest = tidy(() => parameter.abs().max().item());
      expect(largest).toBeLessThanOrEqual(0.25);
      expect(largest).toBeGreaterThan(0.2);
    }
  });

  it('Embedding looks rows up', () => {
    tidy(() => {
      const layer = new Embedding(3, 2);
      expect(layer.forward(tensor([2], { dtype: 'int64' })).tolist()).toEqual([
        (layer.weight.tolist() as number[][])[2],
      ]);
    });
  });

  it('RMSNorm gives a mean square of 1', () => {
    tidy(() =>
      expect(
        new RMSNorm(4)
          .forward(randn([2, 4]).mul(9))
          .square()
          .mean()
          .item(),
      ).toBeCloseTo(1, 4),
    );
  });

  it('Conv2d has the shape of its options', () => {
    tidy(() => {
      const layer = new Conv2d(3, 6, 3, { stride: 2, padding: 1, groups: 3 });
      expect(layer.weight.shape).toEqual([6, 1, 3, 3]);
      expect(layer.forward(zeros([1, 3, 8, 8])).shape).toEqual([1, 6, 4, 4]);
    });
  });

  it('Dropout zeroes its share, keeps the mean, repeats from a seed, and rests in eval', () => {
    tidy(() => {
      const make = () => new Dropout(0.25, { generator: new Generator(4) });
      const x = ones([10_000]);
      const dropped = make().forward(x);
      expect(dropped.eq(0).sum().item() / 10_000).toBeCloseTo(0.25, 1);
      expect(dropped.max().item()).toBeCloseTo(4 / 3, 6);
      expect(make().forward(x).equal(dropped)).toBe(true);
      expect(make().eval().forward(x).equal(x)).toBe(true);
    });
  });
});

describe('init', () => {
  it('writes in place without recording gradients', () => {
    const weight = tidy(() => new Parameter(zeros([4, 9])));
    expect(init.kaimingUniform_(weight, { generator: new Generator(0) })).toBe(weight);
    expect(tidy(() => weight.abs().max().item())).toBeLessThanOrEqual(1 / 3);
    expect(tidy(() => init.xavierUniform_(weight).abs().max().item())).toBeLessThanOrEqual(Math.sqrt(6 / 13));
    expect(tidy(() => init.normal_(weight, 5, 0).mean().item())).toBe(5);
    expect(tidy(() => init.ones_(weight).sum().item())).toBe(36);
    expect(tidy(() => init.zeros_(weight).sum().item())).toBe(0);
    expect(noGrad(() => weight.requiresGrad)).toBe(true);
  });
});
