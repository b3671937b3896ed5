/** The least time that the work of an update takes: operations at the rate of a large product, bytes at that of a copy. */
import { type DType, rand, synchronize, tidy, zeros } from '@vlgym/gpu';
import type { VlmPolicy } from '@vlgym/models';
import type { Phase, Volume, Work } from './phases.js';

export interface Machine {
  /** Floating-point operations per second of a product in this dtype. */
  readonly operations: number;
  /** Bytes read and written per second by a copy. */
  readonly bytes: number;
}

/** The best of several. */
export function measureMachine(device: string, dtype: DType): Machine {
  const isCpu = device === 'cpu';
  const size = isCpu ? 1024 : 8192;
  const bytes = isCpu ? 2 ** 26 : 2 ** 30;
  return tidy(() => {
    const [a, b] = [0, 1].map(() => rand([size, size], { device }).to(dtype)) as [
      ReturnType<typeof rand>,
      ReturnType<typeof rand>,
    ];
    const [from, to] = [0, 1].map(() => zeros([bytes], { device, dtype: 'uint8' })) as [typeof a, typeof a];
    const fastest = (work: () => void) => {
      const times = Array.from({ length: 6 }, () => {
        if (!isCpu) synchronize(device);
        const start = performance.now();
        tidy(work);
        if (!isCpu) synchronize(device);
        return (performance.now() - start) / 1000;
      });
      return Math.min(...times);
    };
    return {
      operations: (2 * size ** 3) / fastest(() => void a.matmul(b)),
      bytes: (2 * bytes) / fastest(() => void to.copy_(from)),
    };
  });
}

export interface Shape {
  /** Numbers in the matrices of the decoder, of its adapters, of the output layer, and of the vision encoder. */
  readonly decoder: number;
  readonly adapters: number;
  readonly output: number;
  readonly vision: number;
  /** Layers times width of all queries, and of all keys. */
  readonly queries: number;
  readonly keys: number;
  readonly bytesPerNumber: number;
  readonly patchesPerPicture: number;
}

export function shapeOf(policy: VlmPolicy, patchesPerPicture: number, bytesPerNumber: number): Shape {
  const shape = { decoder: 0, adapters: 0, output: 0, vision: 0, queries: 0, keys: 0 };
  for (const [name, { numel, shape: sizes }] of policy.model.namedParameters()) {
    if (sizes.length < 2 || name.includes('value_head')) continue;
    if (/lora_[AB]/.test(name)) shape.adapters += numel;
    else if (/visual|vision/.test(name)) shape.vision += numel;
    else if (/lm_head|embed_tokens/.test(name)) shape.output = numel;
    else shape.decoder += numel;
  }
  const { config } = (policy.model as unknown as { language: { config: Record<string, number> } }).language;
  const { numHiddenLayers = 0, numAttentionHeads = 1, numKeyValueHeads = 1, hiddenSize = 0 } = config;
  const { headDim = hiddenSize / numAttentionHeads } = config;
  shape.queries = numHiddenLayers * numAttentionHeads * headDim;
  shape.keys = numHiddenLayers * numKeyValueHeads * headDim;
  return { ...shape, bytesPerNumber, patchesPerPicture };
}

/** Seconds of each phase at the machine's limit. What is computed twice (activations) counts once. */
export function leastSeconds(work: Work, shape: Shape, machine: Machine): Record<Phase, number> {
  const { decoder, adapters, output, vision, queries, keys, bytesPerNumber } = shape;
  const forward = ({ tokens, squares, responses }: Volume, factor = 1) =>
    factor * (2 * (decoder + adapters) * tokens + 2 * queries * squares + 2 * output * responses);
  const rows = work.decodingSteps > 0 ? work.sampledTokens / work.decodingSteps : 0;
  const context = work.prefill.responses > 0 ? work.prefill.tokens / work.prefill.responses : 0;
  // all weights once per step, and the keys and values of every row
  const decodingBytes =
    work.decodingSteps *
    ((decoder + output) * bytesPerNumber + 4 * adapters + rows * context * 2 * keys * bytesPerNumber);
  const decoding = Math.max(
    decodingBytes / machine.bytes,
    (2 * (decoder + adapters + output) * work.sampledTokens) / machine.operations,
  );
  // frozen weights have no gradient: one more pass for inputs; two for factors
  const gradients = forward(work.gradients, 2) + 2 * adapters * work.gradients.tokens;
  return {
    pictures: (2 * vision * shape.patchesPerPicture * work.pictures) / machine.operations,
    prefill: forward(work.prefill) / machine.operations,
    decoding,
    old: forward(work.old) / machine.operations,
    reference: forward(work.reference) / machine.operations,
    gradients: gradients / machine.operations,
    // Adam reads weight, gradient and two moments, and writes three of them
    optimizer: (7 * 4 * adapters * work.optimizerSteps) / machine.bytes,
    critic: 0,
  };
}
