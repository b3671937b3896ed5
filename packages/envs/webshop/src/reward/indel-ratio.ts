/** 1 - (insertions + deletions) / (total length): twice the longest common subsequence over the total length. */
export function indelRatio(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  let row = new Uint32Array(right.length + 1);
  let next = new Uint32Array(right.length + 1);
  for (const character of left) {
    for (let j = 0; j < right.length; j += 1) {
      next[j + 1] = character === right[j] ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!);
    }
    [row, next] = [next, row];
  }
  return (2 * row[right.length]!) / (left.length + right.length);
}
