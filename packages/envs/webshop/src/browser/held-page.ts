/** The page of one environment: opened when it is needed, given back with its browser. */
import type { BrowserPage } from './browser-page.js';
import { type BrowserLease, type LaunchOptions, leaseBrowser } from './shared-browser.js';

export class HeldPage {
  #lease: BrowserLease | undefined;
  #page: BrowserPage | undefined;

  #next: Promise<BrowserPage | undefined> | undefined;

  /** @param warm  `fresh` has the page after it opened already. */
  constructor(
    readonly launch: LaunchOptions,
    readonly open: (lease: BrowserLease) => Promise<BrowserPage>,
    readonly warm = false,
  ) {}

  /** Where one is open. */
  get now(): BrowserPage | undefined {
    return this.#page;
  }

  /** The open page, or a new one where it is gone. @throws {ChromiumMissingError} */
  async opened(): Promise<BrowserPage> {
    if (this.#page && !this.#page.page.isClosed() && this.#lease?.browser.connected) return this.#page;
    await this.drop();
    this.#lease = await leaseBrowser(this.launch);
    this.#page = await this.open(this.#lease);
    return this.#page;
  }

  /** Leaves a browser that has served enough episodes: the next page opens in a new one. */
  async beginEpisode(): Promise<void> {
    if (this.#lease?.beginEpisode() === false) await this.drop(true);
  }

  /** A page in a context that nobody has used, in place of the one before. @throws {ChromiumMissingError} */
  async fresh(): Promise<BrowserPage> {
    const before = this.#page;
    if (!before || !this.#lease?.browser.connected) await this.opened();
    else {
      const next = await this.#next;
      this.#page = next && !next.page.isClosed() ? next : await this.open(this.#lease);
      await before.close();
    }
    const lease = this.#lease!;
    // a failure is met when the page is needed
    this.#next = this.warm ? this.open(lease).catch(() => undefined) : undefined;
    return this.#page!;
  }

  /** What `begin` gives; where it throws, nothing stays open: who gets no episode may never close the environment. */
  async orDrop<T>(begin: () => Promise<T>): Promise<T> {
    try {
      return await begin();
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  /** @param broken  Nobody else shall get this browser. */
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
