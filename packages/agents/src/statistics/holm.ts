/**
 * p-values of several tests, corrected so that the chance of any false positive among them stays at its level.
 *
 * S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979): valid
 * under any dependence of the tests, and never weaker than Bonferroni's correction.
 */

/** @returns Adjusted p-values in the order given: a test holds at level α if its adjusted value is at most α. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted: number[] = Array(pValues.length).fill(1);
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[index]!));
    adjusted[index] = largest;
  }
  return adjusted;
}
