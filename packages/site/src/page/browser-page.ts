/**
 * One browser page on one site: real clicks and typing, and waiting for their effects.
 *
 * There are no sleeps. After an input, the page reports when it has shown the result. A navigation scheduled by then is
 * waited for; the page reports navigations in order.
 * Requests to other sites are blocked and counted twice over: by interception, so that the page stays where it is, and by
 * the SOCKS proxy, for requests that interception does not see.
 */
import type { Browser, CDPSession, Page, Protocol, SerializedAXNode } from '@vlgym/chromium';
import { within } from '@vlgym/chromium';
import type { RgbImage } from '@vlgym/core';
import { SocksProxy } from '../chromium/socks-proxy.js';
import type { BrowserPageOptions } from './browser-page-options.js';
import type { LivePage } from './live-page.js';
import { type FrameTree, PageInspector } from './page-inspector.js';
import { PageState } from './page-state.js';
import { preparePage } from './prepare-page.js';
import { decodeScreenshot } from './screenshot-png.js';
import { Windows } from './windows.js';

/** Settles after one frame, by which a click has started its requests. */
const ONE_FRAME = `new Promise((done) => {
  const shown = () => setTimeout(done);
  requestAnimationFrame(shown);
  // A page behind another one draws no frames.
  document.addEventListener('visibilitychange', shown, { once: true });
  if (document.hidden) shown();
})`;

/** Milliseconds without a request until the network counts as idle; lets a page react to an answer with a new request. */
const IDLE_TIME = 50;

/** Visits between two collections of garbage. Chromium keeps documents of earlier visits up to several hundred megabytes. */
const COLLECT_EVERY = 16;

/** Chromium's errors when the document that was asked is gone. */
const DOCUMENT_GONE =
  /context was destroyed|navigated or closed|Cannot find (default execution )?context|Promise was collected/i;

export class BrowserPage {
  readonly #client: CDPSession;
  readonly #inspector: PageInspector;
  readonly #proxy: SocksProxy;
  readonly #state: PageState;
  readonly #options: BrowserPageOptions;
  /** Settles when the effect of an input is shown. */
  readonly #shown: string;
  /** The page that opened the context, and closes it. */
  readonly #first: BrowserPage | undefined;
  #visits = 0;

