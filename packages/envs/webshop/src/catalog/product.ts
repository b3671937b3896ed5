/** A product as the shop shows and scores it. Field meanings: section 6.2 of `docs/specs/webshop.md`. */
export interface Product {
  /** At most ten characters; unique in the catalog. */
  readonly asin: string;
  readonly title: string;
  readonly description: string;
  readonly bulletPoints: readonly string[];
  /** As shown: `$9.99`, `$15.0 to $18.0`. */
  readonly price: string;
  /** One price, or both ends of a range; dollars. */
  readonly pricing: readonly number[];
  /** In the order of the page, with names and values in lower case. */
  readonly options: readonly OptionGroup[];
  /** Value → picture, if it has one. */
  readonly optionImages: Readonly<Record<string, string | null>>;
  /** Short phrases such as `gluten free`; `['DUMMY_ATTR']` if the attribute file has no record. */
  readonly attributes: readonly string[];
  readonly mainImage: string | null;
  /** Query with which the product was found, in lower case. */
  readonly query: string;
  /** One of beauty, electronics, fashion, garden, grocery. */
  readonly category: string;
  /** Path with ` › ` between levels. */
  readonly productCategory: string;
  /** Instructions that people wrote for this product. */
  readonly instructions?: readonly HumanInstruction[];
  /** Machine-written instruction and its attributes. */
  readonly instruction?: string;
  readonly instructionAttributes?: readonly string[];
  /** Nouns of the title in lower case, if the catalog has them; they replace the tagger. */
  readonly nouns?: readonly string[];
}

export interface OptionGroup {
  readonly name: string;
  readonly values: readonly string[];
}

export interface HumanInstruction {
  readonly instruction: string;
  readonly attributes: readonly string[];
  /** Option values of any group. */
  readonly options: readonly string[];
}

/** Products of a shop by position in catalog order. */
export interface ProductStore {
  readonly size: number;
  /** @throws {RangeError} No product has this position. */
  at(position: number): Product;
  /** Position of the product, or -1. */
  find(asin: string): number;
  /** The file of a photograph, by its name in the catalog; `undefined` for an unknown one. */
  photo?(name: string): Uint8Array | undefined;
  /** Closes files. */
  close?(): void;
}
