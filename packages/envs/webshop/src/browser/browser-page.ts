/**
 * One browser page on one site: real clicks and typing, and waiting for their effects.
 *
 * There are no sleeps. After an input, the page reports when it has shown the result. A navigation scheduled by then is
 * waited for; the page reports navigations in order.
 * Requests to other sites are blocked and counted twice over: by interception, so that the page stays where it is, and by
 * the SOCKS proxy, for requests that interception does not see.
 */
import type { RgbImage } from '@vlgym/core';
import type { Browser, BrowserContext, CDPSession, Page, Protocol, SerializedAXNode } from 'puppeteer-core';
import { guardPage } from './guard-page.js';
import type { LivePage } from './live-page.js';
import { PageLostError, within } from './page-lost.js';
import { PageState } from './page-state.js';
import { decodeScreenshot } from './screenshot-png.js';
import { SocksProxy } from './socks-proxy.js';

export interface BrowserPageOptions {
  /** Where the page may go, e.g. `http://127.0.0.1:8080`. */
  readonly origins: readonly string[];
  /** Expression that reads the page, e.g. `SHOP_VIEW`. */
  readonly view: string;
  readonly width: number;
  readonly height: number;
  /** Milliseconds until a page counts as lost. */
  readonly timeout: number;
  /** Longest wait for open requests before the page is read, in milliseconds. Without it, requests are not awaited. */
  readonly patience?: number;
}

/**
 * Settles when the effect of an input is shown: the shop's own script knows. Other pages get one frame, by which a click
 * has started whatever it starts.
 */
const SHOWN = `(globalThis.shopPage
  ? shopPage.shown()
  : new Promise((done) => requestAnimationFrame(() => setTimeout(done))))`;

/** Milliseconds without a request until the network counts as idle; lets a page react to an answer with a new request. */
const IDLE_TIME = 50;

/** Chromium's errors when the document that was asked is gone. */
const DOCUMENT_GONE =
  /context was destroyed|navigated or closed|Cannot find (default execution )?context|Promise was collected/i;

export class BrowserPage {
  readonly #client: CDPSession;
  readonly #proxy: SocksProxy;
  readonly #state: PageState;
  readonly #options: BrowserPageOptions;

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    client: CDPSession,
    proxy: SocksProxy,
    state: PageState,
    options: BrowserPageOptions,
  ) {
    this.#client = client;
    this.#proxy = proxy;
    this.#state = state;
    this.#options = options;
  }

  static async open(browser: Browser, options: BrowserPageOptions): Promise<BrowserPage> {
    const state = new PageState();
    const proxy = await SocksProxy.open(options.origins, () => {
      state.blockedRequests += 1;
    });
    try {
      // Connections to loopback use the proxy, too.
      const context = await browser.createBrowserContext({
        proxyServer: proxy.address,
        proxyBypassList: ['<-loopback>'],
      });
      // Full screen: tool bars would be redrawn in every step.
      const page = await context.newPage({ type: 'window', windowBounds: { windowState: 'fullscreen' } });
      await page.setViewport({ width: options.width, height: options.height, deviceScaleFactor: 1 });
      page.setDefaultTimeout(options.timeout);
      const client = await page.createCDPSession();
      const sameWindow = options.patience !== undefined;
      await guardPage(page, client, state, { origins: options.origins, sameWindow });
      return new BrowserPage(page, context, client, proxy, state, options);
    } catch (error) {
      proxy.close();
      throw error;
    }
  }

  /** Requests since the page was entered that would have left the site. */
  get blockedRequests(): number {
    return this.#state.blockedRequests;
  }

  /** Does something in the page; `read` waits for its effects. @throws {PageLostError} */
  act<T>(action: () => Promise<T>): Promise<T> {
    return this.#guarded(action);
  }

  /** Evaluates an expression in the page. @throws {PageLostError} The page is gone, or the expression failed. */
  evaluate<T>(expression: string): Promise<T> {
    return this.#guarded(() => this.#evaluate<T>(expression));
  }

  /** A real click at CSS pixels of the window. @throws {PageLostError} */
  async click(x: number, y: number): Promise<void> {
    const button = { x, y, button: 'left', clickCount: 1 } as const;
    const send = (event: Protocol.Input.DispatchMouseEventRequest) =>
      this.#client.send('Input.dispatchMouseEvent', event);
    // Sent in order, without waiting for each answer.
    await this.#guarded(() =>
      Promise.all([
        send({ type: 'mouseMoved', x, y }),
        send({ type: 'mousePressed', ...button }),
        send({ type: 'mouseReleased', ...button }),
      ]),
    );
  }

  /** Opens a full address. @throws {PageLostError} */
  async goto(address: string): Promise<void> {
    await this.#guarded(() => this.page.goto(address, { waitUntil: 'load', timeout: this.#options.timeout }));
  }

  /** Opens the first page of a visit; the back button stops here. @throws {PageLostError} */
  async enter(address: string): Promise<void> {
    this.#state.blockedRequests = 0;
    await this.goto(address);
    await this.#guarded(() => this.#client.send('Page.resetNavigationHistory'));
  }

  /** Opens an address if it is allowed. @returns Why it is not. @throws {PageLostError} */
  async visit(address: string): Promise<string | undefined> {
    const url = URL.canParse(address, this.page.url()) ? new URL(address, this.page.url()) : undefined;
    if (!url || !this.#options.origins.includes(url.origin)) return 'this address is not allowed';
    await this.goto(url.href);
    return undefined;
  }

  /** Presses the browser's back button; false on the first page. @throws {PageLostError} */
  back(): Promise<boolean> {
    return this.#guarded(async () => {
      const { currentIndex } = await this.#client.send('Page.getNavigationHistory');
      if (currentIndex === 0) return false;
      await this.page.goBack({ waitUntil: 'load', timeout: this.#options.timeout });
      return true;
    });
  }

  /** Waits for the effects of the last input, then reads the page in one call. @throws {PageLostError} */
  read(): Promise<LivePage> {
    return this.#guarded(async () => {
      await this.#networkIdle();
      for (;;) {
        // A document that goes away in the meantime answers with an error.
        const live = await this.#evaluate<LivePage>(`${SHOWN}.then(() => ${this.#options.view})`).catch(
          (error: unknown) => error,
        );
        this.#state.ensureAlive();
        if (this.#state.navigating) await this.#state.navigationEnd();
        else if (!(live instanceof Error)) return live as LivePage;
        else if (!DOCUMENT_GONE.test(live.message)) throw live;
      }
    });
  }

  /** Waits for requests that an input has started, at most `patience` milliseconds. */
  async #networkIdle(): Promise<void> {
    const { patience: timeout } = this.#options;
    if (timeout === undefined) return;
    await this.#evaluate(SHOWN).catch(() => undefined); // the document went away: a request is under way
    await this.page.waitForNetworkIdle({ idleTime: IDLE_TIME, timeout }).catch(() => undefined);
  }

  /**
   * @param height  CSS pixels of the page from its top; without it, what the window shows.
   * @throws {PageLostError}
   */
  screenshot(height?: number): Promise<RgbImage> {
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
    const state = this.#state;
    state.ensureAlive();
    const { timeout } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        state.lose(`it did not answer within ${timeout} ms`);
        reject(new PageLostError(state.lost!));
      }, timeout);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (error instanceof PageLostError) throw error;
      throw new PageLostError(state.lost ?? 'an action failed', error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#state.lose('it was closed');
    await within(2000, this.context.close()); // the browser may be gone or hang
    this.#proxy.close();
  }
}
