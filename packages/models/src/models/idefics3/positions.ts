/**
 * Positions of the patches of a tile in the table of the vision encoder, whose grid may have another number of patches per
 * side: each patch has a coordinate from 0 to 1, and takes the entry in whose interval it falls.
 *
 * Coordinates and borders are computed in float32, as published (`Idefics3VisionEmbeddings` of huggingface/transformers).
 * Both are rounded, so that a patch may take the entry before its own.
 */
import { arange, type DType, type Tensor, tensor, tidy } from '@vlgym/gpu';

/** The entry of the table, 0 to `entries` - 1, of each of `patches` patches along one axis. */
function axisPositions(patches: number, entries: number, dtype: DType): number[] {
  const { fround } = Math;
  const step = fround(1 / patches);
  const last = fround(1 - 1e-6);
  const coordinates = Float64Array.from({ length: patches }, (_, i) => Math.min(fround(i * step), last));
  const rounded = tidy(() => tensor(coordinates, { dtype: 'float64', device: 'cpu' }).to(dtype).toNumbers());
  const borders =
    entries === 1
      ? []
      : tidy(() => arange(1 / entries, 1, 1 / entries, { dtype: 'float32', device: 'cpu' }).toNumbers());
  return rounded.map((coordinate) => borders.filter((border) => border <= coordinate).length);
}

/** int64 [patches per side ^ 2] */
export function tilePositions(
  patches: number,
  entries: number,
  { dtype, device }: { readonly dtype: DType; readonly device: string },
): Tensor {
  const axis = axisPositions(patches, entries, dtype);
  const places = axis.flatMap((row) => axis.map((column) => row * entries + column));
  return tensor(Int32Array.from(places), { dtype: 'int64', device });
}
