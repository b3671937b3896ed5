/**
 * One page of a browser on one site: real clicks and typing, and waiting for what they cause.
 *
 * Nothing sleeps: after an input the page is asked when it has shown what that began; a navigation that was scheduled by
 * then, which the page reports in order, is waited for.
 * Requests to anything but the site are blocked and counted: here, so that the page stays where it is, and at the gate what
 * is not seen here.
 */
import type { RgbImage } from '@vlgym/core';
import type {
  Browser,
  BrowserContext,
  CDPSession,
  HTTPRequest,
  Page,
  Protocol,
  SerializedAXNode,
} from 'puppeteer-core';
import { Gate } from './gate.js';
import type { LivePage } from './live-page.js';
import { PageLostError, within } from './page-lost.js';
import { decodeScreenshot } from './screenshot-png.js';

export interface BrowserPageOptions {
  /** Where the page may go, e.g. `http://127.0.0.1:8080`. */
  readonly origins: readonly string[];
  /** Expression that reads the page, e.g. `SHOP_VIEW`. */
  readonly view: string;
  readonly width: number;
  readonly height: number;
  /** Milliseconds until a page counts as lost. */
  readonly timeout: number;
  /** Longest wait for requests under way before a page is read, milliseconds; without it they are not waited for. */
  readonly patience?: number;
}

/**
 * Settles when what an input has begun is there: the shop's own script knows; other pages are given a frame, by which a
 * click has begun what it begins.
 */
const SHOWN = `(globalThis.shopPage
  ? shopPage.shown()
  : new Promise((done) => requestAnimationFrame(() => setTimeout(done))))`;

/** Links that ask for a window of their own open in this one: there is no other. */
const SAME_WINDOW = `addEventListener('click', ({ target }) => {
  target.closest?.('a[target]')?.removeAttribute('target');
}, true);`;

/** No request for so long, milliseconds: a page that asks again when it has an answer is waited for. */
const IDLE = 50;

/** What Chromium answers when the document that was asked is gone. */
const GONE =
  /context was destroyed|navigated or closed|Cannot find (default execution )?context|Promise was collected/i;

