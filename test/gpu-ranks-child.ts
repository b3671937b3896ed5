/** One rank of a group: sums gradients and shards an optimizer; prints what came out as one line of JSON. `tsx gpu-ranks-child.ts` */
import {
  clipGradNorm_,
  Generator,
  isTensor,
  optim,
  Parameter,
  randn,
  setNumThreads,
  type Tensor,
  tensor,
  tidy,
} from '@vlgym/gpu';
import { GradientBuckets, ProcessGroup, processGroupFromEnvironment } from '@vlgym/gpu/distributed';

setNumThreads(1);
const options = processGroupFromEnvironment()!;
const group = await ProcessGroup.connect({ ...options, timeout: 60 });
const { rank, size } = group;

type DType = 'float32' | 'float64';
const SIZES = [1000, 3, 130, 257] as const;

function parametersOf(dtype: DType): Parameter[] {
  const generator = new Generator(1);
  return tidy(() => SIZES.map((elements) => new Parameter(randn([elements], { generator, dtype }))));
}

/** A loss in which every parameter has its own gradient for every sample. */
const lossOf = (parameters: readonly Parameter[], sample: number): Tensor =>
  parameters
    .map((each, index) =>
      each
        .mul(sample + 1 + index / 7)
        .sin()
        .sum(),
    )
    .reduce((sum, each) => sum.add(each));

const gradients = (parameters: readonly Parameter[]) => parameters.map(({ grad }) => grad?.toNumbers() ?? null);
const clear = (parameters: readonly Parameter[]) => {
  for (const parameter of parameters) parameter.grad = null;
};
const backward = (loss: () => Tensor) => tidy(() => loss().backward());

function farthest(actual: (number[] | null)[], wanted: (number[] | null)[]): number {
  return Math.max(
    ...actual.flatMap((values, index) => values!.map((value, i) => Math.abs(value - wanted[index]![i]!))),
  );
}

/** Samples 0 … 3 in two micro-batches per rank, beside all of them in this process. */
async function sums(dtype: DType) {
  const parameters = parametersOf(dtype);
  for (let sample = 0; sample < 4; sample++) backward(() => lossOf(parameters, sample));
  const whole = gradients(parameters);
  const buckets = new GradientBuckets(group, parameters, { bytes: 2100, firstBytes: 1100 });
  const distances: number[] = [];
  for (let step = 0; step < 3; step++) {
    clear(parameters);
    backward(() => lossOf(parameters, rank));
    buckets.arm();
    backward(() => lossOf(parameters, rank + size));
    await buckets.sum(1);
    distances.push(farthest(gradients(parameters), whole));
  }
  const { counts } = buckets;
  buckets.dispose();
  return { distance: Math.max(...distances), counts };
}

/** The first parameter has a gradient nowhere, the second on the last rank alone. */
async function unused() {
  const parameters = parametersOf('float64');
  const [, second, third, fourth] = parameters as [Parameter, Parameter, Parameter, Parameter];
  const buckets = new GradientBuckets(group, parameters);
  for (let step = 0; step < 2; step++) {
    clear(parameters);
    buckets.arm();
    backward(() => lossOf(rank === size - 1 ? [second, third, fourth] : [third, fourth], 0));
    await buckets.sum(1);
  }
  const found = gradients(parameters);
  buckets.dispose();
  return { first: found[0], second: found[1] };
}

/** Another backward pass after the buckets have left, on one rank. */
async function late() {
  const parameters = parametersOf('float64');
  backward(() => lossOf(parameters, 0).add(lossOf(parameters, 1)).add(lossOf(parameters, 2)));
  const whole = gradients(parameters);
  const buckets = new GradientBuckets(group, parameters);
  const distances: number[] = [];
  for (let step = 0; step < 2; step++) {
    clear(parameters);
    buckets.arm();
    backward(() => lossOf(parameters, rank));
    if (rank === 0) backward(() => lossOf(parameters, 2));
    await buckets.sum(1);
    distances.push(farthest(gradients(parameters), whole));
  }
  const { counts } = buckets;
  buckets.dispose();
  return { distance: Math.max(...distances), counts };
}

async function notFinite() {
  const [parameter] = parametersOf('float32') as [Parameter];
  const buckets = new GradientBuckets(group, [parameter]);
  backward(() => parameter.mul(rank === 1 ? Number.NaN : 1).sum());
  await buckets.sum(1);
  buckets.dispose();
  try {
    clipGradNorm_([parameter], 1, { errorIfNonFinite: true });
    return 'stepped';
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const adam = (parts: readonly { readonly params: readonly Parameter[] }[]) => new optim.AdamW(parts, { lr: 0.01 });
const numbersOf = (parameters: readonly Parameter[]) => parameters.map((each) => each.toNumbers());
const stateOf = ({ steps, tensors }: optim.OptimizerState) => ({
  steps,
  tensors: Object.fromEntries([...tensors].map(([name, each]) => [name, (each as Tensor).toNumbers()])),
});

/** The same steps with the whole optimizer and with a part of it per rank; the state goes both ways in the middle. */
async function sharded(dtype: DType) {
  const [plain, parted] = [parametersOf(dtype), parametersOf(dtype)];
  const groupsOf = ([first, ...others]: Parameter[]) => [{ params: [first!] }, { params: others }];
  const whole = adam(groupsOf(plain));
  let parts = new optim.ShardedOptimizer(group, groupsOf(parted), adam);
  const step = async (index: number) => {
    for (const parameters of [plain, parted]) {
      // one of them has fewer updates than the others
      backward(() => lossOf(index === 1 ? parameters.slice(1) : parameters, index));
    }
    whole.step();
    whole.zeroGrad();
    await parts.step();
    parts.zeroGrad();
  };
  for (let index = 0; index < 3; index++) await step(index);
  const gathered = await parts.gatherState();
  const [mine, theirs] = [stateOf(whole.stateDict()), gathered && stateOf(gathered)];
  // a state that one process wrote
  parts.close();
  parts = new optim.ShardedOptimizer(group, groupsOf(parted), adam);
  parts.loadStateDict(whole.stateDict());
  for (let index = 3; index < 5; index++) await step(index);
  const equal = JSON.stringify(numbersOf(plain)) === JSON.stringify(numbersOf(parted));
  parts.close();
  for (const each of gathered?.tensors.values() ?? []) if (isTensor(each)) each.dispose();
  return { equal, stateEqual: rank > 0 ? gathered === undefined : JSON.stringify(mine) === JSON.stringify(theirs) };
}

/** The last rank does not take part. */
async function stopped() {
  const short = await ProcessGroup.connect({ ...options, hostsStore: false, name: 'short/0', timeout: 1 });
  const sum = tensor([1]);
  const begin = performance.now();
  const code = rank === size - 1 ? undefined : await short.allReduce(sum).catch((error) => error.code);
  const seconds = (performance.now() - begin) / 1000;
  await group.barrier();
  return { code, seconds };
}

const outcome = {
  rank,
  float32: await sums('float32'),
  float64: await sums('float64'),
  unused: await unused(),
  late: await late(),
  notFinite: await notFinite(),
  sharded: { float32: await sharded('float32'), float64: await sharded('float64') },
  stopped: await stopped(),
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
await group.close();
