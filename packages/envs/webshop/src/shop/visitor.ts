/**
 * A shopper in the shop: performs text actions on a session and shows the page.
 *
 * Order of the rules for a click: section 2.2 of `docs/specs/webshop.md`; the first that matches wins.
 */
import type { PythonRandom } from '@vlgym/core/random';
import { plainText } from '@vlgym/site/text';
import { parseAction } from './action.js';
import type { Element } from './element.js';
import { type AvailableActions, clickables, richText } from './observe.js';
import { type Session, SUB_PAGES, sessionUrl } from './session.js';
import type { Shop } from './shop.js';

/** Result of an action. */
export interface Outcome {
  /** 0 to 1 at a purchase, else 0. */
  readonly reward: number;
  /** Whether something was bought. */
  readonly done: boolean;
  /** The reason why the action had no effect. */
  readonly refused?: string;
}

export interface VisitorOptions {
  /**
   * Closes loopholes of the original: search only on the page with the search box (the original searches on every page and
   * drops the options), no pages beyond the last hit, options are kept when a product is left and opened again, even by
   * "Back to Search", chosen options are marked by the choice (the original searches the URL), and arguments may contain
   * brackets.
   */
  readonly strict: boolean;
}

export class Visitor {
  #page: Element | undefined;
  #clickables: Map<string, Element> | undefined;

  /** @param random  Draws the products of `<r>`. */
  constructor(
    readonly shop: Shop,
    readonly session: Session,
    readonly options: VisitorOptions,
    readonly random: () => PythonRandom,
  ) {}

  get url(): string {
    return sessionUrl(this.session);
  }

  get page(): Element {
    this.#page ??= this.shop.page(this.session);
    return this.#page;
  }

  get text(): string {
    return plainText(this.page);
  }

  get richText(): string {
    const { asins, options } = this.session;
    return richText(this.page, { url: this.url, asins, options, parity: !this.options.strict });
  }

  get available(): AvailableActions {
    return { hasSearchBar: this.session.page === 'index', clickables: [...this.#targets().keys()] };
  }

  #targets(): Map<string, Element> {
    this.#clickables ??= clickables(this.page);
    return this.#clickables;
  }

  act(text: string): Outcome {
    const refused = this.refusal(text);
    if (refused !== undefined) return { reward: 0, done: false, refused };
    const { name, argument } = parseAction(text, this.options.strict);
    let reward = 0;
    if (name === 'search') this.#openResults(argument!.split(' '), 1);
    else reward = this.#click(argument!, this.#targets().get(argument!)!);
    this.#changed();
    return { reward, done: name === 'click' && this.session.page === 'done' };
  }

  /** The reason why an action would have no effect now; `undefined` if it would. */
  refusal(text: string): string | undefined {
    const { strict } = this.options;
    const { name, argument } = parseAction(text, strict);
    if (argument === undefined) return 'not of the form search[words] or click[thing]';
    if (name === 'search') return strict && this.session.page !== 'index' ? 'this page has no search box' : undefined;
    if (name !== 'click') return `unknown action "${name.slice(0, 40)}"`;
    if (!this.#targets().has(argument)) return 'nothing on this page has this name';
    if (argument === 'search') return 'the search button needs words: search[words]';
    return strict && argument === 'next >' && this.#atLastPage ? 'there are no more results' : undefined;
  }

  #click(name: string, target: Element): number {
    const { shop, session } = this;
    const { page, keywords, pageNumber } = session;
    const turn = (by: number) => this.#openResults(keywords!, pageNumber! + by);
    const subPage = SUB_PAGES.find((label) => label.toLowerCase() === name);
    if (name === 'buy now' && !shop.cart) return shop.buy(session);
    if (name === 'place order' && page === 'cart') return shop.buy(session);
    if (name === 'buy now') shop.openCart(session);
    else if (name === 'back to search') shop.openIndex(session, this.options.strict);
    else if (name === 'next >' && page === 'results') turn(1);
    else if (name === '< prev' && page === 'results') turn(-1);
    else if (name === '< prev' && (page === 'sub-page' || page === 'cart')) shop.backToItem(session);
    else if (name === '< prev' && page === 'item') turn(0);
    else if (subPage) shop.openSubPage(session, subPage);
    else if (target.attributes.class === 'product-link') this.#openProduct(target.attributes['data-asin']!);
    else shop.chooseOption(session, target.attributes.name!.toLowerCase(), name);
    return 0;
  }

  #openResults(keywords: readonly string[], pageNumber: number): void {
    const { asin, options, kept } = this.session;
    if (this.options.strict && asin !== null) kept.set(asin, options);
    this.shop.openResults(this.session, keywords, pageNumber, this.random);
  }

  #openProduct(asin: string): void {
    this.shop.openProduct(this.session, asin);
    if (this.options.strict) this.session.options = new Map(this.session.kept.get(asin));
  }

  get #atLastPage(): boolean {
    const { page, hits, pageNumber } = this.session;
    return page === 'results' && pageNumber! * this.shop.productsPerPage >= hits.length;
  }

  #changed(): void {
    this.#page = undefined;
    this.#clickables = undefined;
  }
}
