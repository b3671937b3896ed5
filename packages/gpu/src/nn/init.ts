/** Initial values, written in place. Formulas are those of `torch.nn.init`. */
import { noGrad } from '../autograd/grad-mode.js';
import { TensorArgumentError } from '../native/errors.js';
import type { Generator } from '../tensor/generator.js';
import type { Tensor } from '../tensor/tensor.js';

type MaybeGenerator = { generator?: Generator | undefined };

export function uniform_<T extends Tensor>(tensor: T, low = 0, high = 1, { generator }: MaybeGenerator = {}): T {
  return noGrad(() => tensor.uniform_(low, high, generator ?? null));
}

export function normal_<T extends Tensor>(tensor: T, mean = 0, std = 1, { generator }: MaybeGenerator = {}): T {
  return noGrad(() => tensor.normal_(mean, std, generator ?? null));
}

export function constant_<T extends Tensor>(tensor: T, value: number): T {
  return noGrad(() => tensor.fill_(value));
}

export function zeros_<T extends Tensor>(tensor: T): T {
  return constant_(tensor, 0);
}

export function ones_<T extends Tensor>(tensor: T): T {
  return constant_(tensor, 1);
}

/** Inputs and outputs per unit of a weight [out, in, ...kernel]. */
export function fans(tensor: Tensor): { fanIn: number; fanOut: number } {
  const [out = 1, input = 1, ...kernel] = tensor.shape;
  if (tensor.ndim < 2)
    throw new TensorArgumentError('fans', `expected two or more dimensions, got [${tensor.shape.join(', ')}]`);
  const field = kernel.reduce((count, size) => count * size, 1);
  return { fanIn: input * field, fanOut: out * field };
}

/**
 * Uniform in ±gain · sqrt(3 / fanIn) with gain sqrt(2 / (1 + a²)): He et al., arXiv 1502.01852. The default `a` is
 * what PyTorch's layers use; it gives ±1 / sqrt(fanIn).
 */
export function kaimingUniform_<T extends Tensor>(
  tensor: T,
  { a = Math.sqrt(5), generator }: MaybeGenerator & { a?: number } = {},
): T {
  const bound = Math.sqrt(2 / (1 + a * a)) * Math.sqrt(3 / fans(tensor).fanIn);
  return uniform_(tensor, -bound, bound, { generator });
}

/** Uniform in ±gain · sqrt(6 / (fanIn + fanOut)): Glorot and Bengio 2010. */
export function xavierUniform_<T extends Tensor>(
  tensor: T,
  { gain = 1, generator }: MaybeGenerator & { gain?: number } = {},
): T {
  const { fanIn, fanOut } = fans(tensor);
  const bound = gain * Math.sqrt(6 / (fanIn + fanOut));
  return uniform_(tensor, -bound, bound, { generator });
}
