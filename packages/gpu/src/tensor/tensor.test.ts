import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { addonPath } from '../native/addon-path.js';
import { TensorArgumentError, TensorDisposedError, TorchError } from '../native/errors.js';
import { setNumThreads } from '../native/runtime.js';
import { arange, fromBuffer, ones, rand, randint, randn, randperm, tensor, zeros } from './creation.js';
import type { TensorData } from './data.js';
import { DTYPES, type DType } from './dtype.js';
import { Generator } from './generator.js';
import { keep, memory, memoryUse, resetPeakMemory, tidy, tidyAsync } from './scope.js';
import type { Tensor } from './tensor.js';

beforeAll(() => setNumThreads(1));

describe('making tensors', () => {
  it.each<[string, TensorData, DType, number[]]>([
    ['numbers', [1, 2], 'float32', [2]],
    ['nested numbers', [[1, 2, 3]], 'float32', [1, 3]],
    ['nothing', [], 'float32', [0]],
    ['one number', 3, 'float32', []],
    ['booleans', [true, false], 'bool', [2]],
    ['bigints', [1n, -2n], 'int64', [2]],
    ['a Float64Array', new Float64Array(2), 'float64', [2]],
    ['an Int32Array', new Int32Array(2), 'int32', [2]],
    ['a BigInt64Array', new BigInt64Array(2), 'int64', [2]],
    ['a Uint8Array', new Uint8Array(2), 'uint8', [2]],
    ['an Int8Array', new Int8Array(2), 'float64', [2]],
  ])('from %s', (_, data, dtype, shape) => {
    using made = tensor(data);
    expect([made.dtype, made.shape]).toEqual([dtype, shape]);
  });

  it.each(DTYPES)('%s goes in and comes out unchanged', (dtype) => {
    using made = tensor([0, 1, 1], { dtype });
    expect([made.dtype, made.tolist()]).toEqual([dtype, [0, 1, 1]]);
  });

  it('keeps whole numbers to 2^53 and bigints to 2^63 in int64', () => {
    tidy(() => {
      expect(tensor([2 ** 53 - 1], { dtype: 'int64' }).toArray()).toEqual(new BigInt64Array([2n ** 53n - 1n]));
      expect(tensor([2n ** 63n - 1n]).toArray()).toEqual(new BigInt64Array([2n ** 63n - 1n]));
    });
  });

  it('refuses ragged rows and data that does not fill the shape', () => {
    expect(() => tensor([[1, 2], [3]])).toThrow(TensorArgumentError);
    expect(() => tensor([[1], 2])).toThrow(/not all of the shape/);
    expect(() => tensor([1, 2, 3], { shape: [2, 2] })).toThrow(/12 bytes.*16/);
    expect(() => tensor([1], { dtype: 'float8' as 'float32' })).toThrow(/not one of/);
  });

  it('from a buffer keep their numbers when the buffer is written, transferred or resized', () => {
    tidy(() => {
      // resizable buffers are ES2024, later than our target
      type Resizable = ArrayBuffer & { resize(bytes: number): void };
      const Resizable = ArrayBuffer as unknown as new (bytes: number, options: object) => Resizable;
      const buffer = new Resizable(8, { maxByteLength: 16 });
      const numbers = new Float32Array(buffer);
      numbers.set([1, 2]);
      const copy = fromBuffer(numbers);
      numbers[0] = 5;
      buffer.resize(0);
      structuredClone(buffer, { transfer: [buffer] });
      expect(copy.mul(2).tolist()).toEqual([2, 4]);
      expect(() => fromBuffer(numbers, [2])).toThrow(/0 bytes/);
    });
  });

  it('of more entries than JavaScript can hold are a typed error when they are read', () => {
    tidy(() => {
      const huge = zeros([1]).expand([2 ** 45]);
      expect(() => huge.toArray()).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
      expect(() => huge.contiguous()).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    });
  });

  it('from bits of half precision', () => {
    tidy(() => expect(fromBuffer(Uint16Array.of(0x3f80), [1], 'bfloat16').toNumbers()).toEqual([1]));
  });

  it.each<[string, () => unknown]>([
    [
      'arrays without end',
      () => {
        const data: unknown[] = [];
        data[0] = data;
        return data;
      },
    ],
    ['a hole', () => new Array(3)],
    ['text', () => ['1']],
    ['a half among bigints', () => [1n, 0.5]],
  ])('from %s are refused', (_, data) => {
    expect(() => tensor(data() as number[])).toThrow(TensorArgumentError);
  });
});

