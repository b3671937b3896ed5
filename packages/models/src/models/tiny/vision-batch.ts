/** Pictures of a batch as the vision encoder takes them: patches side by side, positions as angles, smaller ones padded. */
import type { Image } from '@vlgym/core';
import type { DType, Tensor } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';
import { angleDtype, frequencies, rotary } from '../../layers/rotary.js';
import type { TinyConfig } from './config.js';
import type { VisionBatch } from './vision-encoder.js';

/** Base of the rotary frequencies of rows and columns, the same in the whole Qwen-VL family. */
const ROPE_BASE = 10_000;

type Floats = (data: Float32Array | Float64Array, shape: readonly number[], dtype?: DType) => Tensor;

/** @param floats  Makes a tensor in the dtype of the model, or another, on its device. */
export function visionBatch(
  pictures: readonly Image[],
  processor: ImageProcessor,
  vision: TinyConfig['vision'],
  floats: Floats,
  dtype: DType,
): VisionBatch {
  const { patchLength } = processor;
  const grids = pictures.map((image) => processor.grid(image));
  // the largest picture has this many; the others are padded to it
  const patches = Math.max(...grids.map(({ rows, columns }) => rows * columns));
  const pixels = processor.room(pictures.length * patches * patchLength);
  for (const [i, image] of pictures.entries()) processor.write(image, pixels, i * patches * patchLength);

  const isUniform = grids.every(({ rows, columns }) => rows === grids[0]!.rows && columns === grids[0]!.columns);
  // pictures of one size share one row of positions
  const distinct = isUniform ? grids.slice(0, 1) : grids;
  const speeds = frequencies(vision.hiddenSize / vision.numHeads / 2, ROPE_BASE);
  const angles = new Float64Array(distinct.length * patches * 2 * speeds.length);
  const entries = vision.numPositionEmbeddings;
  const resampling = new Float64Array(distinct.length * patches * entries);
  const mask = new Float32Array(distinct.length * patches).fill(Number.NEGATIVE_INFINITY);
  for (const [i, grid] of distinct.entries()) {
    const positions = processor.positions(grid);
    mask.fill(0, i * patches, i * patches + positions.length / 2);
    for (const [j, place] of positions.entries())
      for (const [k, speed] of speeds.entries()) angles[(i * patches * 2 + j) * speeds.length + k] = place * speed;
    if (entries > 0) resample(positions, grid, Math.sqrt(entries), resampling, i * patches * entries);
  }
  return {
    patches: floats(pixels, [pictures.length, patches, patchLength]),
    rotary: rotary(floats(angles, [distinct.length, patches, 2 * speeds.length], angleDtype(dtype)), dtype),
    resampling: entries > 0 ? floats(resampling, [distinct.length, patches, entries]) : null,
    mask: isUniform ? null : floats(mask, [distinct.length, 1, 1, patches]),
  };
}

/**
 * Bilinear weights from a side × side table to a grid, corners on corners: index · (side - 1) / (size - 1), a size of one
 * reads the first entry (Qwen3-VL).
 */
function resample(
  positions: Int32Array,
  { rows, columns }: Grid,
  side: number,
  target: Float64Array,
  offset: number,
): void {
  const place = (index: number, size: number) => (size === 1 ? 0 : (index * (side - 1)) / (size - 1));
  const neighbors = (at: number): readonly (readonly [number, number])[] => {
    const low = Math.floor(at);
    return [
      [low, 1 - (at - low)],
      [Math.min(low + 1, side - 1), at - low],
    ];
  };
  for (let i = 0; i < positions.length; i += 2)
    for (const [row, rowWeight] of neighbors(place(positions[i]!, rows)))
      for (const [column, columnWeight] of neighbors(place(positions[i + 1]!, columns)))
        target[offset + (i / 2) * side * side + row * side + column]! += rowWeight * columnWeight;
}
