/**
 * The account of one agent: what was spent, and what running requests may still spend.
 *
 * A request is booked with the most it may use before it is sent, so that parallel lanes cannot spend the same rest
 * twice. Where that does not fit, it waits for running requests, which may use less.
 */
import type { Usage } from '../agent.js';
import {
  addUsage,
  type Budget,
  BudgetExceededError,
  type BudgetLimit,
  costOf,
  NO_USAGE,
  type Prices,
} from './budget.js';

/** The most that one request may use. */
export interface RequestBound {
  readonly input: number;
  readonly output: number;
  /** True if the server is asked to respect it (`maxOutputTokens`); otherwise it is the largest one seen so far. */
  readonly isHard: boolean;
  /** Input and output that rate limits reserve: input as tokens were counted so far, with room for half as many again. */
  readonly expected: number;
}

export interface Booking {
  /** The request is on its way. */
  sent(): void;
  /** It ended; `undefined` if it failed or was never sent. */
  settle(usage: Usage | undefined): void;
}

const MARGIN = 1.5;

type Amounts = Readonly<Record<BudgetLimit, number>>;
const LIMITS: readonly BudgetLimit[] = ['requests', 'inputTokens', 'outputTokens', 'tokens', 'cost'];

export class BudgetLedger {
  #spent = NO_USAGE;
  /** Bookings of requests that were sent or still run. */
  #booked = 0;
  #retries = 0;
  /** The largest share of their bounds that inputs have used; `undefined` before the first answer. */
  #share: number | undefined;
  #largest = { input: 0, output: 0 };
  readonly #running = new Set<Amounts>();
  #waiting: (() => void)[] = [];

  constructor(
    private readonly budget: Budget,
    private readonly prices: Prices | undefined,
  ) {}

  /** Usage of all answered requests. */
  get spent(): Usage {
    return this.#spent;
  }

  /** True once a request was answered: key, address and model are right. */
  get hasAnswered(): boolean {
    return this.#spent.requests > 0;
  }

  /** Counts a retry, if one is left. */
  takeRetry(): boolean {
    if (this.#retries >= (this.budget.retries ?? Number.POSITIVE_INFINITY)) return false;
    this.#retries += 1;
    return true;
  }

  /** The bound of a request: hard if its output is bounded, otherwise the largest request so far. */
  bound(inputBound: number, maxOutputTokens: number | undefined): RequestBound {
    const input = Math.ceil(inputBound * Math.min(1, MARGIN * (this.#share ?? 1)));
    if (maxOutputTokens !== undefined) {
      return { input: inputBound, output: maxOutputTokens, isHard: true, expected: input + maxOutputTokens };
    }
    return { ...this.#largest, isHard: false, expected: input + this.#largest.output };
  }

  /** Learns how much of a bound a request really used. */
  noteInput(used: number, inputBound: number): void {
    if (used > 0 && inputBound > 0) this.#share = Math.max(this.#share ?? 0, used / inputBound);
  }

  /** @throws {BudgetExceededError}  Nothing is left for a request of this size. */
  async book({ isHard, input, output }: Omit<RequestBound, 'expected'>, signal?: AbortSignal): Promise<Booking> {
    const isKnown = isHard || this.hasAnswered;
    let needs = amounts({ input, output }, this.prices);
    for (;;) {
      signal?.throwIfAborted();
      if (!isHard) needs = amounts(this.#largest, this.prices);
      const short = LIMITS.find((limit) => !this.#fits(limit, needs, isHard, isKnown));
      if (short === undefined) break;
      if (this.#running.size === 0) throw this.#exceeded(short, needs);
      await this.#change(signal);
    }
    this.#running.add(needs);
    this.#booked += 1;
    let wasSent = false;
    return {
      sent: () => {
        wasSent = true;
      },
      settle: (usage) => {
        this.#running.delete(needs);
        if (!wasSent) this.#booked -= 1;
        if (usage) {
          this.#spent = addUsage(this.#spent, usage);
          const { input, output } = this.#largest;
          this.#largest = { input: Math.max(input, usage.inputTokens), output: Math.max(output, usage.outputTokens) };
        }
        for (const wake of this.#waiting.splice(0)) wake();
      },
    };
  }

  #fits(limit: BudgetLimit, needs: Amounts, isHard: boolean, isKnown: boolean): boolean {
    const allowed = this.budget[limit];
    if (allowed === undefined) return true;
    const used = this.#used(limit);
    if (used >= allowed) return false;
    if (!isHard && limit !== 'requests') {
      // a request of unknown size may be the one that crosses, but only while no other one runs
      if (this.#running.size === 0) return true;
      if (!isKnown) return false;
    }
    const reserved = [...this.#running].reduce((sum, running) => sum + running[limit], 0);
    return used + reserved + needs[limit] <= allowed;
  }

  #used(limit: BudgetLimit): number {
    const { inputTokens, outputTokens, cost } = this.#spent;
    const requests = this.#booked - this.#running.size;
    return { requests, inputTokens, outputTokens, tokens: inputTokens + outputTokens, cost }[limit];
  }

  #exceeded(limit: BudgetLimit, needs: Amounts): BudgetExceededError {
    return new BudgetExceededError(limit, this.budget[limit]!, this.#used(limit), needs[limit]);
  }

  /** Resolves when a running request ends; rejects when the signal aborts. */
  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
    });
  }
}

function amounts({ input, output }: { readonly input: number; readonly output: number }, prices?: Prices): Amounts {
  return {
    requests: 1,
    inputTokens: input,
    outputTokens: output,
    tokens: input + output,
    cost: costOf({ input, output }, prices),
  };
}
