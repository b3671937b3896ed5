/** What became of the rows of a catalog file. */
export interface LoadReport {
  readonly rows: number;
  readonly products: number;
  /**
   * Reason → rows left out for it: repeated asins and names that are none, as in the original, and broken rows. Where the
   * reason begins with `instruction left out`, it is one instruction; the product stays.
   */
  readonly skipped: Readonly<Record<string, number>>;
  /** The first of each reason, by row number from 0. */
  readonly examples: readonly SkippedRow[];
}

export interface SkippedRow {
  readonly row: number;
  readonly asin?: string;
  readonly reason: string;
}

/** Per reason: repeated asins may be many, and must not hide the broken rows. */
const MOST_EXAMPLES = 20;

/** Counts while a catalog is read. */
export class LoadCounter {
  rows = 0;
  products = 0;
  readonly #skipped = new Map<string, number>();
  readonly #examples: SkippedRow[] = [];

  skip(row: number, reason: string, asin?: unknown): void {
    const before = this.#skipped.get(reason) ?? 0;
    this.#skipped.set(reason, before + 1);
    if (before < MOST_EXAMPLES) {
      this.#examples.push({ row, reason, ...(typeof asin === 'string' && { asin: asin.slice(0, 60) }) });
    }
  }

  report(): LoadReport {
    const { rows, products } = this;
    return { rows, products, skipped: Object.fromEntries(this.#skipped), examples: [...this.#examples] };
  }
}
