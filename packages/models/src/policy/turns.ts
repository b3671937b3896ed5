/** Calls of a policy share one set of parameters, so they take turns, whatever the caller awaits. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all work before it has settled. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => {});
    return running;
  }
}
