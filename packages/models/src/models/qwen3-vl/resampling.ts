/** Learned positions of Qwen3-VL: a square table, resampled bilinearly to the grid of each picture, corners on corners. */

/** Four entries of the table per patch, and their weights. */
export interface Resampling {
  /** [patches * 4] */
  readonly indices: Int32Array;
  /** [patches * 4] */
  readonly weights: Float64Array;
}

/**
 * @param positions  Row and column of every patch of one picture, [patches * 2].
 * @param side       Entries per row and column of the table.
 * @param round      Each step is rounded to float32, as published.
 */
export function resampling(
  positions: Int32Array,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  side: number,
  round: (value: number) => number = Math.fround,
): Resampling {
  const place = (index: number, size: number) => {
    const exact = size === 1 ? 0 : round(round(index * (side - 1)) / (size - 1));
    const low = Math.trunc(exact);
    const lowShare = round(1 - round(exact - low));
    // the distance to the higher entry is computed from the lower one's share, in float32 as published
    return { low, high: Math.min(low + 1, side - 1), lowShare, highShare: round(1 - lowShare) };
  };
  const patches = positions.length / 2;
  const indices = new Int32Array(patches * 4);
  const weights = new Float64Array(patches * 4);
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
        round(row.lowShare * column.lowShare),
        round(row.lowShare * column.highShare),
        round(row.highShare * column.lowShare),
        round(row.highShare * column.highShare),
      ],
      4 * patch,
    );
  }
  return { indices, weights };
}
