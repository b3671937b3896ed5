/** Events that the browser reports between actions: navigations, blocked requests, and the loss of the page. */
import { PageLostError } from './page-lost.js';

export class PageState {
  /** Requests that would have left the site. */
  blockedRequests = 0;
  /** Requests that the page's document has made, where they are awaited. */
  sentRequests = 0;
  #navigating = false;
  #lost: string | undefined;
  readonly #waiting: (() => void)[] = [];

  get navigating(): boolean {
    return this.#navigating;
  }

  /** The reason why the page was lost. */
  get lost(): string | undefined {
    return this.#lost;
  }

  beginNavigation(): void {
    this.#navigating = true;
  }

  endNavigation(): void {
    this.#navigating = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Resolves when the navigation ends or the page is lost. */
  navigationEnd(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Keeps the first reason. */
  lose(reason: string): void {
    this.#lost ??= reason;
    this.endNavigation();
  }

  /** @throws {PageLostError} */
  ensureAlive(): void {
    if (this.#lost) throw new PageLostError(this.#lost);
  }

  /** Does something with the page; the page is lost when it takes longer than `timeout` milliseconds. @throws {PageLostError} */
  async guard<T>(timeout: number, work: () => Promise<T>): Promise<T> {
    this.ensureAlive();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.lose(`it did not answer within ${timeout} ms`);
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
}
