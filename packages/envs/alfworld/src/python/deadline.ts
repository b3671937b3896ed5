/** Time limits of a call: without a sign of life, and in total. */
export interface Limits {
  /** Milliseconds without a sign of life. */
  readonly timeout: number;
  /** Milliseconds in total. */
  readonly longest: number;
}

export class Deadline {
  readonly #limits: Limits;
  readonly #onOver: (after: string) => void;
  readonly #start = performance.now();
  #lastSign = this.#start;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** @param onOver  Called once, with a description of the exceeded limit. */
  constructor(limits: Limits, onOver: (after: string) => void) {
    this.#limits = limits;
    this.#onOver = onOver;
    this.#wait();
  }

  /** A sign of life. */
  alive(): void {
    this.#lastSign = performance.now();
  }

  clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #wait(): void {
    const { timeout, longest } = this.#limits;
    const left = Math.min(this.#lastSign + timeout, this.#start + longest) - performance.now();
    // If Node itself was busy, read pending input before deciding.
    const look = () => {
      this.#immediate = setImmediate(() => this.#judge());
    };
    this.#timer = setTimeout(look, Math.max(1, Math.ceil(left)));
  }

  #judge(): void {
    const { timeout, longest } = this.#limits;
    const now = performance.now();
    if (now - this.#start >= longest) this.#onOver(`within ${longest} ms`);
    else if (now - this.#lastSign >= timeout) this.#onOver(`and has not worked for ${timeout} ms`);
    else this.#wait();
  }
}
