/** Counts comparisons and prints those that fail; with `--verbose` all of them. */

export class Report {
  passed = 0;
  failed = 0;
  readonly #prefix: string[] = [];
  readonly #verbose: boolean;
  readonly #print: (line: string) => void;

  constructor({ verbose = false, print = console.log }: { verbose?: boolean; print?: (line: string) => void } = {}) {
    this.#verbose = verbose;
    this.#print = print;
  }

  /** Names what `compare` makes go under. */
  async within(name: string, compare: () => void | Promise<void>): Promise<void> {
    this.#prefix.push(name);
    try {
      await compare();
    } catch (error) {
      this.check('runs to its end', false, (error as Error).stack ?? String(error));
    } finally {
      this.#prefix.pop();
    }
  }

  check(name: string, holds: boolean, detail = ''): void {
    if (holds) this.passed += 1;
    else this.failed += 1;
    if (!holds || this.#verbose) {
      this.#print(`${holds ? 'ok  ' : 'FAIL'} ${[...this.#prefix, name].join(' ')}${detail ? `: ${detail}` : ''}`);
    }
  }

  /** Entry by entry, and in number. */
  equal(name: string, found: ArrayLike<unknown>, wanted: ArrayLike<unknown>): void {
    const at = firstDifference(found, wanted);
    const detail =
      at === undefined
        ? `${wanted.length} entries`
        : `entry ${at} is ${found[at]}, not ${wanted[at]} (${found.length} of ${wanted.length})`;
    this.check(name, at === undefined, detail);
  }

  /** Largest distance at most `tolerance`. */
  close(name: string, found: ArrayLike<number>, wanted: ArrayLike<number>, tolerance: number): void {
    if (found.length !== wanted.length) {
      this.check(name, false, `${found.length} numbers, not ${wanted.length}`);
      return;
    }
    let largest = 0;
    for (let i = 0; i < wanted.length; i += 1) {
      const distance = Math.abs(found[i]! - wanted[i]!);
      // NaN compares false with everything
      if (!(distance <= largest)) largest = distance;
    }
    const detail = `largest distance ${largest.toExponential(2)}, tolerance ${tolerance.toExponential(2)}`;
    this.check(name, largest <= tolerance, detail);
  }

  /** Length of the difference at most `share` of the length of `wanted`. */
  near(name: string, found: ArrayLike<number>, wanted: ArrayLike<number>, share: number): void {
    if (found.length !== wanted.length) {
      this.check(name, false, `${found.length} numbers, not ${wanted.length}`);
      return;
    }
    let [difference, length] = [0, 0];
    for (let i = 0; i < wanted.length; i += 1) {
      difference += (found[i]! - wanted[i]!) ** 2;
      length += wanted[i]! ** 2;
    }
    const relative = Math.sqrt(difference) / Math.max(Math.sqrt(length), Number.MIN_VALUE);
    const detail = `relative distance ${relative.toExponential(2)}, tolerance ${share.toExponential(2)}`;
    // NaN compares false with everything
    this.check(name, difference === 0 || relative <= share, detail);
  }
}

function firstDifference(found: ArrayLike<unknown>, wanted: ArrayLike<unknown>): number | undefined {
  for (let i = 0; i < Math.max(found.length, wanted.length); i += 1) if (found[i] !== wanted[i]) return i;
  return undefined;
}
