/**
 * Successive halving (Jamieson and Talwalkar 2016, "Non-stochastic best arm identification and hyperparameter
 * optimization", arXiv:1502.07943): all points train for a short time, the best share of them continues for longer.
 */

/** Updates of each rung: the first, then `eta` times as many, up to all. */
export function rungsOf(updates: number, eta: number, first: number): number[] {
  const rungs: number[] = [];
  for (let next = Math.min(first, updates); next < updates; next = Math.ceil(next * eta)) rungs.push(next);
  return [...rungs, updates];
}

/** Rungs so that about one point is left at the end, each of at least one update. */
export function firstRung(updates: number, eta: number, points: number): number {
  const halvings = Math.floor(Math.log(points) / Math.log(eta) + 1e-9);
  return Math.max(1, Math.ceil(updates / eta ** halvings));
}

/**
 * The points that continue: the best 1/eta of those with a score, at least one; equal scores in the order of the points.
 *
 * @param scores  One per point; undefined if a run has failed: such a point never continues.
 */
export function survivorsOf(scores: readonly (number | undefined)[], eta: number): number[] {
  const ranked = scores
    .flatMap((score, index) => (score === undefined ? [] : [{ score, index }]))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  return ranked
    .slice(0, Math.ceil(scores.length / eta))
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}
