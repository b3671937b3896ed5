/**
 * One limit for all lanes: requests and tokens in any 60 seconds, and one pause for everyone when the server asks for it.
 *
 * The window slides: the log of what was sent in the last minute decides, so no minute, wherever it begins, holds more
 * than allowed. Waiting requests are sent in the order in which they came.
 */
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { type Clock, systemClock } from '../clock.js';

export interface RateLimits {
  /** Retries count. */
  readonly requestsPerMinute?: number | undefined;
  /** Input and output. A request is reserved with the most it may need, and corrected when it is answered. */
  readonly tokensPerMinute?: number | undefined;
}

export const LIMIT_NAMES = names<RateLimits>({ requestsPerMinute: 0, tokensPerMinute: 0 });

/** A sent request; `settle` replaces its reserved tokens with those it used. */
export interface Ticket {
  settle(tokens: number): void;
}

const WINDOW_MS = 60_000;

export class RateLimiter {
  #pausedUntil = 0;
  #sent: { readonly time: number; tokens: number }[] = [];
  #last: Promise<unknown> = Promise.resolve();
  /** Null while nobody waits. */
  #freed: AbortController | null = null;

  /** @throws {InvalidOptionError | UnknownOptionError}  A limit is not above 0, or not one. */
  constructor(
    readonly limits: RateLimits = {},
    private readonly clock: Clock = systemClock,
  ) {
    checkNames('limits', limits, LIMIT_NAMES);
    for (const [option, value] of Object.entries(limits)) {
      if (value === undefined) continue;
      if (!(Number(value) > 0)) throw new InvalidOptionError(option, value, 'a number above 0');
    }
  }

  /** Waits until a request of this size may be sent, and counts it. A request above the limit is sent alone. */
  acquire(tokens: number, signal?: AbortSignal): Promise<Ticket> {
    const turn = this.#last.then(() => this.#wait(tokens, signal));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Nobody sends for so long: the server asked for a pause. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.clock.now() + milliseconds);
  }

  async #wait(tokens: number, signal: AbortSignal | undefined): Promise<Ticket> {
    for (;;) {
      signal?.throwIfAborted();
      const wait = this.#pauseFor(tokens);
      if (wait <= 0) break;
      this.#freed ??= new AbortController();
      const freed = this.#freed.signal;
      const either = signal ? AbortSignal.any([signal, freed]) : freed;
      await this.clock.sleep(wait, either).catch((error: unknown) => {
        if (!freed.aborted) throw error; // otherwise a settled request made room earlier
      });
    }
    const entry = { time: this.clock.now(), tokens };
    this.#sent.push(entry);
    return {
      settle: (used) => {
        entry.tokens = used;
        const waiting = this.#freed;
        this.#freed = null;
        waiting?.abort();
      },
    };
  }

  /** Milliseconds until a request of this size fits; 0 if it does. */
  #pauseFor(tokens: number): number {
    const now = this.clock.now();
    const { requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } = this.limits;
    this.#sent = this.#sent.filter(({ time }) => time > now - WINDOW_MS);
    const untilFree = (entry: { readonly time: number }) => entry.time + WINDOW_MS - now;
    let wait = this.#pausedUntil - now;
    const count = Math.floor(requestsPerMinute);
    if (this.#sent.length >= Math.max(1, count)) {
      wait = Math.max(wait, untilFree(this.#sent[this.#sent.length - Math.max(1, count)]!));
    }
    let sum = this.#sent.reduce((total, entry) => total + entry.tokens, 0);
    for (const entry of this.#sent) {
      if (sum === 0 || sum + tokens <= tokensPerMinute) break;
      sum -= entry.tokens;
      wait = Math.max(wait, untilFree(entry));
    }
    return wait;
  }
}
