/**
 * An open shop: products with prices, a search index, goals, and the transitions of sessions.
 *
 * The state machine of section 2.2 of `docs/specs/webshop.md`, used by the text environment and the shop server.
 */
import { checkedInteger, GymError, InvalidOptionError } from '@vlgym/core';
import { pythonStrip } from '@vlgym/core/internal';
import { PythonRandom } from '@vlgym/core/random';
import { MemoryStore } from '../catalog/memory-store.js';
import type { Product, ProductStore } from '../catalog/product.js';
import { buildGoals, type GoalKind } from '../goals/build-goals.js';
import { drawnGoals, type GoalDraw, GoalDrawer } from '../goals/draw-goal.js';
import type { Goal } from '../goals/goal.js';
import { drawPrice, type PriceBounds } from '../goals/prices.js';
import { cachedNouns, type NounTagger, winkNouns } from '../reward/nouns.js';
import { rewardOf } from '../reward/reward.js';
import type { FuzzyBackend } from '../reward/token-set-ratio.js';
import { indexProducts } from '../search/build-index.js';
import type { Element } from './element.js';
import { pageOf } from './pages.js';
import { writtenAddress } from './product-image.js';
import { newSession, type Session, type SubPage } from './session.js';

/** Finds products; implemented by `SearchIndex`. */
export interface ProductSearch {
  search(query: string, most?: number): readonly { readonly position: number; readonly score: number }[];
}

export interface ShopOptions {
  /** Default `synthetic`, as in the original's text environment. */
  readonly goals?: GoalKind | undefined;
  /** Seed of prices and price bounds; default 4. The original does not seed them. */
  readonly priceSeed?: number | undefined;
  /** Seed of the order of goals; default 233, as in the original. */
  readonly goalSeed?: number | undefined;
  readonly goalDraw?: GoalDraw | undefined;
  /** For human goals; default `drawn`. AgentGym's indices refer to the list with `enumerated` bounds. */
  readonly priceBounds?: PriceBounds | undefined;
  /** Selects goals; receives the position in the shuffled list. */
  readonly filterGoals?: ((index: number, goal: Goal) => boolean) | undefined;
  /** Number of different goals to draw by weight, after `filterGoals`; default: all. */
  readonly limitGoals?: number | undefined;
  /** Products per results page; default 10. */
  readonly productsPerPage?: number | undefined;
  /** Maximum hits of a search; default 50. */
  readonly searchHits?: number | undefined;
  /** Allow the queries `<r>`, `<a>`, `<c>`, `<q>` (`docs/specs/webshop.md` 8.2), which leak structure; default true. */
  readonly searchShortcuts?: boolean | undefined;
  /** Show a fourth tab with the product's attributes; default false. */
  readonly showAttributes?: boolean | undefined;
  /**
   * "Buy Now" opens a page with the choice, where "Place Order" buys it; default false, as in the original, where it buys
   * at once.
   */
  readonly cart?: boolean | undefined;
  readonly fuzzy?: FuzzyBackend | undefined;
  readonly nouns?: NounTagger | undefined;
  readonly search?: ProductSearch | undefined;
  /** Products with instructions, if a store knows them without reading all. */
  readonly instructed?: Iterable<Product> | undefined;
  /** Ends of the price range by position, if a store knows them without reading all. */
  readonly pricing?: ((position: number) => readonly number[]) | undefined;
}

export class Shop {
  readonly products: ProductStore;
  readonly goals: readonly Goal[];
  readonly kind: GoalKind;
  readonly draws: GoalDrawer;
  readonly productsPerPage: number;
  readonly showAttributes: boolean;
  readonly cart: boolean;
  readonly shortcuts: boolean;
  readonly nouns: NounTagger;
  readonly fuzzy: FuzzyBackend;

  readonly #prices: Float64Array;
  readonly #search: ProductSearch;
  readonly #hits: number;
  readonly #recent = new Map<string, readonly number[]>();
  readonly #selected = new Map<string, readonly number[]>();

