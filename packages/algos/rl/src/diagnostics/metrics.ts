/**
 * Metrics of one update: named means, minima, maxima and sums, collected where they arise. A value that is not finite is left
 * out of what it would be part of.
 *
 * Names are `group/name`. Everything under `time/`, `memory/` and `queue/` is a measurement and differs between equal runs;
 * all else is a function of seed and configuration.
 */
import type { Ranks } from '../training/ranks.js';

export type Metrics = Readonly<Record<string, number>>;

type Reduction = 'mean' | 'sum' | 'min' | 'max' | 'last';

export class MetricsTally {
  readonly #entries = new Map<string, { value: number; weight: number; reduction: Reduction }>();

  /** Adds to a mean; `weight` is the number of things that `value` is already a mean of. */
  mean(name: string, value: number, weight = 1): void {
    if (weight <= 0 || !Number.isFinite(value)) return;
    const entry = this.#entry(name, 'mean', 0);
    entry.value += value * weight;
    entry.weight += weight;
  }

  /** Adds one part of a value whose parts add up; `share` is the part's share of it. The mean is over whole values. */
  part(name: string, value: number, share: number): void {
    if (!Number.isFinite(value)) return;
    const entry = this.#entry(name, 'mean', 0);
    entry.value += value;
    entry.weight += share;
  }

  sum(name: string, value: number): void {
    this.#entry(name, 'sum', 0).value += value;
  }

  min(name: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const entry = this.#entry(name, 'min', Number.POSITIVE_INFINITY);
    entry.value = Math.min(entry.value, value);
  }

  max(name: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const entry = this.#entry(name, 'max', Number.NEGATIVE_INFINITY);
    entry.value = Math.max(entry.value, value);
  }

  /** Keeps the last value given. */
  set(name: string, value: number): void {
    this.#entry(name, 'last', value).value = value;
  }

  setAll(values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) this.set(name, value);
  }

  /** Runs `work` and adds its seconds to `time/<name>`. */
  async timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.sum(`time/${name}`, (performance.now() - start) / 1000);
    }
  }

  /**
   * Joins the tallies of all ranks. What every rank has measured alike stays as it is; times and last values are those of
   * this rank.
   */
  async combine(ranks: Ranks): Promise<void> {
    const tallies = await ranks.gather([...this.#entries]);
    for (const [other, entries] of tallies.entries()) {
      if (other === ranks.rank) continue;
      for (const [name, { value, weight, reduction }] of entries) {
        if (reduction === 'last' || name.startsWith('time/')) continue;
        if (reduction === 'min') this.min(name, value);
        else if (reduction === 'max') this.max(name, value);
        else {
          const entry = this.#entry(name, reduction, 0);
          entry.value += value;
          entry.weight += weight;
        }
      }
    }
  }

  /** Finite values by name, in alphabetical order. */
  toMetrics(): Metrics {
    const metrics: Record<string, number> = {};
    for (const name of [...this.#entries.keys()].sort()) {
      const { value, weight, reduction } = this.#entries.get(name)!;
      const reduced = reduction === 'mean' ? value / weight : value;
      if (Number.isFinite(reduced)) metrics[name] = reduced;
    }
    return metrics;
  }

  #entry(name: string, reduction: Reduction, start: number) {
    const entry = this.#entries.get(name) ?? { value: start, weight: 0, reduction };
    this.#entries.set(name, entry);
    return entry;
  }
}
