/**
 * VSI-Bench's score of a number: the share of ten thresholds that its relative error does not exceed.
 *
 * The published code compares with `<=` where the paper has `<`. The thresholds are the doubles of NumPy's
 * `1 - linspace(0.5, 0.95, 10)`.
 */
const THRESHOLDS = [
  0.5, 0.44999999999999996, 0.4, 0.35, 0.30000000000000004, 0.25, 0.19999999999999996, 0.15000000000000002,
  0.10000000000000009, 0.050000000000000044,
];

/** @returns a number in [0, 1]; 0 for a target of 0 and for an answer that is not finite. */
export function meanRelativeAccuracy(answer: number, target: number): number {
  const error = Math.abs(answer - target) / target;
  return THRESHOLDS.filter((threshold) => error <= threshold).length / THRESHOLDS.length;
}