  /** @throws {GymError} `NO_GOALS`, or `INVALID_OPTION`: a number is out of range. */
  constructor(products: ProductStore | readonly Product[], options: ShopOptions = {}) {
    this.products = isStore(products) ? products : new MemoryStore(products);
    this.kind = options.goals ?? 'synthetic';
    if (options.priceBounds === 'enumerated' && this.kind !== 'human') {
      throw new InvalidOptionError('priceBounds', 'enumerated', "'drawn', or human goals");
    }
    this.productsPerPage = checkedInteger('productsPerPage', options.productsPerPage ?? 10, 1);
    this.showAttributes = options.showAttributes ?? false;
    this.cart = options.cart ?? false;
    this.shortcuts = options.searchShortcuts ?? true;
    this.nouns = cachedNouns(options.nouns ?? winkNouns);
    this.fuzzy = options.fuzzy ?? 'difflib';
    this.#hits = checkedInteger('searchHits', options.searchHits ?? 50, 1);

    const random = new PythonRandom(options.priceSeed ?? 4);
    const pricing = options.pricing ?? ((position) => this.products.at(position).pricing);
    this.#prices = Float64Array.from({ length: this.products.size }, (_, at) => drawPrice(pricing(at), random));
    const priceOf = ({ asin }: Product) => this.#prices[this.products.find(asin)]!;
    const instructed = options.instructed ?? everyProduct(this.products);
    const goals = buildGoals(instructed, this.kind, priceOf, random, options.priceBounds);
    const order = new PythonRandom(options.goalSeed ?? 233);
    order.shuffle(goals);
    const { filterGoals, limitGoals = goals.length } = options;
    if (options.limitGoals !== undefined) checkedInteger('limitGoals', limitGoals, 1);
    const kept = filterGoals ? goals.filter((goal, index) => filterGoals(index, goal)) : goals;
    this.goals = limitGoals < kept.length ? drawnGoals(kept, limitGoals, order) : kept;
    if (this.goals.length === 0) throw new NoGoalsError(this.kind, goals.length);
    this.draws = new GoalDrawer(this.goals, options.goalDraw ?? 'parity');
    this.#search = options.search ?? indexProducts(this.products);
  }

  /** Price drawn for a product, dollars. */
  price(asin: string): number {
    return this.#prices[this.products.find(asin)] ?? 100;
  }

  productOf(asin: string): Product | undefined {
    const position = this.products.find(asin);
    return position < 0 ? undefined : this.products.at(position);
  }

  /** @throws {RangeError} The goal does not exist. */
  newSession(id: string, goalIndex: number): Session {
    const goal = this.goals[goalIndex];
    if (!goal) throw new RangeError(`goal ${goalIndex} does not exist; there are ${this.goals.length}`);
    return newSession(id, goal, goalIndex);
  }

  /**
   * Resets the session except for its goal.
   *
   * @param keepOptions  Keep the options chosen on products; default false, as in the original.
   */
  openIndex(session: Session, keepOptions = false): void {
    const { id, goal, goalIndex, asin, options, kept } = session;
    if (keepOptions && asin !== null) kept.set(asin, options);
    Object.assign(session, newSession(id, goal, goalIndex), keepOptions && { kept });
  }

  /** @param random  Needed for `<r>` only. */
  openResults(session: Session, keywords: readonly string[], pageNumber: number, random: () => PythonRandom): void {
    session.page = 'results';
    session.subPage = null;
    session.keywords = keywords;
    session.pageNumber = pageNumber;
    session.asin = null;
    session.options = new Map();
    session.hits = this.#find(keywords, random);
    count(session, 'search');
  }

  openProduct(session: Session, asin: string): void {
    session.asin = asin;
    session.asins.add(asin);
    count(session, 'asin');
    this.#showItem(session);
  }

  chooseOption(session: Session, name: string, value: string): void {
    session.options.set(name, value);
    count(session, 'options');
    this.#showItem(session);
  }

  backToItem(session: Session): void {
    this.#showItem(session);
  }

  openSubPage(session: Session, subPage: SubPage): void {
    session.page = 'sub-page';
    session.subPage = subPage;
    count(session, subPage);
  }

  openCart(session: Session): void {
    session.page = 'cart';
    session.subPage = null;
  }

