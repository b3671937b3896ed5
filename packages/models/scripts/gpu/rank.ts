/**
 * One process of `checks/nccl.ts`: trains a small network by hand, and the policy of the `tiny` preset, on its share of a
 * batch, and writes gradients and weights to a file.
 */

import { type DType, Generator, nn, optim, safetensors, type Tensor, tensor, tidy } from '@vlgym/gpu';
import { GradientBuckets, ProcessGroup, type ProcessGroupOptions } from '@vlgym/gpu/distributed';
import { createPolicy, type VlmPolicy } from '@vlgym/models';
import { sftLoss } from '@vlgym/rl/losses';

export interface RankOptions {
  readonly device: string;
  readonly dtype: Extract<DType, 'float32' | 'float64' | 'bfloat16'>;
  readonly steps: number;
  /** The file for gradients and weights. */
  readonly file: string;
  /** Undefined: one process, with the whole batch. */
  readonly group: ProcessGroupOptions | undefined;
}

export interface RankReport {
  readonly collectives: Readonly<Record<string, boolean>>;
  /** Messages with gradients of the policy: all of a step, those that left during backward passes, those sent twice. */
  readonly messages?: { readonly buckets: number; readonly early: number; readonly again: number };
}

const ROWS = 8;
const TEXTS = ['left', 'right, then forward', 'to the box and back', 'nowhere'];

export async function runRank(options: RankOptions): Promise<RankReport> {
  const group = options.group && (await ProcessGroup.connect(options.group));
  try {
    const collectives = group ? await tryCollectives(group, options.device) : {};
    const found = new Map<string, Tensor>();
    await trainNetwork(options, group, found);
    let messages: RankReport['messages'];
    // steps of Adam in bfloat16 are as large as what they change
    const kinds = options.dtype === 'bfloat16' ? [] : [false, true];
    for (const shardOptimizer of kinds) {
      messages = await trainPolicy(options, group, shardOptimizer, found);
    }
    await safetensors.save(options.file, found);
    return { collectives, ...(messages && { messages }) };
  } finally {
    await group?.close();
  }
}

/** Every call with every dtype, on the device where the group takes it there. */
async function tryCollectives(group: ProcessGroup, device: string): Promise<Record<string, boolean>> {
  const { rank, size } = group;
  const place = group.backend === 'nccl' ? device : 'cpu';
  const ranks = Array.from({ length: size }, (_, i) => i);
  const total = ranks.reduce((sum, each) => sum + each + 1, 0);
  const results: Record<string, boolean> = {};
  for (const dtype of ['float32', 'float64', 'bfloat16', 'float16', 'int64', 'uint8'] as const) {
    const make = () => tensor([rank + 1, 2 * (rank + 1)], { dtype, device: place });
    const sum = make();
    await group.allReduce(sum);
    const same = make();
    await group.broadcast(same, size - 1);
    const all = await group.allGather(make());
    const isEqual = (x: Tensor, expected: readonly number[]) => x.toNumbers().join() === expected.join();
    results[`allReduce ${dtype}`] = isEqual(sum, [total, 2 * total]);
    results[`broadcast ${dtype}`] = isEqual(same, [size, 2 * size]);
    results[`allGather ${dtype}`] = all.every((x, i) => isEqual(x, [i + 1, 2 * (i + 1)]));
  }
  await group.barrier();
  return results;
}

/** Gradients and weights of each step of plain descent; several buckets, one of them of a parameter without a gradient. */
async function trainNetwork(
  { device, dtype, steps }: RankOptions,
  group: ProcessGroup | undefined,
  found: Map<string, Tensor>,
): Promise<void> {
  const kind = { dtype, device };
  const generator = new Generator(1);
  // drawn on the CPU, so that all processes have equal numbers
  const layers = [
    [16, 64],
    [64, 64],
    [64, 4],
  ].map(([from, to]) => new nn.Linear(from!, to!, { generator }).to(kind));
  const unused = new nn.Linear(4, 4, { generator }).to(kind);
  const parameters = [...layers, unused].flatMap((layer) => [...layer.parameters()]);
  const buckets = group && new GradientBuckets(group, parameters, { bytes: 4096, firstBytes: 256 });
  const optimizer = new optim.SGD(parameters, { lr: 0.1, momentum: 0.9 });
  const numbers = Float64Array.from({ length: ROWS * 20 }, (_, i) => Math.sin(1.7 * i));
  const { rank = 0, size = 1 } = group ?? {};
  const share = ROWS / size;
  for (let step = 0; step < steps; step += 1) {
    buckets?.arm();
    tidy(() => {
      const rows = tensor(numbers, { shape: [ROWS, 20] })
        .to(kind)
        .narrow(0, rank * share, share);
      let x = rows.narrow(1, 0, 16);
      for (const [i, layer] of layers.entries()) x = i === 0 ? layer.forward(x) : layer.forward(x.tanh());
      x.sub(rows.narrow(1, 16, 4))
        .square()
        .sum()
        .div(ROWS)
        .backward();
    });
    await buckets?.sum(1);
    for (const [i, { grad }] of parameters.entries()) {
      if (grad) found.set(`network.${step}.gradient.${i}`, grad.detach().clone().to({ device: 'cpu' }));
    }
    optimizer.step();
    optimizer.zeroGrad();
    for (const [i, parameter] of parameters.entries()) {
      found.set(`network.${step}.weight.${i}`, parameter.detach().clone().to({ device: 'cpu' }));
    }
  }
  buckets?.dispose();
}

/** Weights after the steps; one process reads the whole batch at once, several a part of it each. */
async function trainPolicy(
  { device, dtype, steps }: RankOptions,
  group: ProcessGroup | undefined,
  shardOptimizer: boolean,
  found: Map<string, Tensor>,
): Promise<RankReport['messages']> {
  const policy: VlmPolicy = await createPolicy({ preset: 'tiny', seed: 3, dtype, device, group, shardOptimizer });
  try {
    const sequences = TEXTS.map((text) => ({
      input: policy.encode([{ role: 'user', content: `Where to go from here? ${text}` }]),
      responseIds: policy.encodeResponse(`{"action": "${text}"}`).ids,
    }));
    const tokens = sequences.reduce((sum, { responseIds }) => sum + responseIds.length, 0);
    const parts = group?.size ?? 1;
    for (let step = 0; step < steps; step += 1) {
      for (let part = 0; part < parts; part += 1) {
        const own = sequences.slice((part * sequences.length) / parts, ((part + 1) * sequences.length) / parts);
        const length = Math.max(...own.map(({ responseIds }) => responseIds.length));
        const mask = own.flatMap(({ responseIds }) =>
          Array.from({ length }, (_, i) => (i < responseIds.length ? 1 : 0)),
        );
        await policy.accumulate(
          own,
          ({ logProbs, values }) => {
            const critic = values.mul(values).sum().div(sequences.length);
            return sftLoss(logProbs, mask, tokens).add(critic);
          },
          { remaining: parts - 1 - part },
        );
      }
      await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
    }
    const name = shardOptimizer ? 'sharded' : 'policy';
    for (const [key, weight] of policy.model.stateDict()) {
      found.set(`${name}.weight.${key}`, weight.detach().clone().to({ device: 'cpu' }));
    }
    return 'gradientMessages' in policy ? (policy.gradientMessages as RankReport['messages']) : undefined;
  } finally {
    policy.close();
  }
}
