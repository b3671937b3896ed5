/** Operations that are computed again in memory that stays: by a graph of CUDA, or on a CPU by the operations themselves. */
import { describe, expect, it } from 'vitest';
import { tensor } from '../tensor/creation.js';
import { getDefaultDevice } from '../tensor/default-device.js';
import { keepAll, memory, tidy } from '../tensor/scope.js';
import { CudaGraph } from './cuda-graph.js';
import { TorchError } from './errors.js';

const device = getDefaultDevice();

describe('CudaGraph', () => {
  it('computes from what its inputs hold at each call, and gives back its memory', () =>
    tidy(() => {
      const input = tensor([1, 2, 3]);
      const before = memory().tensors;
      const graph = new CudaGraph(device, () => input.mul(2).add(1).cumsum(0));
      expect(memory().tensors).toBe(before + 1);
      expect(graph.replay().toNumbers()).toEqual([3, 8, 15]);
      input.copy_(tensor([0, 5, -1]));
      expect(graph.replay().toNumbers()).toEqual([1, 12, 11]);
      graph.dispose();
      expect(memory().tensors).toBe(before + 1);
    }));

  it('passes on what the operations throw, and the device goes on', () =>
    tidy(() => {
      const input = tensor([1, 2]);
      const failing = () => {
        if (input.numel > 1) throw new RangeError('no');
        return input;
      };
      expect(() => new CudaGraph(device, failing)).toThrow(RangeError);
      expect(() => new CudaGraph(device, () => input.matmul(tensor([[1, 2, 3]])))).toThrow(TorchError);
      expect(input.add(1).toNumbers()).toEqual([2, 3]);
    }));
});

it('keepAll keeps what is made inside of other objects until dispose, and nothing if the function throws', () =>
  tidy(() => {
    const before = memory().tensors;
    const { result, dispose } = keepAll(() => {
      const inner = tensor([1]);
      return { read: () => inner.add(1).item() };
    });
    tidy(() => expect(result.read()).toBe(2));
    expect(memory().tensors).toBe(before + 1);
    dispose();
    expect(memory().tensors).toBe(before);
    const failing = () => {
      tensor([1, 2]);
      throw new RangeError('no');
    };
    expect(() => keepAll(failing)).toThrow(RangeError);
    expect(memory().tensors).toBe(before);
  }));
