/** Sums of gradients over processes, in buckets of one dtype: few large messages, and bounded memory. */
import { cat, type Parameter, type ProcessGroup, tensor, tidyAsync, zerosLike } from '@vlgym/gpu';

/** Elements of one message: 25 MB in float32, as of PyTorch's DistributedDataParallel. */
const BUCKET = 6_553_600;

/**
 * Replaces every gradient by `factor` times its sum over all ranks; equal bytes on every rank.
 *
 * A parameter that has a gradient on some ranks only counts as zero on the others. One that has none anywhere keeps none,
 * so that the optimizer passes it over as it does in one process.
 */
export async function sumGradients(
  group: ProcessGroup,
  parameters: readonly Parameter[],
  factor: number,
): Promise<void> {
  for (const bucket of buckets(await withGradients(group, parameters))) {
    await tidyAsync(async () => {
      for (const parameter of bucket) parameter.grad ??= zerosLike(parameter);
      const flat = cat(bucket.map((parameter) => parameter.grad!.reshape([-1])));
      // Gloo sums in memory of the CPU; sums of half precision would lose what small gradients add
      const sum = flat.to({ device: 'cpu', dtype: flat.dtype === 'float64' ? 'float64' : 'float32' });
      await group.allReduce(sum);
      if (factor !== 1) sum.mul_(factor);
      let start = 0;
      for (const parameter of bucket) {
        parameter.grad!.reshape([-1]).copy_(sum.narrow(0, start, parameter.numel));
        start += parameter.numel;
      }
    });
  }
}

/** Those that have a gradient on any rank. */
async function withGradients(group: ProcessGroup, parameters: readonly Parameter[]): Promise<Parameter[]> {
  return tidyAsync(async () => {
    const counts = tensor(parameters.map(({ grad }) => (grad === null ? 0 : 1)));
    await group.allReduce(counts);
    const numbers = counts.toNumbers();
    return parameters.filter((_, index) => numbers[index]! > 0);
  });
}

/** Consecutive parameters of one dtype, at least one and up to `BUCKET` elements. */
function buckets(parameters: readonly Parameter[]): Parameter[][] {
  const result: Parameter[][] = [];
  let size = 0;
  for (const parameter of parameters) {
    const last = result.at(-1);
    const fits = last && last[0]!.dtype === parameter.dtype && size + parameter.numel <= BUCKET;
    if (fits) last.push(parameter);
    else result.push([parameter]);
    size = (fits ? size : 0) + parameter.numel;
  }
  return result;
}
