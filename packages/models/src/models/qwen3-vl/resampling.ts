/** Learned positions of Qwen3-VL: a square table, resampled bilinearly to the grid of each picture, corners on corners. */

/** Four entries of the table per patch, and their weights. */
export interface Resampling {
  /** [patches * 4] */
  readonly indices: Int32Array;
  /** [patches * 4] in float32, as published. */
  readonly weights: Float32Array;
}

/**
 * @param positions  Row and column of every patch of one picture, [patches * 2].
 * @param side       Entries per row and column of the table.
 */
export function resampling(
  positions: Int32Array,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  side: number,
): Resampling {
  const { fround } = Math;
  const place = (index: number, size: number) => {
    const exact = size === 1 ? 0 : fround(fround(index * (side - 1)) / (size - 1));
    const low = Math.trunc(exact);
    const lowShare = fround(1 - fround(exact - low));
    // the distance to the higher entry is computed from the lower one's share, in float32 as published
    return { low, high: Math.min(low + 1, side - 1), lowShare, highShare: fround(1 - lowShare) };
  };
  const patches = positions.length / 2;
  const indices = new Int32Array(patches * 4);
  const weights = new Float32Array(patches * 4);
  for (let patch = 0; patch < patches; patch += 1) {
    const row = place(positions[2 * patch]!, rows);
    const column = place(positions[2 * patch + 1]!, columns);
    indices.set(
      [
        row.low * side + column.low,
        row.low * side + column.high,
        row.high * side + column.low,
        row.high * side + column.high,
      ],
      4 * patch,
    );
    weights.set(
      [
        row.lowShare * column.lowShare,
        row.lowShare * column.highShare,
        row.highShare * column.lowShare,
        row.highShare * column.highShare,
      ],
      4 * patch,
    );
  }
  return { indices, weights };
}
