/** The page of one environment: opened when it is needed, given back with its browser. */
import type { BrowserPage } from './browser-page.js';
import { type BrowserLease, type LaunchOptions, leaseBrowser } from './shared-browser.js';

export class HeldPage {
  #lease: BrowserLease | undefined;
  #page: BrowserPage | undefined;

  constructor(
    readonly launch: LaunchOptions,
    readonly open: (lease: BrowserLease) => Promise<BrowserPage>,
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

  /** @param broken  Nobody else shall get this browser. */
  async drop(broken = false): Promise<void> {
    const [page, lease] = [this.#page, this.#lease];
    this.#page = undefined;
    this.#lease = undefined;
    await page?.close();
    await lease?.release(broken);
  }
}