describe('random numbers', () => {
  it('repeat from a seed and continue from a state', () => {
    tidy(() => {
      const generator = new Generator(7);
      const state = generator.getState();
      const draw = () =>
        [rand([2], { generator }), randn([2], { generator }), randperm(5, { generator })].map((x) => x.tolist());
      const first = draw();
      expect(new Generator(7).getState().equal(state)).toBe(true);
      expect(draw()).not.toEqual(first);
      generator.setState(state);
      expect(draw()).toEqual(first);
    });
  });

  it('from one generator do not change those of another', () => {
    tidy(() => {
      const [a, b] = [new Generator(1), new Generator(1)];
      rand([10], { generator: a });
      expect(rand([2], { generator: b }).tolist()).toEqual(rand([2], { generator: new Generator(1) }).tolist());
    });
  });

  it('stay in their ranges', () => {
    tidy(() => {
      const generator = new Generator(3);
      const integers = randint(-2, 3, [1000], { generator });
      expect([integers.min().item(), integers.max().item(), integers.dtype]).toEqual([-2, 2, 'int64']);
      const weights = tensor([
        [0, 1, 0],
        [1, 0, 0],
      ]);
      expect(weights.multinomial(4, { replacement: true, generator }).tolist()).toEqual([
        [1, 1, 1, 1],
        [0, 0, 0, 0],
      ]);
      expect(tensor([0, 1]).bernoulli(generator).tolist()).toEqual([0, 1]);
      expect(zeros([1000]).uniform_(2, 3, generator).min().item()).toBeGreaterThanOrEqual(2);
      expect(Math.abs(zeros([10_000]).normal_(1, 2, generator).mean().item() - 1)).toBeLessThan(0.1);
      expect(ones([10]).exponential_(1, generator).gt(0).all().item()).toBe(1);
      expect(zeros([10]).bernoulli_(1, generator).sum().item()).toBe(10);
    });
  });
});

describe('the life of tensors', () => {
  it('100,000 tensors in a loop leave nothing behind', () => {
    const before = memory();
    tidy(() => {
      let sum = tensor([0]);
      for (let i = 0; i < 100_000; i += 1) sum = tidy(() => sum.add(1).mul(1));
      expect(sum.item()).toBe(100_000);
    });
    expect(memory()).toEqual(before);
  });

  it('counts tensors, and the bytes of what they share once', () => {
    const before = memory();
    using whole = zeros([256]);
    using view = whole.view([16, 16]);
    expect(view.shape).toEqual([16, 16]);
    expect(memory().tensors - before.tensors).toBe(2);
    expect(memory().bytes - before.bytes).toBe(1024);
  });

  it('tidy lets through what is returned or kept, also from nested objects', () => {
    const before = memory().tensors;
    let kept: Tensor | undefined;
    const result = tidy(() => {
      kept = keep(tensor([1]));
      tensor([2]);
      return { list: [tensor([3])], map: new Map([['a', tidy(() => tensor([4]).add(1))]]) };
    });
    expect(memory().tensors - before).toBe(3);
    expect([kept?.item(), result.list[0]?.item(), result.map.get('a')?.item()]).toEqual([1, 3, 5]);
    for (const tensor of [kept, ...result.list, ...result.map.values()]) tensor?.dispose();
    expect(memory().tensors).toBe(before);
  });

  it('tidy frees everything when it throws', () => {
    const before = memory().tensors;
    expect(() =>
      tidy(() => {
        tensor([1]).matmul(zeros([2, 2]));
      }),
    ).toThrow(TorchError);
    expect(memory().tensors).toBe(before);
  });

  it('tidy refuses a promise, and says what to use', () => {
    expect(() => tidy(() => Promise.resolve())).toThrow(/tidyAsync/);
  });

  it('tidyAsync separates concurrent tasks across their awaits', async () => {
    const before = memory().tensors;
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    const task = (value: number) =>
      tidyAsync(async () => {
        const a = tensor([value]);
        await pause();
        const b = a.add(1);
        await pause();
        return b.add(a);
      });
    const results = await Promise.all([1, 2, 3].map(task));
    expect(results.map((result) => result.item())).toEqual([3, 5, 7]);
    expect(memory().tensors - before).toBe(3);
    for (const result of results) result.dispose();
  });

  it('using a disposed tensor is a typed error, disposing twice is harmless', () => {
    const gone = tensor([1, 2]);
    gone.dispose();
    gone.dispose();
    expect(gone.isDisposed).toBe(true);
    for (const use of [() => gone.add(1), () => gone.shape, () => gone.toArray(), () => gone.backward()]) {
      expect(use).toThrow(TensorDisposedError);
    }
    expect(String(gone)).toBe('Tensor(disposed)');
  });

  it('a stale handle never reaches the tensor that took its place', () => {
    const old = tensor([1]);
    const { handle } = old;
    old.dispose();
    using next = tensor([2]);
    expect(next.handle).not.toBe(handle);
    old.handle = handle;
    expect(() => old.item()).toThrow(TensorDisposedError);
  });
});

