/** Properties shared by four consecutive products. */
import type { ProductKind } from './kinds.js';

/** Shared by all members of a family. */
export interface Family {
  readonly kind: ProductKind;
  readonly brand: string;
  readonly noun: string;
  readonly material: string;
  readonly adjectives: readonly string[];
  readonly audience: string;
  readonly price: number;
}
