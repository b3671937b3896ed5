/** The page of one environment: opened on first use, kept between episodes, given back with its browser. */

import type { BrowserLease } from '@vlgym/chromium';
import { type LaunchOptions, leaseChromium } from '../chromium/lease-chromium.js';
import type { BrowserPage } from './browser-page.js';

export class RetainedPage {
  #lease: BrowserLease | undefined;
  #page: BrowserPage | undefined;
  #next: Promise<BrowserPage | undefined> | undefined;

  /** @param warm  `openFresh` also opens the page for the call after it. */
  constructor(
    readonly launch: LaunchOptions,
    readonly open: (lease: BrowserLease) => Promise<BrowserPage>,
    readonly warm = false,
  ) {}

  /** The open page; `undefined` before the first one and after a loss. */
  get current(): BrowserPage | undefined {
    return this.#page;
  }

  /** The open page, or a new one if it is gone. @throws {ChromiumMissingError} */
  async ensureOpen(): Promise<BrowserPage> {
    if (this.#page && !this.#page.page.isClosed() && this.#lease?.browser.connected) return this.#page;
    await this.drop();
    this.#lease = await leaseChromium(this.launch);
    this.#page = await this.open(this.#lease);
    return this.#page;
  }

  /** Leaves a browser that has served enough episodes: the next page opens in a new one. */
  async beginEpisode(): Promise<void> {
    if (this.#lease?.beginEpisode() === false) await this.drop(true);
  }

  /** Replaces the page by one in an unused browser context. @throws {ChromiumMissingError} */
  async openFresh(): Promise<BrowserPage> {
    const before = this.#page;
    if (!before || !this.#lease?.browser.connected) await this.ensureOpen();
    else {
      const next = await this.#next;
      this.#page = next && !next.page.isClosed() ? next : await this.open(this.#lease);
      await before.close();
    }
    const lease = this.#lease!;
    // A page that fails to open here is opened again when it is needed, and that error is thrown.
    this.#next = this.warm ? this.open(lease).catch(() => undefined) : undefined;
    return this.#page!;
  }

  /** Calls `begin`. If it throws, everything is closed: a caller without an episode may never close the environment. */
  async dropOnError<T>(begin: () => Promise<T>): Promise<T> {
    try {
      return await begin();
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  /** @param broken  The browser must no longer be shared. */
  async drop(broken = false): Promise<void> {
    const [page, next, lease] = [this.#page, this.#next, this.#lease];
    this.#page = undefined;
    this.#next = undefined;
    this.#lease = undefined;
    await page?.close();
    await (await next)?.close();
    await lease?.release(broken);
  }
}
