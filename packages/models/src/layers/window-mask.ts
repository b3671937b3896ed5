/** Attention to the tokens right before, by layer (sliding window, arXiv 2004.05150). */
import { arange, type Tensor, zeros } from '@vlgym/gpu';

/**
 * The mask of a layer in which a token attends to `window` tokens, itself included. Columns of the cache stand in the order of
 * the tokens, so that their distance is that of the positions.
 *
 * @param mask  The mask of all layers, [B or 1, 1, queries, keys]; null: every token attends to itself and to all before it.
 * @param x     [B, queries, D], for its length, dtype and device.
 * @param past  Tokens in the cache.
 * @returns     [B or 1, 1, queries, past + queries], or `mask` where the window is not shorter than that.
 */
export function windowMask(mask: Tensor | null, x: Tensor, past: number, window: number): Tensor | null {
  const queries = x.size(1);
  const keys = past + queries;
  if (keys <= window) return mask;
  const { dtype, device } = x;
  const columns = arange(0, keys, 1, { dtype: 'int64', device });
  const key = columns.view([1, 1, 1, keys]);
  const query = columns.narrow(0, past, queries).view([1, 1, queries, 1]);
  const isFar = key.le(query.sub(window));
  const isHidden = mask ? isFar : isFar.logicalOr(key.gt(query));
  const own = zeros([1, 1, queries, keys], { dtype, device }).maskedFill(isHidden, Number.NEGATIVE_INFINITY);
  return mask ? mask.add(own) : own;
}
