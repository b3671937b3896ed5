/**
 * The shop as a web site, for people and for the browser environment: plain HTTP on loopback, nothing from outside.
 *
 * Every request says the whole state in its address; the session keeps the goal, what was opened and the result. Product
 * text is hostile: all of it is escaped, and the content security policy lets only the shop's own style and script run.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { GymError, PythonRandom } from '@vlgym/core';
import type { Product } from '../catalog/product.js';
import { pythonLower } from '../python/lower-case.js';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { SCRIPT, STYLE } from './assets.js';
import { fontFile, fontRules } from './font.js';
import { htmlContents, htmlPage, pageTitle } from './html-page.js';
import { drawPicture, specOf } from './picture.js';
import { formatRoute, parseRoute, type Route, routeOf } from './routes.js';

export interface ShopServerOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine alone. */
  readonly host?: string;
  /** Names that the shop is called by, beside `localhost` and plain addresses, e.g. `shop.example`; others are refused. */
  readonly names?: readonly string[];
  /** Options of a product are kept when one leaves it and comes back; default true. */
  readonly keepOptions?: boolean;
  /** Pages after the last hit open, empty, as in the original; default true. Else the last one is shown in their place. */
  readonly endless?: boolean;
  /** Seed of goals for sessions that people open; default: fresh entropy. */
  readonly seed?: number;
  /** Draws the products of `<r>`; default: the generator of `seed`. */
  readonly random?: () => PythonRandom;
  /** Sessions kept; the one used longest ago goes first. Default 10,000. */
  readonly mostSessions?: number;
  /** Told once per session, when something is bought: `session.reward` (0 to 1) and `session.parts` stand by then. */
  readonly onDone?: (session: Session) => void;
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Style and script stay the same while the shop is open. */
const KEPT = { 'cache-control': 'max-age=86400' };

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const ALLOWED = { allow: [...METHODS].join(', ') };

/** Longest address and longest form, bytes. */
const LONGEST = 256 * 1024;

export class ShopServer implements AsyncDisposable {
  readonly shop: Shop;
  readonly #sessions = new Map<string, Session>();
  readonly #server: Server;
  readonly #options: ShopServerOptions;
  readonly #random: PythonRandom;