  /** @returns The reward, 0 to 1. */
  buy(session: Session): number {
    const product = this.productOf(session.asin!)!;
    count(session, 'purchase');
    const { reward, parts } = rewardOf(
      { product, goal: session.goal, price: this.price(product.asin), options: session.options },
      { nouns: this.nouns, backend: this.fuzzy },
    );
    Object.assign(session, { page: 'done', subPage: null, done: true, reward, parts });
    return reward;
  }

  /** Products of the open results page. */
  productsOnPage({ page, hits, pageNumber }: Session): Product[] {
    if (page !== 'results') return [];
    const first = ((pageNumber ?? 1) - 1) * this.productsPerPage;
    return hits.slice(first, first + this.productsPerPage).map((position) => this.products.at(position));
  }

  /** @param imageOf  Addresses of pictures; default: those of the catalog. */
  page(session: Session, imageOf = writtenAddress): Element {
    return pageOf({
      session,
      products: this.productsOnPage(session),
      product: session.asin === null ? undefined : this.productOf(session.asin),
      showAttributes: this.showAttributes,
      cart: this.cart,
      imageOf,
    });
  }

  #showItem(session: Session): void {
    session.page = 'item';
    session.subPage = null;
  }

  /** Positions of the hits of a search, or of a shortcut if enabled. */
  #find(keywords: readonly string[], random: () => PythonRandom): readonly number[] {
    if (this.shortcuts) {
      const [first, ...rest] = keywords;
      const words = pythonStrip(rest.join(' '));
      if (first === '<r>') return random().sample(this.products.size, Math.min(this.#hits, this.products.size));
      const kind = pythonStrip(rest[0] ?? '');
      if (first === '<a>') return this.#select(`a ${words}`, ({ attributes }) => attributes.includes(words));
      if (first === '<c>') return this.#select(`c ${kind}`, ({ category }) => category === kind);
      if (first === '<q>') return this.#select(`q ${words}`, ({ query }) => query === words);
    }
    return this.find(keywords.join(' '));
  }

  /** Positions of the hits of a plain search, best first. */
  find(query: string): readonly number[] {
    return cached(this.#recent, query, MAX_SEARCHES, () =>
      this.#search.search(query, this.#hits).map(({ position }) => position),
    );
  }

  /** Reads all products, in the worst case from disk. */
  #select(key: string, wanted: (product: Product) => boolean): readonly number[] {
    return cached(this.#selected, key, MAX_SHORTCUTS, () => {
      const found: number[] = [];
      for (let position = 0; position < this.products.size; position += 1) {
        if (wanted(this.products.at(position))) found.push(position);
      }
      return found;
    });
  }
}

/** Maximum number of cached searches: agents repeat them, and every page of results repeats one. */
const MAX_SEARCHES = 2000;
/** Maximum number of cached shortcuts; one may find a fifth of the catalog. */
const MAX_SHORTCUTS = 20;

function cached<T>(cache: Map<string, T>, key: string, limit: number, find: () => T): T {
  const before = cache.get(key);
  if (before !== undefined) return before;
  const found = find();
  if (cache.size >= limit) cache.delete(cache.keys().next().value!);
  cache.set(key, found);
  return found;
}

function count(session: Session, what: keyof Session['counts']): void {
  session.counts[what] = (session.counts[what] ?? 0) + 1;
}

function isStore(products: ProductStore | readonly Product[]): products is ProductStore {
  return 'find' in products && 'size' in products;
}

function* everyProduct(products: ProductStore): Iterable<Product> {
  for (let position = 0; position < products.size; position += 1) yield products.at(position);
}

/** The catalog has no goals of the requested kind, or the filter keeps none. */
export class NoGoalsError extends GymError {
  /** @param filtered  Number of goals before `filterGoals`. */
  constructor(kind: GoalKind, filtered = 0) {
    const load = `load the instructions, or use ${kind === 'human' ? 'synthetic' : 'human'} goals`;
    super(filtered > 0 ? `\`filterGoals\` keeps none of ${filtered} goals.` : `The catalog has no ${kind} goals.`, {
      code: 'NO_GOALS',
      value: kind,
      expected: 'at least one goal',
      hint: filtered > 0 ? 'return true for the goals to keep' : load,
    });
  }
}
