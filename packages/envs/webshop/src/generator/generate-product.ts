/**
 * Generates product number i of a catalog of any size: plausible, seeded, with near-duplicates.
 *
 * Four consecutive products are a family: the same brand, kind, and name, but different attributes, colors, or packs.
 * Buying another member of the family does not reach a goal.
 */
import type { HumanInstruction, Product } from '../catalog/product.js';
import { asinOf } from './asin.js';
import { Draws } from './draws.js';
import type { Family } from './family.js';
import { writeInstruction } from './instructions.js';
import { KINDS } from './kinds.js';
import { pictureSpec } from './picture-spec.js';
import { bulletsOf, descriptionOf, titleOf } from './plain-wording.js';
import { priceOf, shopPrice } from './prices.js';
import { attributesOf, designs, optionImages, optionsOf, packOf } from './product-options.js';
import { type Subject, shopBullets, shopDescription, shopTitle } from './shop-wording.js';
import {
  ADJECTIVES,
  AUDIENCES,
  BRAND_ENDS,
  BRAND_MIDDLES,
  BRAND_STARTS,
  COLORS,
  PATTERNS,
  type Pattern,
} from './words.js';

/** Incremented when a seed gives other products than before. */
export const GENERATOR_VERSION = 2;

const FAMILY = 4;

const COLOR_NAMES = Object.keys(COLORS);

export interface GeneratorOptions {
  /** Number of products, 100 to 1,200,000; default 1000. */
  readonly products?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /**
   * Share of instructed products whose instruction names a pattern, while the page offers `design a`, `design b`, …: only
   * the picture shows the patterns. Default 0; the browser environment uses 0.25.
   */
  readonly visual?: number | undefined;
  /** Titles, bullets, descriptions and prices: as in earlier versions (`plain`, the default), or as shops write them. */
  readonly wording?: 'plain' | 'shop' | undefined;
}

/** Approximate maximum number of products with instructions, for any size of catalog. */
const MAX_INSTRUCTED = 9000;

export class ProductGenerator {
  readonly size: number;
  readonly seed: number;
  readonly #visual: number;
  readonly #instructed: number;
  readonly #natural: boolean;
  #latest: { readonly number: number; readonly family: Family } | undefined;

  constructor({ products = 1000, seed = 0, visual = 0, wording = 'plain' }: GeneratorOptions = {}) {
    this.size = products;
    this.seed = seed;
    this.#visual = visual;
    this.#natural = wording === 'shop';
    this.#instructed = Math.min(0.7, MAX_INSTRUCTED / products);
  }

  /** Whether the product has an instruction. */
  isInstructed(position: number): boolean {
    return new Draws(this.seed, position, 3).chance(this.#instructed);
  }

  product(position: number): Product {
    const family = this.#family(Math.floor(position / FAMILY));
    const draws = new Draws(this.seed, position, 1);
    const instructed = this.isInstructed(position);
    const visual = instructed && new Draws(this.seed, position, 4).chance(this.#visual);

    const attributes = attributesOf(family, draws);
    const options = optionsOf(family, draws);
    const color = options.find(({ name }) => name === 'color')?.values[0] ?? draws.pick(COLOR_NAMES);
    const pack = packOf(options);
    const patterns: Readonly<Record<string, Pattern>> = visual ? designs(draws) : {};
    if (visual) options.push({ name: 'design', values: Object.keys(patterns) });
    const pattern: Pattern = visual ? 'plain' : draws.pickSkewed(PATTERNS);
    const texts = this.#natural
      ? shopTexts(
          { ...family, category: family.kind.category, adjective: family.adjectives[0]!, attributes, options, color },
          draws,
        )
      : undefined;
    const title = texts?.title ?? titleOf(family, options, color, draws);
    const { pricing, price } = this.#natural ? shopPrice(family, draws) : priceOf(family, draws);
    const about = { shape: family.kind.shape, color, pattern, pack };
    const product: Product = {
      asin: asinOf(this.seed, position),
      title,
      description: texts?.description ?? descriptionOf(family, attributes, draws),
      bulletPoints: texts?.bulletPoints ?? bulletsOf(family, attributes, draws),
      price,
      pricing,
      options,
      optionImages: optionImages(options, patterns, about),
      attributes,
      mainImage: pictureSpec(about),
      query: family.kind.query,
      category: family.kind.category,
      productCategory: family.kind.path.join(' \u203a '),
    };
    return instructed ? { ...product, ...this.#instructions(position, product, family, patterns) } : product;
  }

  /** Members of a family are asked for one after another. */
  #family(number: number): Family {
    if (this.#latest?.number !== number) this.#latest = { number, family: this.#drawFamily(number) };
    return this.#latest.family;
  }

  #drawFamily(number: number): Family {
    const draws = new Draws(this.seed, number, 2);
    const kind = draws.pick(KINDS);
    return {
      kind,
      brand: draws.pickSkewed(BRAND_STARTS) + draws.pick(BRAND_MIDDLES) + draws.pickSkewed(BRAND_ENDS),
      noun: draws.pickSkewed(kind.nouns),
      material: draws.pick(kind.materials),
      adjectives: draws.some(ADJECTIVES, draws.between(1, 3)),
      audience: draws.pickSkewed(AUDIENCES),
      price: kind.price * Math.exp(1.2 * (draws.random() + draws.random() - 1)),
    };
  }

  #instructions(
    position: number,
    product: Product,
    { noun, kind }: Family,
    patterns: Readonly<Record<string, Pattern>>,
  ): Partial<Product> {
    const draws = new Draws(this.seed, position, 5);
    const wanted = draws.some(product.attributes, draws.between(1, 2));
    if (wanted.length === 0) return {};
    const groups = draws.some(
      product.options.filter(({ name }) => name !== 'design'),
      draws.between(0, 2),
    );
    const chosen = groups.map(({ name, values }) => ({ name, value: draws.pick(values) }));
    const design = product.options.find(({ name }) => name === 'design') && draws.pick(Object.keys(patterns));
    const human: HumanInstruction = {
      instruction: writeInstruction(
        { noun, attributes: wanted, chosen, pattern: design ? patterns[design] : undefined },
        draws,
      ),
      attributes: wanted,
      options: [...chosen.map(({ value }) => value), ...(design ? [design] : [])],
    };
    const [first, ...others] = wanted as [string, ...string[]];
    const also = others.length > 0 ? ` with ${others.join(', and ')}` : '';
    return {
      instructions: [human],
      ...(combinationsOf(product) <= MAX_COMBINATIONS && {
        instruction: `Find me ${first} ${kind.query}${also}`,
        instructionAttributes: wanted,
      }),
    };
  }
}

/** Each combination of options gives a synthetic goal; products with more combinations would dominate the list. */
const MAX_COMBINATIONS = 40;

function combinationsOf({ options }: Product): number {
  return options.reduce((product, { values }) => product * values.length, 1);
}

function shopTexts(subject: Subject, draws: Draws): Pick<Product, 'title' | 'bulletPoints' | 'description'> {
  return {
    title: shopTitle(subject, draws),
    bulletPoints: shopBullets(subject, draws),
    description: shopDescription(subject, draws),
  };
}
