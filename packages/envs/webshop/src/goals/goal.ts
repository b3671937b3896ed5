/** One shopping task. */
export interface Goal {
  readonly asin: string;
  readonly category: string;
  readonly query: string;
  /** Title of the product for which the instruction was written. */
  readonly name: string;
  readonly productCategory: string;
  /** The shopper's instruction, including the price bound. */
  readonly instruction: string;
  readonly attributes: readonly string[];
  /** Dollars; 1000000 if the product is too expensive for a bound. */
  readonly priceUpper: number;
  /** Human goals: values of any group. Synthetic goals: name → value, with different matching. */
  readonly goalOptions: readonly string[] | ReadonlyMap<string, string>;
  /** Weight for drawing. */
  readonly weight: number;
  /** Nouns of `name`, if the catalog has them. */
  readonly nouns?: readonly string[];
}
