/**
 * The shop as a web site, for people and for the browser environment: plain HTTP on loopback, without external resources.
 *
 * The address of a request contains the full state; the session keeps the goal, opened products, and the result. Product
 * text is untrusted: all of it is escaped, and the content security policy allows only the shop's own style and script.
 */

import { GymError } from '@vlgym/core';
import { Listener, RefusedRequest } from '@vlgym/core/http';
import { checkNames, names } from '@vlgym/core/internal';
import { PythonRandom } from '@vlgym/core/random';
import { PHOTO_NAME, PHOTOS, photoType } from '../catalog/photos.js';
import type { Product } from '../catalog/product.js';
import { pythonLower } from '../python/lower-case.js';
import type { Element } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { type Dresser, dresserOf } from '../themes/dresser.js';
import type { Disturbance, Theme } from '../themes/theme.js';
import { SCRIPT, STYLE } from './assets.js';
import { answerOf, MAX_BYTES, redirectTo, type ShopAnswer, type ShopRequest } from './exchange.js';
import { fontFile, fontRules } from './font.js';
import { htmlContents, htmlPage, pageTitle } from './html-page.js';
import { pictureAddress } from './picture.js';
import { formatRoute, parseRoute, type Route, routeOf } from './routes.js';

export interface ShopServerOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string | undefined;
  /** Needed beyond this machine, 16 or more characters: browsers ask for it as the password, with any name of a user. */
  readonly token?: string | undefined;
  /** Host names besides `localhost`, e.g. `shop.example` of a reverse proxy; on this machine, others are refused. */
  readonly names?: readonly string[] | undefined;
  /** Keep the options of a product that is left and opened again; default true. */
  readonly keepOptions?: boolean | undefined;
  /** Open empty pages after the last hit, as in the original; default true. If false, the last page is shown instead. */
  readonly endless?: boolean | undefined;
  /** Seed of goals for sessions that people open; default: random. */
  readonly seed?: number | undefined;
  /** Generator for the products of `<r>`; default: the one of `seed`. */
  readonly random?: (() => PythonRandom) | undefined;
  /** Maximum number of sessions; the least recently used one is dropped. Default 10,000. */
  readonly mostSessions?: number | undefined;
  /** How the pages look; default `parity`. Others need the packages @vlgym/render and three. */
  readonly theme?: Theme | undefined;
  /** Features that make the pages harder to use, in themes other than `parity`; default none. */
  readonly disturbances?: readonly Disturbance[] | undefined;
  /** Called once per session after a purchase, with `session.reward` (0 to 1) and `session.parts` set. */
  readonly onDone?: ((session: Session) => void) | undefined;
}

/** Style and script do not change while the shop is open. */
const CACHEABLE = { 'cache-control': 'max-age=86400' };

const MAX_CONNECTIONS = 1024;

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const ALLOWED = { allow: [...METHODS].join(', ') };
const PHOTO_ADDRESS = `/static/${PHOTOS}`;
const FAILED = answerOf(500, 'text/plain', 'the shop could not answer this request');

const SHOP_SERVER_OPTIONS = names<ShopServerOptions>({
  port: 0,
  host: 0,
  token: 0,
  names: 0,
  keepOptions: 0,
  endless: 0,
  seed: 0,
  random: 0,
  mostSessions: 0,
  theme: 0,
  disturbances: 0,
  onDone: 0,
});

export class ShopServer implements AsyncDisposable {
  readonly shop: Shop;
  readonly #sessions = new Map<string, Session>();
  readonly #listener: Listener;
  #url: string | undefined;
  readonly #options: ShopServerOptions;
  readonly #random: PythonRandom;
  #dresser: Dresser | undefined;