  private constructor(
    readonly page: Page,
    readonly windows: Windows,
    client: CDPSession,
    proxy: SocksProxy,
    state: PageState,
    options: BrowserPageOptions,
    first?: BrowserPage,
  ) {
    this.#first = first;
    this.#client = client;
    this.#inspector = new PageInspector(client);
    this.#proxy = proxy;
    this.#state = state;
    this.#options = options;
    this.#shown = options.shown === undefined ? ONE_FRAME : `(${options.shown} ?? ${ONE_FRAME})`;
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
      const closed = async (popup: Page) => {
        state.blockedRequests += 1;
        await popup.close();
      };
      const windows = new Windows(context, options.onPopup ?? closed);
      const page = await (options.drawn === false ? windows.openBehind() : windows.open());
      const client = await preparePage(page, state, windows, options);
      return new BrowserPage(page, windows, client, proxy, state, options);
    } catch (error) {
      proxy.close();
      throw error;
    }
  }

  /** Another page of the same context, e.g. one that this page opened; it closes with this one. */
  async openTab(opened?: Page): Promise<BrowserPage> {
    const first = this.#first ?? this;
    const page = opened ?? (await first.windows.open());
    const state = new PageState();
    const client = await preparePage(page, state, first.windows, first.#options);
    return new BrowserPage(page, first.windows, client, first.#proxy, state, first.#options, first);
  }

  /** Brings a tab to the front; pages behind others draw nothing. @throws {PageLostError} */
  show(): Promise<void> {
    return this.#guarded(() => this.page.bringToFront());
  }

  /** The reason why the page was lost, or `undefined`. */
  get lost(): string | undefined {
    return this.#state.lost;
  }

  /** Requests since the page was entered that would have left the site. */
  get blockedRequests(): number {
    return this.#state.blockedRequests;
  }

  /** Does something in the page; `read` waits for its effects. @throws {PageLostError} */
  act<T>(action: () => Promise<T>): Promise<T> {
    return this.#guarded(action);
  }

  /** As `evaluate`, in the world of the view. @throws {PageLostError} */
  inspect<T>(expression: string): Promise<T> {
    return this.#guarded(() => this.#evaluate<T>(expression, this.#options.isolated));
  }

  /** Identities of nodes that an expression returns as an array, as in the accessibility tree. @throws {PageLostError} */
  nodeIds(expression: string): Promise<readonly (number | undefined)[]> {
    return this.#guarded(() => this.#inspector.nodeIds(expression));
  }

  /** The accessibility trees of the page and its frames, the page's first. @throws {PageLostError} */
  accessibilityTrees(): Promise<readonly FrameTree[]> {
    return this.#guarded(() => this.#inspector.accessibilityTrees());
  }

  /** Gives files to the file input that an expression returns. @throws {PageLostError} */
  giveFiles(expression: string, files: readonly string[]): Promise<void> {
    return this.#guarded(() => this.#inspector.giveFiles(expression, files));
  }

  /** Waits, by the page's clock if it has one. @throws {PageLostError} */
  pause(milliseconds: number): Promise<void> {
    if (this.#options.clock !== undefined) return this.evaluate(`${this.#options.clock}(${milliseconds})`);
    return this.inspect(`new Promise((resolve) => setTimeout(resolve, ${milliseconds}))`);
  }

  /** Waits for the effects of an input, so that another can follow. @throws {PageLostError} */
  async settle(): Promise<void> {
    await this.#guarded(async () => {
      await this.#networkIdle();
      if (this.#state.navigating) await this.#state.navigationEnd();
    });
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
    this.#visits += 1;
    if (this.#visits % COLLECT_EVERY > 0) return;
    await this.#guarded(() => this.#client.send('HeapProfiler.collectGarbage'));
  }

  /** Opens an address if it is allowed. @returns Why it is not. @throws {PageLostError} */
  async visit(address: string): Promise<string | undefined> {
    // A new tab has no address yet.
    const base = /^https?:/.test(this.page.url()) ? this.page.url() : this.#options.origins[0];
    const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
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

  /** Presses the browser's forward button; false on the last page. @throws {PageLostError} */
  forward(): Promise<boolean> {
    return this.#guarded(async () => {
      const { currentIndex, entries } = await this.#client.send('Page.getNavigationHistory');
      if (currentIndex >= entries.length - 1) return false;
      await this.page.goForward({ waitUntil: 'load', timeout: this.#options.timeout });
      return true;
    });
  }

  /** @throws {PageLostError} */
  async reload(): Promise<void> {
    await this.#guarded(() => this.page.reload({ waitUntil: 'load', timeout: this.#options.timeout }));
  }

  /** Waits for the effects of the last input, then reads the page in one call. @throws {PageLostError} */
  read<T extends LivePage = LivePage>(): Promise<T> {
    return this.#guarded(async () => {
      const { patience = 0, clock } = this.#options;
      const end = performance.now() + patience;
      await this.#networkIdle();
      for (;;) {
        const sent = this.#state.sentRequests;
        // A document that goes away in the meantime answers with an error.
        const script = clock === undefined ? `${this.#shown}.then(() => ${this.#options.view})` : this.#options.view;
        const live = await this.#evaluate<T>(script, this.#options.isolated).catch((error: unknown) => error);
        this.#state.ensureAlive();
        if (this.#state.navigating) await this.#state.navigationEnd();
        // A busy page makes a request of an answer when the network has long been idle.
        else if (clock === undefined && this.#state.sentRequests > sent && performance.now() < end)
          await this.#networkIdle();
        else if (!(live instanceof Error)) return live as T;
        else if (!DOCUMENT_GONE.test(live.message)) throw live;
      }
    });
  }

  /** Waits for requests that an input has started, at most `patience` milliseconds. */
  async #networkIdle(): Promise<void> {
    const { patience: timeout, clock } = this.#options;
    if (clock !== undefined) return void (await this.#evaluate(`${clock}()`).catch(() => undefined));
    if (timeout === undefined) return;
    await this.#evaluate(this.#shown).catch(() => undefined); // the document went away: a request is under way
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

  #evaluate<T>(expression: string, isolated?: boolean): Promise<T> {
    return this.#inspector.evaluate<T>(expression, isolated);
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#state.guard(this.#options.timeout, work);
  }

  async close(): Promise<void> {
    this.#state.lose('it was closed');
    if (this.#first) {
      await within(2000, this.page.close());
      return;
    }
    await within(2000, this.windows.context.close()); // the browser may be gone or hang
    this.#proxy.close();
  }
}
