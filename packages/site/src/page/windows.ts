/** The windows of one browser context: those that we open, and those that its pages open. */

import { type BrowserContext, type Page, type Target, within } from '@vlgym/chromium';

/** Milliseconds for an announced window to appear. */
const PATIENCE = 5000;
/** Milliseconds in which a window and its announcement arrive, in either order. */
const TOGETHER = 500;

export class Windows {
  #ours = 0;
  /** Windows that a page has announced and that have not been taken up. */
  #announced = 0;
  readonly #waiting: (() => void)[] = [];
  /** Windows that nobody has announced yet; others were opened through puppeteer, and are left alone. */
  readonly #unclaimed = new Set<Target>();

  /** @param onOpened  Takes up a window that a page opened. */
  constructor(
    readonly context: BrowserContext,
    readonly onOpened: (page: Page) => Promise<void>,
  ) {
    // The event "popup" of a page misses windows without an opener, as links with target=_blank open them.
    context.on('targetcreated', (target) => void this.#created(target).catch(() => undefined));
  }

  /** Full screen: tool bars would be redrawn in every step. */
  open(): Promise<Page> {
    this.#ours += 1;
    return this.context.newPage({ type: 'window', windowBounds: { windowState: 'fullscreen' } });
  }

  /** A tab behind an empty one: it is not drawn, and no tool bar follows its addresses. */
  async openBehind(): Promise<Page> {
    await this.open();
    this.#ours += 1;
    return this.context.newPage({ type: 'tab', background: true });
  }

  /** A page says that it opens a window; the window comes later. */
  announce(): void {
    this.#announced += 1;
    const [target] = this.#unclaimed;
    if (target) void this.#take(target).catch(() => undefined);
  }

  /** Waits for windows that were announced. */
  async settled(): Promise<void> {
    while (this.#announced > 0) {
      const next = new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (!(await within(PATIENCE, next))) this.#announced = 0; // Chromium blocked it
    }
  }

  async #created(target: Target): Promise<void> {
    if (target.type() !== 'page') return;
    if (this.#ours > 0) {
      this.#ours -= 1;
      return;
    }
    if (this.#announced > 0 || target.opener()) return this.#take(target);
    this.#unclaimed.add(target);
    setTimeout(() => this.#unclaimed.delete(target), TOGETHER).unref();
  }

  async #take(target: Target): Promise<void> {
    this.#unclaimed.delete(target);
    try {
      const page = await target.page();
      if (page) await this.onOpened(page);
    } finally {
      this.#announced = Math.max(0, this.#announced - 1);
      for (const resume of this.#waiting.splice(0)) resume();
    }
  }
}
