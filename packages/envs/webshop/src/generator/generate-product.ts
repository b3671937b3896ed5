/**
 * Generates product number i of a catalog of any size: plausible, seeded, with near-duplicates.
 *
 * Four consecutive products are a family: the same brand, kind, and name, but different attributes, colors, or packs.
 * Buying another member of the family does not reach a goal.
 */
import type { HumanInstruction, OptionGroup, Product } from '../catalog/product.js';
import { pythonFloat } from '../python/text.js';
import { Draws } from './draws.js';
import { writeInstruction } from './instructions.js';
import { KINDS, type OptionKind, type ProductKind } from './kinds.js';
import { type PictureSpec, pictureSpec } from './picture-spec.js';
import { type Subject, shopBullets, shopDescription, shopTitle } from './shop-wording.js';
import {
  ADJECTIVES,
  ATTRIBUTES,
  AUDIENCES,
  BRAND_ENDS,
  BRAND_MIDDLES,
  BRAND_STARTS,
  COLORS,
  OPTION_VALUES,
  PATTERNS,
  type Pattern,
  SENTENCES,
} from './words.js';

/** Incremented when a seed gives other products than before. */
export const GENERATOR_VERSION = 2;

const FAMILY = 4;

/** Texts that are kept with capital letters. */
const MOST_CAPITALS = 10_000;

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

