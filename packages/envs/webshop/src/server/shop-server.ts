/**
 * The shop as a web site, for people and for the browser environment: plain HTTP on loopback, nothing from outside.
 *
 * Every request says the whole state in its address; the session keeps the goal, what was opened and the result. Product
 * text is hostile: all of it is escaped, and the content security policy lets only the shop's own style and script run.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GymError, PythonRandom } from '@vlgym/core';
import type { Product } from '../catalogue/product.js';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { SCRIPT, STYLE } from './assets.js';
import { fontFile, fontRules } from './font.js';
import { htmlContents, htmlPage, pageTitle } from './html-page.js';
import { drawPicture, specOf } from './picture.js';
import { formatRoute, parseRoute, type Route } from './routes.js';

export interface ShopServerOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine alone. */
  readonly host?: string;
  /** Options of a product are kept when one leaves it and comes back; default true. */
  readonly keepOptions?: boolean;
  /** Seed of goals for sessions that people open; default: fresh entropy. */
  readonly seed?: number;
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

/** Longest address and longest form, bytes. */
const LONGEST = 256 * 1024;

export class ShopServer implements AsyncDisposable {
  readonly shop: Shop;
  readonly #sessions = new Map<string, Session>();
  readonly #server: Server;
  readonly #options: ShopServerOptions;
  readonly #random: PythonRandom;
  /** Answers held back; tests and environments look at it. */
  requests = 0;

  constructor(shop: Shop, options: ShopServerOptions = {}) {
    this.shop = shop;
    this.#options = options;
    this.#random = options.seed === undefined ? new PythonRandom() : new PythonRandom(options.seed);
    this.#server = createServer({ maxHeaderSize: LONGEST, requestTimeout: 30_000 }, (request, response) => {
      this.requests += 1;
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
      if (request.method !== 'GET' && request.method !== 'POST') send(response, 405, 'text/plain', 'only GET and POST');
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
    const session =
      this.#sessions.get(route.session) ?? (route.page === 'index' ? this.#opened(route.session) : undefined);
    if (!session) return send(response, 404, 'text/plain', `open /${route.session} first`);
    const post = request.method === 'POST';
    const swap = request.headers['x-shop-part'] === 'main'; // asked for by the page's own script
    const shown = post && route.page === 'index' ? await searched(request, route) : route;
    // after a form comes the address of its page, so that "reload" sends nothing again
    if (post && !swap && route.page === 'index') return redirect(response, formatRoute(shown));
    if (!this.show(session, shown)) return send(response, 404, 'text/plain', 'there is no such page');
    if (post && !swap) return redirect(response, formatRoute(shown));
    const page = this.shop.page(session, pictureAddress);
    if (!swap) return send(response, 200, 'text/html', htmlPage(page, session));
    const about = { 'x-shop-title': pageTitle(session), 'x-shop-address': formatRoute(shown) };
    send(response, 200, 'text/html', htmlContents(page, session), about);
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
    if (session.done) return true; // what was bought stays bought
    if (route.page === 'index') {
      shop.openIndex(session);
      return true;
    }
    if (route.page === 'results') {
      if (this.#options.keepOptions !== false && session.asin !== null) session.kept.set(session.asin, session.options);
      shop.openResults(session, route.keywords, route.number, () => this.#random);
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

/** Where the form of the first page leads. */
async function searched(request: IncomingMessage, index: Route): Promise<Route> {
  const words = new URLSearchParams(await body(request)).get('search_query') ?? '';
  if (words === '') return index;
  return { page: 'results', session: index.session, keywords: words.toLowerCase().split(' '), number: 1 };
}

/** Only what the product has: an address can say anything. */
function offered({ options }: Product, chosen: ReadonlyMap<string, string>): Map<string, string> {
  const has = (name: string, value: string) =>
    options.some((group) => group.name === name && group.values.includes(value));
  return new Map([...chosen].filter(([name, value]) => has(name, value)));
}

/** In the page itself: a request per picture would cost more than the picture. */
function pictureAddress(product: Product, option?: string): string {
  return `data:image/svg+xml,${encodeURIComponent(drawPicture(specOf(product, option)))}`;
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

async function body(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > LONGEST) throw new RangeError('the form is too long');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}