  constructor(shop: Shop, options: ShopServerOptions = {}) {
    this.shop = shop;
    this.#options = options;
    this.#random = options.seed === undefined ? new PythonRandom() : new PythonRandom(options.seed);
    this.#server = createServer({ maxHeaderSize: LONGEST, requestTimeout: 30_000 }, (request, response) => {
      void this.#answer(request, response);
    });
  }

  /** @returns The address of the site, e.g. `http://127.0.0.1:40123`. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    const { port = 0, host = '127.0.0.1' } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(
          new GymError(`The shop cannot listen on ${host}:${port}.`, {
            code: 'PORT_TAKEN',
            value: port,
            hint: 'choose another port, or 0 for a free one',
            cause,
          }),
        ),
      );
      this.#server.listen(port, host, resolve);
    });
    return this.url;
  }

  get url(): string {
    const address = this.#server.address() as AddressInfo | null;
    if (!address) throw new GymError('The shop is not open.', { code: 'SHOP_CLOSED', hint: 'call `listen()` first' });
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  /** Finishes what is being answered, then closes all connections. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const patience = setTimeout(() => this.#server.closeAllConnections(), 2000);
    await closed;
    clearTimeout(patience);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Opens a session with a chosen goal; one of this name is forgotten. */
  open(id: string, goalIndex: number): Session {
    const session = this.shop.newSession(id, goalIndex);
    this.adopt(session);
    return session;
  }

  session(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Where the page of a session stands. @throws {GymError} `SHOP_CLOSED` */
  addressOf(session: Session): string {
    return this.url + formatRoute(routeOf(session));
  }

  /** Forgets a session. */
  drop(id: string): void {
    this.#sessions.delete(id);
  }

  /** Takes a session as it is, e.g. one that was saved; one of this name is forgotten. */
  adopt(session: Session): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    const { mostSessions = 10_000 } = this.#options;
    if (this.#sessions.size > mostSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [pathname = '/'] = (request.url ?? '/').split('?', 1);
      if (!this.#called(request.headers.host)) send(response, 421, 'text/plain', 'this shop has another name');
      else if (!METHODS.has(request.method!)) send(response, 405, 'text/plain', 'only GET, HEAD and POST', ALLOWED);
      else if (pathname === '/static/shop.css') send(response, 200, 'text/css', fontRules() + STYLE, KEPT);
      else if (pathname === '/static/shop.js') send(response, 200, 'text/javascript', SCRIPT, KEPT);
      else if (fontFile(pathname)) send(response, 200, 'font/woff2', fontFile(pathname)!, KEPT);
      else if (pathname.startsWith('/static/')) send(response, 404, 'text/plain', 'there is no such file');
      else if (pathname === '/')
        redirect(response, `/${this.#random.choices('abcdefghijklmnopqrstuvwxyz', { k: 10 }).join('')}`);
      else await this.#page(request, response, parseRoute(pathname));
    } catch {
      if (!response.headersSent) send(response, 500, 'text/plain', 'the shop could not answer this request');
      else response.destroy();
    }
  }

  async #page(request: IncomingMessage, response: ServerResponse, route: Route | undefined): Promise<void> {
    if (!route) return send(response, 404, 'text/plain', 'there is no such page');
    const session = this.#visit(route.session) ?? (route.page === 'index' ? this.#opened(route.session) : undefined);
    if (!session) return send(response, 404, 'text/plain', `open /${route.session} first`);
    const post = request.method === 'POST';
    const swap = request.headers['x-shop-part'] === 'main'; // asked for by the page's own script
    const wanted = post && route.page === 'index' ? await searched(request, route) : route;
    if (!wanted) return send(response, 413, 'text/plain', 'the form is too long');
    // after a form comes the address of its page, so that "reload" sends nothing again
    if (post && !swap && route.page === 'index') return redirect(response, formatRoute(wanted));
    if (!this.show(session, wanted)) return send(response, 404, 'text/plain', 'there is no such page');
    const shown = formatRoute(session.page === 'results' ? routeOf(session) : wanted);
    if (post && !swap) return redirect(response, shown);
    const page = this.shop.page(session, pictureAddress);
    if (!swap) return send(response, 200, 'text/html', htmlPage(page, session));
    const about = { 'x-shop-title': pageTitle(session), 'x-shop-address': shown };
    send(response, 200, 'text/html', htmlContents(page, session), about);
  }

  /** By a name that a page elsewhere cannot have pointed here: an address was not looked up. */
  #called(host = ''): boolean {
    const name = host.toLowerCase().replace(/:\d+$/, '');
    const { host: own = 'localhost', names = [] } = this.#options;
    const known = ['localhost', own, ...names].map((each) => each.toLowerCase());
    return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || known.includes(name);
  }

  /** A session that there is, which counts as used. */
  #visit(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session) this.adopt(session);
    return session;
  }

  /** People's sessions: `fixed_12` has goal 12, others a drawn one. */
  #opened(id: string): Session {
    const fixed = /fixed_(\d+)$/.exec(id);
    const last = this.shop.goals.length - 1;
    return this.open(id, fixed ? Math.min(Number(fixed[1]), last) : this.shop.draws.index(this.#random));
  }

  /** Brings the session to the state that an address says; false where there is no such page. */
  show(session: Session, route: Route): boolean {
    const { shop } = this;
    const { keepOptions = true, endless = true, random = () => this.#random } = this.#options;
    if (session.done) return true; // what was bought stays bought
    if (formatRoute(route) === formatRoute(routeOf(session))) return true; // shown again, not opened again
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
      // a hand-made address can come before any search
      session.keywords = route.keywords;
      session.pageNumber = route.number;
    }
    if (session.asin !== route.asin) shop.openProduct(session, route.asin);
    session.options = offered(product, route.options);
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

/** Where the form of the first page leads; nothing where it is too long. */
async function searched(request: IncomingMessage, index: Route): Promise<Route | undefined> {
  const form = await body(request);
  if (form === undefined) return undefined;
  const words = new URLSearchParams(form).get('search_query') ?? '';
  if (words === '') return index;
  return { page: 'results', session: index.session, keywords: pythonLower(words).split(' '), number: 1 };
}

/** Only what the product has: an address can say anything. */
function offered({ options }: Product, chosen: ReadonlyMap<string, string>): Map<string, string> {
  const has = (name: string, value: string) =>
    options.some((group) => group.name === name && group.values.includes(value));
  return new Map([...chosen].filter(([name, value]) => has(name, value)));
}

/** In the page itself: a request per picture would cost more than the picture. */
function pictureAddress(product: Product, options?: ReadonlyMap<string, string>): string {
  return `data:image/svg+xml,${encodeURIComponent(drawPicture(specOf(product, options)))}`;
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  content: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': typeof content === 'string' ? `${type}; charset=utf-8` : type,
    'content-length': Buffer.byteLength(content),
    ...more,
  });
  response.end(content);
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(303, { ...HEADERS, location: to, 'content-length': 0 });
  response.end();
}

/** Read to its end, so that who sends it can read the answer; nothing is kept of what is too long. */
async function body(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length <= LONGEST) pieces.push(piece as Buffer);
    else pieces.length = 0;
  }
  return length > LONGEST ? undefined : Buffer.concat(pieces).toString('utf8');
}
