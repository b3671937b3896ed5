/** Runs asynchronous work one piece at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work. A failure rejects only this call; later work runs anyway. */
  run<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves after all work so far. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