export class BrowserPage {
  /** Requests that would have left the site. */
  blocked = 0;
  #navigating = false;
  readonly #waiting: (() => void)[] = [];
  #lost: string | undefined;
  readonly #client: CDPSession;
  readonly #gate: Gate;
  readonly #options: BrowserPageOptions;

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    client: CDPSession,
    gate: Gate,
    options: BrowserPageOptions,
  ) {
    this.#client = client;
    this.#gate = gate;
    this.#options = options;
  }

  static async open(browser: Browser, options: BrowserPageOptions): Promise<BrowserPage> {
    const refused = { count: () => {} };
    const gate = await Gate.open(options.origins, () => refused.count());
    try {
      // loopback, too, goes through the gate
      const context = await browser.createBrowserContext({
        proxyServer: gate.address,
        proxyBypassList: ['<-loopback>'],
      });
      // without tool bars, which would be drawn anew in every step
      const page = await context.newPage({ type: 'window', windowBounds: { windowState: 'fullscreen' } });
      await page.setViewport({ width: options.width, height: options.height, deviceScaleFactor: 1 });
      page.setDefaultTimeout(options.timeout);
      const opened = new BrowserPage(page, context, await page.createCDPSession(), gate, options);
      refused.count = () => {
        opened.blocked += 1;
      };
      await opened.#guard();
      return opened;
    } catch (error) {
      gate.close();
      throw error;
    }
  }

  async #guard(): Promise<void> {
    const page = this.page;
    const client = this.#client;
    await client.send('Page.enable');
    const main = (await client.send('Page.getFrameTree')).frameTree.frame.id;
    const begins = ({ frameId }: { frameId: string }) => {
      if (frameId === main) this.#navigating = true;
    };
    // sent by the page itself, before it answers anything that is asked later
    client.on('Page.frameScheduledNavigation', begins);
    client.on('Page.frameRequestedNavigation', begins);
    page.on('load', () => this.#arrived());
    page.on('requestfailed', (request) => {
      if (request.isNavigationRequest()) this.#arrived();
    });
    if (this.#options.patience !== undefined) await page.evaluateOnNewDocument(SAME_WINDOW);
    await page.setRequestInterception(true);
    await page.setCacheEnabled(true); // for style and script
    page.on('request', (request) => void this.#requested(request));
    page.on('error', () => this.#lose('it crashed'));
    page.on('close', () => this.#lose('it was closed'));
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    page.on('popup', (popup) => {
      this.blocked += 1;
      void popup?.close().catch(() => undefined);
    });
    // what the content security policy stops makes no request, but is told of
    client.on('Log.entryAdded', ({ entry }) => {
      if (entry.source === 'security' && entry.text.includes('Content Security Policy')) this.blocked += 1;
    });
    await client.send('Log.enable');
    page.browser().once('disconnected', () => this.#lose('its browser ended'));
  }

  #arrived(): void {
    this.#navigating = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  #lose(why: string): void {
    this.#lost ??= why;
    this.#arrived();
  }

  async #requested(request: HTTPRequest): Promise<void> {
    const url = request.url();
    const inside = this.#options.origins.some((origin) => url.startsWith(`${origin}/`)) || /^(data|blob):/.test(url);
    const navigation = request.isNavigationRequest() && request.frame() === this.page.mainFrame();
    try {
      if (inside) {
        if (navigation) this.#navigating = true;
        await request.continue();
        return;
      }
      this.blocked += 1;
      // no content: a navigation is given up and the page stays
      await (navigation ? request.respond({ status: 204 }) : request.abort('blockedbyclient'));
      if (navigation) this.#arrived();
    } catch {
      // the page went away meanwhile
    }
  }

  /** Does something in the page; `see` waits for what it causes. @throws {PageLostError} */
  act<T>(what: () => Promise<T>): Promise<T> {
    return this.#guarded(what);
  }

  /** Evaluates an expression in the page. @throws {PageLostError} Or it failed. */
  ask<T>(expression: string): Promise<T> {
    return this.#guarded(() => this.#evaluate<T>(expression));
  }

  /** A real click, CSS pixels of the window. @throws {PageLostError} */
  async click(x: number, y: number): Promise<void> {
    const at = { x, y, button: 'left', clickCount: 1 } as const;
    const send = (event: Protocol.Input.DispatchMouseEventRequest) =>
      this.#client.send('Input.dispatchMouseEvent', event);
    // one after the other, without waiting for each
    await this.#guarded(() =>
      Promise.all([
        send({ type: 'mouseMoved', x, y }),
        send({ type: 'mousePressed', ...at }),
        send({ type: 'mouseReleased', ...at }),
      ]),
    );
  }

  /** Opens a whole address. @throws {PageLostError} */
  async goto(address: string): Promise<void> {
    await this.#guarded(() => this.page.goto(address, { waitUntil: 'load', timeout: this.#options.timeout }));
  }

  /** Opens the first page of a visit: the back button goes no further. @throws {PageLostError} */
  async enter(address: string): Promise<void> {
    this.blocked = 0;
    await this.goto(address);
    await this.#guarded(() => this.#client.send('Page.resetNavigationHistory'));
  }

  /** Opens an address if it is allowed. @returns Why not. @throws {PageLostError} */
  async visit(address: string): Promise<string | undefined> {
    const url = URL.canParse(address, this.page.url()) ? new URL(address, this.page.url()) : undefined;
    if (!url || !this.#options.origins.includes(url.origin)) return 'this address is not allowed';
    await this.goto(url.href);
    return undefined;
  }

  /** The browser's back button; false where there is no page before. @throws {PageLostError} */
  back(): Promise<boolean> {
    return this.#guarded(async () => {
      const { currentIndex } = await this.#client.send('Page.getNavigationHistory');
      if (currentIndex === 0) return false;
      await this.page.goBack({ waitUntil: 'load', timeout: this.#options.timeout });
      return true;
    });
  }

  /** Waits until what was begun is there, then reads the page, in one call. @throws {PageLostError} */
  see(): Promise<LivePage> {
    return this.#guarded(async () => {
      await this.#quiet();
      for (;;) {
        // a document that goes away meanwhile answers with an error
        const live = await this.#evaluate<LivePage>(`${SHOWN}.then(() => ${this.#options.view})`).catch(
          (error: unknown) => error,
        );
        if (this.#lost) throw new PageLostError(this.#lost);
        if (this.#navigating) await new Promise<void>((resolve) => this.#waiting.push(resolve));
        else if (!(live instanceof Error)) return live as LivePage;
        else if (!GONE.test(live.message)) throw live;
      }
    });
  }

  /** Waits for requests that an input has begun, as far as there is patience. */
  async #quiet(): Promise<void> {
    const { patience: timeout } = this.#options;
    if (timeout === undefined) return;
    await this.#evaluate(SHOWN).catch(() => undefined); // the document went away: that is a request, too
    await this.page.waitForNetworkIdle({ idleTime: IDLE, timeout }).catch(() => undefined);
  }

  /** What the window shows, or the page from its top, `height` CSS pixels of it. @throws {PageLostError} */
  picture(height?: number): Promise<RgbImage> {
    return this.#guarded(async () => {
      const clip = height && { x: 0, y: 0, width: this.#options.width, height, scale: 1 };
      const { data } = await this.#client.send('Page.captureScreenshot', {
        format: 'png',
        optimizeForSpeed: true,
        captureBeyondViewport: clip !== undefined,
        ...(clip && { clip }),
      });
      return decodeScreenshot(Buffer.from(data, 'base64'));
    });
  }

  /** @throws {PageLostError} */
  accessibility(): Promise<SerializedAXNode | null> {
    return this.#guarded(() => this.page.accessibility.snapshot());
  }

  async #evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#client.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lost) throw new PageLostError(this.#lost);
    const { timeout } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#lose(`it did not answer within ${timeout} ms`);
        reject(new PageLostError(this.#lost!));
      }, timeout);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (error instanceof PageLostError) throw error;
      throw new PageLostError(this.#lost ?? 'an action failed', error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#lose('it was closed');
    await within(2000, this.context.close()); // the browser may be gone, or not answer
    this.#gate.close();
  }
}
