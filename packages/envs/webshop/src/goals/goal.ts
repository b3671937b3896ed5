/** One shopping task. */
export interface Goal {
  readonly asin: string;
  readonly category: string;
  readonly query: string;
  /** Title of the product the instruction was written for. */
  readonly name: string;
  readonly productCategory: string;
  /** What the shopper is told, price bound included. */
  readonly instruction: string;
  readonly attributes: readonly string[];
  /** Dollars; 1000000 where the product is too dear for a bound. */
  readonly priceUpper: number;
  /** Human goals: values, in whatever group. Synthetic goals: name → value, and then matching differs. */
  readonly goalOptions: readonly string[] | ReadonlyMap<string, string>;
  /** Weight in the draw of a goal. */
  readonly weight: number;
  /** Nouns of `name`, where the catalog brings them. */
  readonly nouns?: readonly string[];
}