describe('errors of libtorch', () => {
  it('name the operation and the shapes', () => {
    tidy(() => {
      expect(() => zeros([2, 3]).matmul(zeros([2, 3]))).toThrow(
        /matmul\(Float \[2, 3\], Float \[2, 3\]\).*\(2x3 and 2x3\)/,
      );
      expect(() => zeros([2, 3]).view([5])).toThrow(TorchError);
      // a CUDA device finds it later, and is lost to the process then
      const kind = { device: 'cpu' };
      expect(() => zeros([2], kind).gather(0, arange(5, 8, 1, kind))).toThrow(/out of bounds/);
    });
  });

  it.each<[string, () => unknown]>([
    ['a text for a number', () => zeros([2]).sum('0' as unknown as number)],
    ['a broken size', () => zeros([1.5])],
    ['NaN as a size', () => zeros([Number.NaN])],
    ['a negative size', () => zeros([-1])],
    ['an impossible size', () => zeros([2 ** 40, 2 ** 40])],
    ['nothing for a tensor', () => zeros([2]).matmul({ handle: undefined } as unknown as Tensor)],
    ['an unknown device', () => zeros([1], { device: 'toaster' })],
    ['a device that is not there', () => zeros([1], { device: 'cuda:99' })],
  ])('%s is a typed error, never a crash', (_, act) => {
    tidy(() => expect(act).toThrow(TorchError));
  });

  it('an allocation that is too large is a typed error', () => {
    tidy(() => expect(() => zeros([2 ** 45])).toThrow(TorchError));
  });
});

describe('worker threads', () => {
  const addon = addonPath();
  const work = `
    const { parentPort, workerData } = require('node:worker_threads');
    const module_ = { exports: {} };
    process.dlopen(module_, workerData.addon);
    const native = module_.exports;
    const x = native.fromData(new Float32Array([workerData.value]), [1], 6, 'cpu');
    native.setRequiresGrad(x, true);
    let y = x;
    for (let i = 0; i < 1000; i += 1) y = native.add(y, x, 1);
    const done = native.backwardAsync(y, null, false);
    if (workerData.leave) process.exit(0);
    done.then(() => parentPort.postMessage([native.aliveTensors(), native.item(native.grad(x))]));
  `;
  const start = (workerData: object) => new Worker(work, { eval: true, workerData: { addon, ...workerData } });

  it('have separate tensors and work side by side', async () => {
    const before = memory().tensors;
    const results = await Promise.all(
      [1, 2, 3].map(
        (value) => new Promise((resolve, reject) => start({ value }).once('message', resolve).once('error', reject)),
      ),
    );
    expect(results).toEqual([
      [1001, 1001],
      [1001, 1001],
      [1001, 1001],
    ]);
    expect(memory().tensors).toBe(before);
  });

  it('may end while their native thread works', async () => {
    const codes = await Promise.all(
      Array.from(
        { length: 8 },
        (_, value) => new Promise((resolve) => start({ value, leave: true }).once('exit', resolve)),
      ),
    );
    expect(codes).toEqual(new Array(8).fill(0));
    using alive = tensor([1]);
    expect(alive.item()).toBe(1);
  });
});

it.each(['float32', 'float64', 'bfloat16', 'float16'] as const)(
  'xorBits_ of %s twice brings back the bits, unseen by autograd',
  (dtype) => {
    const weight = tensor([1, -2, 0.1, 3e-5], { dtype, requiresGrad: true });
    const before = weight.toArray();
    const bits = tensor([7, 0.3, -1, 1e4], { dtype });
    const output = weight.mul(weight).sum();
    weight.detach().xorBits_(bits);
    expect(weight.toArray()).not.toEqual(before);
    weight.detach().xorBits_(bits);
    expect(weight.toArray()).toEqual(before);
    output.backward();
    expect(weight.grad!.toArray()).toEqual(weight.detach().mul(2).toArray());
    expect(() => weight.detach().xorBits_(tensor([1, 2, 3, 4], { dtype: 'uint8' }))).toThrow('one dtype');
  },
);

it('memoryUse counts what is held and its peak, results that a graph keeps included', () => {
  const { bytes } = memoryUse();
  resetPeakMemory();
  const x = ones([1000], { requiresGrad: true });
  expect(memoryUse().bytes - bytes).toBe(4000);
  const output = tidy(() => x.exp().sum());
  // the exponentials are the graph's: no handle is left
  expect(memoryUse().bytes - bytes).toBe(8004);
  output.dispose();
  ones([5000]).dispose();
  expect(memoryUse().bytes - bytes).toBe(4000);
  expect(memoryUse().peak - bytes).toBeGreaterThanOrEqual(24000);
  x.dispose();
  expect(memoryUse().bytes).toBe(bytes);
});
