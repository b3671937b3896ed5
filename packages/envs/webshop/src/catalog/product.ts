/** A product as the shop shows and scores it. Field meanings: section 6.2 of `docs/specs/webshop.md`. */
export interface Product {
  /** At most ten characters, unique in the catalog. */
  readonly asin: string;
  readonly title: string;
  readonly description: string;
  readonly bulletPoints: readonly string[];
  /** As shown: `$9.99`, `$15.0 to $18.0`. */
  readonly price: string;
  /** One price, or the two ends of a range; dollars. */
  readonly pricing: readonly number[];
  /** In the order of the page; names and values in lower case. */
  readonly options: readonly OptionGroup[];
  /** Value → picture, where the value has one. */
  readonly optionImages: Readonly<Record<string, string | null>>;
  /** Short phrases such as `gluten free`; `['DUMMY_ATTR']` where the attribute file has no record. */
  readonly attributes: readonly string[];
  readonly mainImage: string | null;
  /** The search under which the product was found, lower case. */
  readonly query: string;
  /** One of a handful: beauty, electronics, fashion, garden, grocery. */
  readonly category: string;
  /** A path with ` › ` between levels. */
  readonly productCategory: string;
  /** Instructions written for this product by people. */
  readonly instructions?: readonly HumanInstruction[];
  /** A machine-written instruction, and the attributes it asks for. */
  readonly instruction?: string;
  readonly instructionAttributes?: readonly string[];
  /** Nouns of the title, lower case, where the catalog brings them; the tagger is not asked then. */
  readonly nouns?: readonly string[];
}

export interface OptionGroup {
  readonly name: string;
  readonly values: readonly string[];
}

export interface HumanInstruction {
  readonly instruction: string;
  readonly attributes: readonly string[];
  /** Option values, in whatever group. */
  readonly options: readonly string[];
}

/** The products of a shop, by position in catalog order. */
export interface ProductStore {
  readonly size: number;
  /** @throws {RangeError} No product has this position. */
  at(position: number): Product;
  /** Position of the product, -1 where there is none. */
  find(asin: string): number;
  /** Frees files. */
  close?(): void;
}
