/**
 * One page of a browser on one shop: real clicks and typing, and waiting for what they cause.
 *
 * Nothing sleeps: after an input the page is asked for its next frame; a navigation that was scheduled by then, which the
 * page reports in order, is waited for.
 * Requests to anything but the shop are blocked and counted.
 */
import { GymError } from '@vlgym/core';
import type { Browser, BrowserContext, HTTPRequest, Page } from 'puppeteer-core';

/** The page or its browser is gone, or never answered: the episode cannot go on. */
export class PageLostError extends GymError {
  constructor(what: string, cause?: unknown) {
    super(`The shop's page was lost: ${what}.`, {
      code: 'PAGE_LOST',
      cause,
      hint: 'the episode is truncated; `reset` opens a new page',
    });
  }
}

export interface ShopPageOptions {
  readonly width: number;
  readonly height: number;
  /** Milliseconds until a page counts as lost. */
  readonly timeout: number;
}

/** A page that changes while it is read is read again. */
const MOST_READS = 4;

export class ShopPage {
  /** Requests that would have left the shop. */
  blocked = 0;
  #navigating = false;
  readonly #waiting: (() => void)[] = [];
  #lost: string | undefined;
  readonly #options: ShopPageOptions;

  private constructor(
    readonly page: Page,
    readonly origin: string,
    readonly context: BrowserContext,
    options: ShopPageOptions,
  ) {
    this.#options = options;
  }

  static async open(browser: Browser, origin: string, options: ShopPageOptions): Promise<ShopPage> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: options.width, height: options.height, deviceScaleFactor: 1 });
    page.setDefaultTimeout(options.timeout);
    const shopPage = new ShopPage(page, origin, context, options);
    await shopPage.#guard();
    return shopPage;
  }

  async #guard(): Promise<void> {
    const { page } = this;
    const client = await page.createCDPSession();
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
    await page.setRequestInterception(true);
    await page.setCacheEnabled(true); // for style and script
    page.on('request', (request) => void this.#requested(request));
    page.on('error', () => this.#lose('it crashed'));
    page.on('close', () => this.#lose('it was closed'));
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    page.on('popup', (popup) => void popup?.close().catch(() => undefined));
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
    const inside = request.url().startsWith(`${this.origin}/`) || request.url().startsWith('data:');
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

  /** Does something in the page, then waits until what it caused is there. @throws {PageLostError} */
  async act<T>(what: () => Promise<T>): Promise<T> {
    return this.#guarded(async () => {
      const result = await what();
      await this.#settle();
      return result;
    });
  }

  /** Opens an address of the shop. @throws {PageLostError} */
  async goto(path: string): Promise<void> {
    await this.#guarded(async () => {
      await this.page.goto(this.origin + path, { waitUntil: 'load', timeout: this.#options.timeout });
      await this.#settle();
    });
  }

  /** Reads from the page. @throws {PageLostError} */
  read<T>(what: () => Promise<T>): Promise<T> {
    return this.#guarded(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await what();
        } catch (error) {
          if (tries === MOST_READS || this.#lost) throw error;
          await this.#settle(); // the page changed while it was read
        }
      }
    });
  }

  async #settle(): Promise<void> {
    for (;;) {
      // a frame: by then a click has begun what it begins
      const quiet = await this.page
        .evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))')
        .catch(() => false); // the document went away: a navigation
      if (this.#lost) throw new PageLostError(this.#lost);
      if (quiet && !this.#navigating) return;
      if (this.#navigating) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
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
  }
}

/** Waits for something that may fail or never end. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const ended = await Promise.race([done, late]);
  clearTimeout(timer);
  return ended;
}
