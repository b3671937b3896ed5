/** Calls that once crashed the process now throw an error, and the process continues. */
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load, SafetensorsFile, SafetensorsInvalidError, saveSync } from '../safetensors/index.js';
import { arange, ones, tensor } from '../tensor/creation.js';
import { Generator } from '../tensor/generator.js';
import { tidy, tidyAsync } from '../tensor/scope.js';
import { TensorArgumentError } from './errors.js';
import { native } from './load.js';
import { getNumThreads, setNumThreads } from './runtime.js';

let folder: string;
beforeAll(() => {
  setNumThreads(1);
  folder = mkdtempSync(join(tmpdir(), 'native-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FLOAT32 = 6;
const INT64 = 4;
/** An argument that TypeScript would not let through. */
const wrong = (value: unknown) => value as never;

describe('100,000 threads', () => {
  it.each([100_000, 2 ** 31, 0, -1, 1.5, Number.NaN])('or %d are refused and none is started', (count) => {
    expect(() => setNumThreads(count)).toThrow(TensorArgumentError);
    expect(getNumThreads()).toBe(1);
  });

  it('the error names the maximum', () => {
    expect(() => setNumThreads(100_000)).toThrow(`between 1 and ${native().mostThreads()}, not 100000`);
    expect(native().mostThreads()).toBeGreaterThanOrEqual(64);
  });
});

describe('a getter in a list', () => {
  function withGetter(list: readonly number[], at: number, get: () => unknown): number[] {
    return Object.defineProperty([...list], at, { get }) as number[];
  }

  it('that throws, throws through', () => {
    const thrown = new Error('from the getter');
    const shape = withGetter([2, 2], 1, () => {
      throw thrown;
    });
    expect(() => native().zeros(shape, FLOAT32, 'cpu')).toThrow(thrown);
  });

  it('that disposes an earlier entry leaves it alive for the call', () => {
    const addon = native();
    const [x, y] = [addon.ones([2], INT64, 'cpu'), addon.ones([2], INT64, 'cpu')];
    const tensors = withGetter([x, y], 1, () => {
      addon.dispose(x);
      for (let i = 0; i < 1000; i += 1) addon.dispose(addon.zeros([2], INT64, 'cpu'));
      return y;
    });
    expect(takeNumbers(addon.stack(tensors, 0))).toEqual([1n, 1n, 1n, 1n]);
    addon.dispose(y);
  });

  it('of a list that never ends is refused before it is read', () => {
    expect(() => native().zeros(new Array(2 ** 32 - 1), FLOAT32, 'cpu')).toThrow(/at most 1048576/);
    expect(() => native().zeros(new Array(65).fill(1), FLOAT32, 'cpu')).toThrow(/at most 64 dimensions/);
    expect(() => native().view(wrong(0), [2 ** 32, 2 ** 32])).toThrow(/too many elements/);
  });
});

describe('a weights file', () => {
  it('shortened while it is open is an error, and what was read from it stays', () => {
    tidy(() => {
      const path = join(folder, 'short.safetensors');
      saveSync(path, { a: ones([4]), b: ones([50_000]) });
      using file = new SafetensorsFile(path);
      const a = file.get('a');
      const all = load(path).get('b')!;
      truncateSync(path, 200);
      expect(() => file.get('b')).toThrow(SafetensorsInvalidError);
      expect(() => file.get('b')).toThrow(/was truncated/);
      expect(a.sum().item() + all.sum().item()).toBe(50_004);
    });
  });

  it('replaced under its name while it is open is still read as it was opened', () => {
    tidy(() => {
      const path = join(folder, 'replaced.safetensors');
      saveSync(path, { a: tensor([1, 2]) });
      using file = new SafetensorsFile(path);
      saveSync(path, { a: tensor([3, 4]) });
      expect(file.get('a').toNumbers()).toEqual([1, 2]);
    });
  });

  it('that is missing, a folder or a pipe is a typed error', () => {
    expect(() => new SafetensorsFile(join(folder, 'missing'))).toThrow(/no such file/);
    expect(() => new SafetensorsFile(folder)).toThrow(/not a regular file/);
  });

  it('with bytes other than 0 and 1 gives a mask of 0 and 1', () => {
    const path = join(folder, 'mask');
    writeFileSync(path, Uint8Array.of(0, 2, 255, 1));
    const descriptor = openSync(path, 'r');
    const addon = native();
    const handle = addon.readTensor(addon.openFile(descriptor), 0, [4], 11);
    closeSync(descriptor);
    const bytes = new Uint8Array(4);
    addon.copyTo(handle, bytes);
    addon.dispose(handle);
    expect([...bytes]).toEqual([0, 1, 1, 1]);
  });
});

describe('optimizers', () => {
  it.each<[string, (a: ReturnType<typeof native>, x: number, y: number) => void]>([
    ['fewer states than parameters', (a, x) => a.adamStep([x], [], [], [1], 1, 0, 0, 1, 0, true)],
    ['more steps than parameters', (a, x, y) => a.adamStep([x], [y], [y], [1, 2, 3], 1, 0, 0, 1, 0, true)],
    [
      'a state of the wrong size',
      (a, x, y) => a.adamStep([x], [a.zeros([1], 6, 'cpu')], [y], [1], 1, 0, 0, 1, 0, false),
    ],
    ['a momentum that is missing', (a, x) => a.sgdStep([x], [], 1, 0.9, 0, 0, false, false)],
    ['a vector for Muon', (a, x, y) => a.muonStep([x], [y], 1, 0.9, 0, true, false, false)],
    [
      'an expanded parameter',
      (a, _, y) => a.sgdStep([a.expand(a.zeros([1], 6, 'cpu'), [9])], [y], 1, 0, 0, 0, false, true),
    ],
    ['a gradient of the wrong shape', (a, x) => a.setGrad(x, a.zeros([7], 6, 'cpu'))],
    ['a tensor as its own gradient', (a, x) => a.setGrad(x, x)],
  ])('refuse %s', (_, step) => {
    const addon = native();
    const [x, y] = [addon.zeros([3], FLOAT32, 'cpu'), addon.zeros([3], FLOAT32, 'cpu')];
    addon.setGrad(x, addon.ones([3], FLOAT32, 'cpu'));
    expect(() => step(addon, x, y)).toThrow(TensorArgumentError);
  });

  it('wait for a backward pass that was not awaited', async () => {
    await tidyAsync(async () => {
      const x = ones([64, 64]).requiresGrad_();
      for (let i = 0; i < 20; i += 1) {
        const running = tidy(() => x.matmul(x).matmul(x).sum()).backwardAsync();
        native().zeroGrads([x.handle], i % 2 === 0);
        native().clipGradNorm([x.handle], 1);
        await running;
      }
      expect(x.grad?.shape).toEqual([64, 64]);
    });
  });
});

describe('numbers that the processor or libtorch cannot handle', () => {
  it('the smallest integer divided by -1 wraps around', () => {
    tidy(() => {
      const smallest = tensor([-(2n ** 63n), 7n, -7n]);
      const addon = native();
      const quotient = takeNumbers(addon.floorDivideScalar(smallest.handle, -1));
      expect(quotient).toEqual([-(2n ** 63n), -7n, 7n]);
      const by = tensor([-1n, -1n, 2n]);
      expect(takeNumbers(addon.floorDivide(smallest.handle, by.handle))).toEqual([-(2n ** 63n), -7n, -4n]);
      expect(takeNumbers(addon.remainder(smallest.handle, by.handle))).toEqual([0n, 0n, 1n]);
      expect(takeNumbers(addon.remainderScalar(smallest.handle, -1))).toEqual([0n, 0n, 0n]);
    });
  });

  it('a state of a generator that leads past its numbers is refused', () => {
    tidy(() => {
      const generator = new Generator(1);
      const bytes = generator.getState().toArray() as Uint8Array;
      const view = new DataView(bytes.buffer);
      // `left` and `next`, each within its own bounds
      view.setInt32(8, 624, true);
      view.setBigUint64(16, 624n, true);
      expect(() => generator.setState(tensor(bytes))).toThrow(/damaged/);
    });
  });

  it.each([-1, 1, 2, 12, 127, 1000, 2 ** 40])('the dtype number %d is refused', (dtype) => {
    expect(() => native().zeros([1], dtype, 'cpu')).toThrow(/number of a dtype/);
  });

  it.each(['meta', 'cpu:7', 'cuda:99', 'cuda:x', 'mps', ''])('the device "%s" is refused', (device) => {
    expect(() => native().zeros([1], FLOAT32, device)).toThrow(TensorArgumentError);
  });

  it('a generator is not taken for a file, nor another reduction for a known one', () => {
    const addon = native();
    expect(() => addon.readTensor(wrong(addon.newGenerator('cpu')), 0, [1], FLOAT32)).toThrow(TensorArgumentError);
    expect(() => addon.setErrorFactory(wrong({}))).toThrow(TensorArgumentError);
    tidy(() => {
      const x = arange(3, undefined, 1, { dtype: 'float32' });
      expect(() => addon.mseLoss(x.handle, x.handle, 7)).toThrow(/reduction/);
    });
  });
});

function takeNumbers(handle: number): bigint[] {
  const addon = native();
  const numbers = new BigInt64Array((addon.shape(handle) as number[]).reduce((count, size) => count * size, 1));
  expect(addon.dtype(handle)).toBe(INT64);
  addon.copyTo(handle, numbers);
  addon.dispose(handle);
  return [...numbers];
}