  constructor(shop: Shop, options: ShopServerOptions = {}) {
    checkNames('options', options, SHOP_SERVER_OPTIONS);
    this.shop = shop;
    this.#options = options;
    this.#random = options.seed === undefined ? new PythonRandom() : new PythonRandom(options.seed);
    const { host, port, token, names } = options;
    this.#listener = new Listener({
      ...{ host, port, token, names },
      tokenHint: 'pass `token`; browsers ask for it as the password',
      maxConnections: MAX_CONNECTIONS,
      maxBodyBytes: MAX_BYTES,
      maxHeaderBytes: MAX_BYTES,
      answer: ({ method, url, headers, body }) => {
        const part = headers['x-shop-part'] === 'main';
        return this.answer({ method, path: url.pathname + url.search, part, form: body.toString('utf8') });
      },
      failure: (error) => {
        if (!(error instanceof RefusedRequest)) return FAILED;
        const { status, message } = error;
        return answerOf(
          status,
          'text/plain',
          message,
          status === 401 ? { 'www-authenticate': 'Basic realm="shop"' } : {},
        );
      },
    });
  }

  /** @returns Address of the site, e.g. `http://127.0.0.1:40123`. @throws {GymError} `PORT_TAKEN`, `RENDERER_MISSING` */
  async listen(): Promise<string> {
    const { theme = 'parity', disturbances = [] } = this.#options;
    this.#dresser ??= await dresserOf(this.shop, theme, disturbances);
    this.#url = await this.#listener.listen();
    return this.#url;
  }

  /** Lets the process end although the shop is open, as for a server that only its own browser visits. */
  unref(): this {
    this.#listener.unref();
    return this;
  }

  get url(): string {
    if (this.#url !== undefined) return this.#url;
    throw new GymError('The shop is not open.', { code: 'SHOP_CLOSED', hint: 'call `listen()` first' });
  }

  async close(): Promise<void> {
    this.#url = undefined;
    await this.#listener.close();
    this.#dresser?.close();
    this.#dresser = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Opens a session with a given goal; replaces one of the same name. */
  open(id: string, goalIndex: number): Session {
    const session = this.shop.newSession(id, goalIndex);
    this.adopt(session);
    return session;
  }

  session(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Full address of a session's page. @throws {GymError} `SHOP_CLOSED` */
  addressOf(session: Session): string {
    return this.url + formatRoute(routeOf(session));
  }

  /** Drops a session. */
  drop(id: string): void {
    this.#sessions.delete(id);
  }

  /** Adds an existing session, e.g. a saved one; replaces one of the same name. */
  adopt(session: Session): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    const { mostSessions = 10_000 } = this.#options;
    if (this.#sessions.size > mostSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
  }

  /** Answers a request, wherever it comes from; never throws. */
  answer(request: ShopRequest): ShopAnswer {
    try {
      return this.#answer(request);
    } catch {
      return FAILED;
    }
  }

  #answer(request: ShopRequest): ShopAnswer {
    const [pathname = '/'] = request.path.split('?', 1);
    if (!METHODS.has(request.method)) return answerOf(405, 'text/plain', 'only GET, HEAD and POST', ALLOWED);
    if (pathname === '/static/shop.css') {
      return answerOf(200, 'text/css', fontRules() + (this.#dresser?.style ?? STYLE), CACHEABLE);
    }
    if (pathname === '/static/shop.js') return answerOf(200, 'text/javascript', SCRIPT, CACHEABLE);
    const font = fontFile(pathname);
    if (font) return answerOf(200, 'font/woff2', font, CACHEABLE);
    const photo = this.#photo(pathname);
    if (photo) return photo;
    if (pathname.startsWith('/static/')) return answerOf(404, 'text/plain', 'file not found');
    if (pathname !== '/') return this.#page(request, parseRoute(pathname));
    return redirectTo(`/${this.#random.choices('abcdefghijklmnopqrstuvwxyz', { k: 10 }).join('')}`);
  }

  #photo(pathname: string): ShopAnswer | undefined {
    const name = pathname.startsWith(PHOTO_ADDRESS) ? pathname.slice(PHOTO_ADDRESS.length) : '';
    const bytes = PHOTO_NAME.test(name) ? this.shop.products.photo?.(name) : undefined;
    return bytes && answerOf(200, photoType(name), bytes, CACHEABLE);
  }

  #page(request: ShopRequest, route: Route | undefined): ShopAnswer {
    if (!route) return answerOf(404, 'text/plain', 'page not found');
    const session = this.#visit(route.session) ?? (route.page === 'index' ? this.#opened(route.session) : undefined);
    if (!session) return answerOf(404, 'text/plain', `open /${route.session} first`);
    const post = request.method === 'POST';
    const wanted = post && route.page === 'index' ? searchRoute(request.form, route) : route;
    // A form redirects to the address of its page, so that "reload" does not send it again.
    if (post && !request.part && route.page === 'index') return redirectTo(formatRoute(wanted));
    if (!this.show(session, wanted)) return answerOf(404, 'text/plain', 'page not found');
    const shown = formatRoute(session.page === 'results' ? routeOf(session) : wanted);
    if (post && !request.part) return redirectTo(shown);
    const page = this.#pageOf(session);
    if (!request.part) return answerOf(200, 'text/html', htmlPage(page, session));
    const about = { 'x-shop-title': pageTitle(session), 'x-shop-address': shown };
    return answerOf(200, 'text/html', htmlContents(page, session), about);
  }

  #pageOf(session: Session): Element {
    return this.#dresser?.page(session) ?? this.shop.page(session, pictureAddress);
  }

  /** Returns an existing session and marks it as used. */
  #visit(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session) this.adopt(session);
    return session;
  }

  /** Opens a session of a person: `fixed_12` has goal 12, others a drawn goal. */
  #opened(id: string): Session {
    const fixed = /fixed_(\d+)$/.exec(id);
    const last = this.shop.goals.length - 1;
    return this.open(id, fixed ? Math.min(Number(fixed[1]), last) : this.shop.draws.index(this.#random));
  }

  /** Moves the session to the state of an address; false if the page does not exist. */
  show(session: Session, route: Route): boolean {
    const { shop } = this;
    const { keepOptions = true, endless = true, random = () => this.#random } = this.#options;
    if (session.done) return true; // a purchase is final
    if (formatRoute(route) === formatRoute(routeOf(session))) return true; // shown again, not counted again
    if (route.page === 'index') {
      shop.openIndex(session, keepOptions);
      return true;
    }
    if (route.page === 'results') {
      if (keepOptions && session.asin !== null) session.kept.set(session.asin, session.options);
      shop.openResults(session, route.keywords, route.number, random);
      if (!endless) session.pageNumber = Math.min(route.number, lastPage(session, shop));
      return true;
    }
    const product = shop.productOf(route.asin);
    if (!product || (route.page === 'cart' && !shop.cart)) return false;
    if (route.page !== 'done') {
      // A hand-written address may come before any search.
      session.keywords = route.keywords;
      session.pageNumber = route.number;
    }
    if (session.asin !== route.asin) shop.openProduct(session, route.asin);
    session.options = offeredOptions(product, route.options);
    if (route.page === 'item') shop.backToItem(session);
    else if (route.page === 'cart') shop.openCart(session);
    else if (route.page === 'sub-page') shop.openSubPage(session, route.subPage);
    else {
      shop.buy(session);
      this.#options.onDone?.(session);
    }
    return true;
  }
}

function lastPage({ hits }: Session, { productsPerPage }: Shop): number {
  return Math.max(1, Math.ceil(hits.length / productsPerPage));
}

/** Target of the search form. */
function searchRoute(form: string, index: Route): Route {
  const words = new URLSearchParams(form).get('search_query') ?? '';
  if (words === '') return index;
  return { page: 'results', session: index.session, keywords: pythonLower(words).split(' '), number: 1 };
}

/** Drops options that the product does not have: an address can contain anything. */
function offeredOptions({ options }: Product, chosen: ReadonlyMap<string, string>): Map<string, string> {
  const has = (name: string, value: string) =>
    options.some((group) => group.name === name && group.values.includes(value));
  return new Map([...chosen].filter(([name, value]) => has(name, value)));
}
