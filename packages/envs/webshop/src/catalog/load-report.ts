/** Outcome of loading the rows of a catalog file. */
export interface LoadReport {
  readonly rows: number;
  readonly products: number;
  /**
   * Reason → number of skipped rows: repeated asins and empty names, as in the original, and broken rows. A reason that
   * starts with `instruction left out` counts a single instruction; its product is kept.
   */
  readonly skipped: Readonly<Record<string, number>>;
  /** First rows of each reason; row numbers start at 0. */
  readonly examples: readonly SkippedRow[];
  /** Photographs that the catalog holds, where rows name files or data URLs. */
  readonly photos?: number;
  /** Pictures at addresses of the web, which the shop does not load: it draws one in their place. */
  readonly drawn?: number;
}

export interface SkippedRow {
  readonly row: number;
  readonly asin?: string;
  readonly reason: string;
}

/** Maximum per reason, so that many repeated asins do not hide broken rows. */
const MAX_EXAMPLES = 20;

/** Counts while a catalog is read. */
export class LoadCounter {
  rows = 0;
  products = 0;
  readonly #skipped = new Map<string, number>();
  readonly #examples: SkippedRow[] = [];

  skip(row: number, reason: string, asin?: unknown): void {
    const before = this.#skipped.get(reason) ?? 0;
    this.#skipped.set(reason, before + 1);
    if (before < MAX_EXAMPLES) {
      this.#examples.push({ row, reason, ...(typeof asin === 'string' && { asin: asin.slice(0, 60) }) });
    }
  }

  report(): LoadReport {
    const { rows, products } = this;
    return { rows, products, skipped: Object.fromEntries(this.#skipped), examples: [...this.#examples] };
  }
}
