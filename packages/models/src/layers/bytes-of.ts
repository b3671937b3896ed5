import type { Tensor } from '@vlgym/gpu';

const BYTES_PER_ENTRY: Readonly<Record<string, number>> = { float64: 8, float32: 4 };

/** Memory of a tensor of numbers. */
export function bytesOf({ numel, dtype }: Pick<Tensor, 'numel' | 'dtype'>): number {
  return numel * (BYTES_PER_ENTRY[dtype] ?? 2);
}