/** Shared by all members of a family. */
interface Family {
  readonly kind: ProductKind;
  readonly brand: string;
  readonly noun: string;
  readonly material: string;
  readonly adjectives: readonly string[];
  readonly audience: string;
  readonly price: number;
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

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HALF = 36 ** 4;

/** `B0` and eight characters: four from a permutation of the numbers, so that all differ, and four at random. */
function asinOf(seed: number, position: number): string {
  let unique = (position * 908_441 + 77_773) % HALF; // 908441 has no factor in common with 36
  const draws = new Draws(seed, position, 6);
  let text = 'B0';
  for (let pair = 0; pair < 4; pair += 1) {
    text += DIGITS[draws.below(36)]! + DIGITS[unique % 36]!;
    unique = Math.floor(unique / 36);
  }
  return text;
}

function attributesOf({ kind }: Family, draws: Draws): string[] {
  const count = draws.chance(0.06) ? 0 : draws.between(1, 6);
  const pool = draws.some(ATTRIBUTES[kind.category], count);
  return draws.chance(0.5) ? [...pool, draws.pick(ATTRIBUTES.all)] : pool;
}

/** Option groups with another name on the page. */
const PAGE_NAMES: Readonly<Partial<Record<OptionKind, string>>> = { volume: 'size', measure: 'size' };

function optionsOf({ kind }: Family, draws: Draws): OptionGroup[] {
  return kind.options.flatMap((name) => {
    if (draws.chance(0.15)) return [];
    const values = OPTION_VALUES[name];
    const count = Math.min(values.length, draws.pickSkewed([2, 3, 3, 4, 4, 5, 6, 8, 12, 1]));
    const taken = new Set(draws.some(values, count));
    return [{ name: PAGE_NAMES[name] ?? name, values: values.filter((value) => taken.has(value)) }];
  });
}

function packOf(options: readonly OptionGroup[]): number {
  const packs: OptionKind = 'item package quantity';
  return Number(options.find(({ name }) => name === packs)?.values[0] ?? 1);
}

function designs(draws: Draws): Record<string, Pattern> {
  const patterns = draws.some(PATTERNS, 3);
  return Object.fromEntries(patterns.map((pattern, index) => [`design ${'abc'[index]}`, pattern]));
}

function optionImages(
  options: readonly OptionGroup[],
  patterns: Readonly<Record<string, Pattern>>,
  about: PictureSpec,
): Record<string, string> {
  const images: Record<string, string> = {};
  for (const { name, values } of options) {
    for (const value of values) {
      if (name === 'color') images[value] = pictureSpec({ ...about, color: value });
      else if (name === 'item package quantity') images[value] = pictureSpec({ ...about, pack: Number(value) });
      else if (name === 'design') images[value] = pictureSpec({ ...about, pattern: patterns[value]! });
    }
  }
  return images;
}

const capitals = new Map<string, string>();

/** Capital first letters. Most texts come again: they are kept. */
function capital(text: string): string {
  const known = capitals.get(text);
  if (known !== undefined) return known;
  const changed = text.replace(/(^|[\s-])[a-z]/g, (letter) => letter.toUpperCase());
  if (capitals.size < MOST_CAPITALS) capitals.set(text, changed);
  return changed;
}

function titleOf(
  { brand, adjectives, material, noun, audience }: Family,
  options: readonly OptionGroup[],
  color: string,
  draws: Draws,
): string {
  const model = `${DIGITS[10 + draws.below(26)]}${DIGITS[10 + draws.below(26)]}${draws.below(900) + 100}`;
  const parts = [`${brand} ${capital(adjectives.join(' '))} ${capital(material)} ${capital(noun)}`];
  parts.push(`${capital(draws.pick(ADJECTIVES))} ${capital(noun)} for ${capital(audience)}`);
  if (draws.chance(0.4)) parts.push(`Model ${model}`);
  const size = options.find(({ name }) => name !== 'color' && name !== 'design')?.values[0];
  const colored = options.some(({ name }) => name === 'color');
  const end = [colored && draws.chance(0.6) ? capital(color) : '', size && draws.chance(0.4) ? size : ''].filter(
    Boolean,
  );
  return parts.join(', ') + (end.length > 0 ? ` (${end.join(', ')})` : '');
}

function priceOf({ price: base }: Family, draws: Draws): { pricing: number[]; price: string } {
  if (draws.chance(0.08)) return { pricing: [100], price: '$100.0' };
  const ends = [0.99, 0.49, 0.95, 0];
  const round = (value: number) => Number((Math.max(3, Math.floor(value)) + draws.pick(ends)).toFixed(2));
  const low = round(base * (0.85 + 0.3 * draws.random()));
  if (!draws.chance(0.2)) return { pricing: [low], price: `$${pythonFloat(low)}` };
  const high = round(low * (1.15 + draws.random()));
  return { pricing: [low, high], price: `$${pythonFloat(low)} to $${pythonFloat(high)}` };
}

/** Every product has a price, with two digits. */
function shopPrice({ price: base }: Family, draws: Draws): { pricing: number[]; price: string } {
  const low = Number(
    (Math.max(2, Math.floor(base * (0.85 + 0.3 * draws.random()))) + draws.pick([0.99, 0.49, 0.95, 0])).toFixed(2),
  );
  if (!draws.chance(0.2)) return { pricing: [low], price: `$${low.toFixed(2)}` };
  const high = Number((Math.ceil(low * (1.15 + draws.random())) - 0.01).toFixed(2));
  return { pricing: [low, high], price: `$${low.toFixed(2)} to $${high.toFixed(2)}` };
}

function shopTexts(subject: Subject, draws: Draws): Pick<Product, 'title' | 'bulletPoints' | 'description'> {
  return {
    title: shopTitle(subject, draws),
    bulletPoints: shopBullets(subject, draws),
    description: shopDescription(subject, draws),
  };
}

const sentence = (text: string) => text[0]!.toUpperCase() + text.slice(1);

function bulletsOf(
  { material, noun, adjectives, audience }: Family,
  attributes: readonly string[],
  draws: Draws,
): string[] {
  const bullets = attributes.slice(0, 4).map((attribute) => {
    const ends = [`a ${noun} you can count on`, `made of ${material}`, `for ${audience}`, `a ${adjectives[0]} ${noun}`];
    return `${sentence(attribute)}: ${draws.pick(ends)}`;
  });
  bullets.push(`${sentence(adjectives[0]!)} ${noun} of ${material}, made for ${audience}`);
  return bullets.slice(0, 5);
}

/** Sentences in pieces: text, name of what is filled in, text, … */
const TEMPLATES = SENTENCES.map((text) => text.split(/\{(\w+)\}/));

function descriptionOf(family: Family, attributes: readonly string[], draws: Draws): string {
  const { brand, noun, material, adjectives, audience } = family;
  // Attributes that no bullet mentions.
  const said = attributes.slice(4).map((attribute) => `${sentence(attribute)}.`);
  const fill = (name: string): string => {
    switch (name) {
      case 'brand':
        return brand;
      case 'noun':
        return noun;
      case 'material':
        return material;
      case 'audience':
        return audience;
      case 'attribute':
        return draws.pick(attributes.length > 0 ? attributes : ['well made']);
      case 'adjective':
        return draws.pick(draws.chance(0.5) ? adjectives : ADJECTIVES);
      case 'model':
        return `${brand.slice(0, 2).toUpperCase()}${draws.below(90_000) + 10_000}`;
      case 'number':
        return String(draws.between(1, 60));
      default: // number2
        return String(draws.between(2, 900));
    }
  };
  const sentences = draws
    .some(TEMPLATES, draws.pickSkewed([4, 6, 3, 8, 2, 9, 5, 1, 0, 7]))
    .map((pieces) => `${sentence(pieces.map((piece, place) => (place % 2 ? fill(piece) : piece)).join(''))}.`);
  return [...sentences, ...said].join(' ');
}
