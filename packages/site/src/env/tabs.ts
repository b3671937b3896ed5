/** The tabs of one episode: pages of one browser context, one of them in front. */

import { type Page, within } from '@vlgym/chromium';
import type { BrowserPage } from '../page/browser-page.js';

export interface Tab {
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
}

/** More are closed as they open. */
const MAX_TABS = 20;
/** Milliseconds by which a page that failed is reported closed, at most. */
const CLOSING_TIME = 2000;

export class Tabs {
  readonly #pages: BrowserPage[] = [];
  #active = 0;

  /** Starts with the first page of an episode. */
  begin(first: BrowserPage): void {
    this.#pages.length = 0;
    this.#pages.push(first);
    this.#active = 0;
  }

  /** The page in front. */
  get page(): BrowserPage {
    return this.#pages[this.#active]!;
  }

  /** Whether the page in front is gone, and is not the one that carries the episode. To ask after something with it failed. */
  async closedItself(): Promise<boolean> {
    if (this.#active === 0) return false;
    const { page } = this.page;
    // The browser reports an action that failed before it reports the closed page that is the reason.
    const closed = new Promise((resolve) => page.once('close', resolve));
    return page.isClosed() || within(CLOSING_TIME, closed);
  }

  get blockedRequests(): number {
    return this.#pages.reduce((sum, { blockedRequests }) => sum + blockedRequests, 0);
  }

  /** Takes up a page that another one opened, and brings it to the front. */
  async adopt(popup: Page): Promise<void> {
    if (this.#pages.length >= MAX_TABS) return popup.close();
    this.#pages.push(await this.#pages[0]!.openTab(popup));
    this.#active = this.#pages.length - 1;
  }

  /** Waits for tabs that are opening, forgets those that closed themselves, and shows the active one. */
  async settle(): Promise<void> {
    const before = this.#pages[this.#active];
    await this.#pages[0]!.windows.settled();
    const open = this.#pages.filter((page, index) => index === 0 || !page.page.isClosed());
    const active = this.#pages[this.#active]!;
    this.#pages.splice(0, this.#pages.length, ...open);
    this.#active = open.includes(active) ? open.indexOf(active) : open.length - 1;
    if (this.page !== before) await this.page.show();
  }

  /** @returns Why not, or `undefined`. */
  async open(): Promise<string | undefined> {
    if (this.#pages.length >= MAX_TABS) return `there are ${MAX_TABS} tabs already`;
    this.#pages.push(await this.#pages[0]!.openTab());
    return this.focus(this.#pages.length - 1);
  }

  async focus(index: number): Promise<string | undefined> {
    if (!this.#pages[index]) return `unknown tab ${index}; tabs are 0 to ${this.#pages.length - 1}`;
    this.#active = index;
    await this.page.show();
    return undefined;
  }

  /** Closes the active tab. The first one stays: it carries the episode. */
  async close(): Promise<string | undefined> {
    if (this.#active === 0) return 'the first tab stays open';
    await this.page.close();
    this.#pages.splice(this.#active, 1);
    return this.focus(this.#pages.length - 1);
  }

  async list(): Promise<Tab[]> {
    const titles = await Promise.all(this.#pages.map(({ page }) => page.title().catch(() => '')));
    return this.#pages.map(({ page }, index) => ({
      url: page.url(),
      title: titles[index]!,
      active: index === this.#active,
    }));
  }
}
