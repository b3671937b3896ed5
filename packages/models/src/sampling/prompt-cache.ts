/**
 * Keys and values of what was read, kept from one call of `sample` to the next: the prompt of a conversation begins with
 * the prompt and the answer of the previous turn, so that a turn reads only what is new.
 *
 * Only for prompts in words. Conversations that were not continued the longest go first.
 */
import { warn } from '@vlgym/core';
import type { KeyValueCache } from '../layers/key-value-cache.js';

/** A beginning that is shorter is read again. */
const MIN_TOKENS = 32;

/** Conversations that had no room, which may go on. */
const FORGOTTEN = 1024;

interface Entry {
  readonly ids: Int32Array;
  /** One row, a column per id. */
  readonly cache: KeyValueCache;
}

/** The beginning of a prompt; its columns belong to the cache. */
export interface KnownTokens {
  readonly cache: KeyValueCache;
  /** Columns that are the prompt's. */
  readonly count: number;
}

export class PromptCache {
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #entries = new Set<Entry>();
  #bytes = 0;
  /** Tokens of those that had no room, the newest last. */
  #forgotten: Int32Array[] = [];
  #isSmall = false;

  /** @param capacity  Bytes of keys and values. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The longest known beginning of a prompt; at least one of its tokens is left to be read. */
  find(ids: Int32Array): KnownTokens | null {
    let best: Entry | undefined;
    let count = MIN_TOKENS - 1;
    for (const entry of this.#entries) {
      const equal = equalTokens(entry.ids, ids, ids.length - 1);
      if (equal > count) [best, count] = [entry, equal];
    }
    const again = (known: Int32Array) => known.length > count && equalTokens(known, ids, ids.length) === known.length;
    if (!this.#isSmall && this.#forgotten.some(again)) this.#saySmall();
    if (!best) return null;
    this.#entries.delete(best);
    this.#entries.add(best);
    return { cache: best.cache, count };
  }

  /** Keeps a row of a cache: `ids` are its columns from `start`. It takes the place of its own beginning. */
  add(ids: Int32Array, source: KeyValueCache, row: number, start: number): void {
    if (ids.length < MIN_TOKENS) return;
    for (const entry of this.#entries) {
      if (equalTokens(entry.ids, ids, ids.length) === entry.ids.length) this.#remove(entry);
    }
    const cache = source.copyOf(row, start, ids.length);
    this.#entries.add({ ids, cache });
    this.#bytes += cache.bytes;
    for (const entry of this.#entries) {
      if (this.#bytes <= this.#capacity) break;
      this.#remove(entry);
      this.#forgotten = [...this.#forgotten.slice(1 - FORGOTTEN), entry.ids];
    }
  }

  clear(): void {
    for (const entry of this.#entries) this.#remove(entry);
    this.#forgotten = [];
  }

  #saySmall(): void {
    this.#isSmall = true;
    const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
    const largest = Math.max(...[...this.#entries].map(({ cache }) => cache.bytes));
    warn(
      'PROMPT_CACHE_SMALL',
      `The prompt cache of ${megabytes(this.#capacity)} MB is too small: a conversation that goes on is read again from its beginning. ` +
        `One takes up to ${megabytes(largest)} MB: raise promptCacheBytes (--prompt-cache) to that times the conversations side by side.`,
    );
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry);
    this.#bytes -= entry.cache.bytes;
    entry.cache.dispose();
  }
}

/** Tokens at the beginning that are equal, at most `limit`. */
function equalTokens(a: Int32Array, b: Int32Array, limit: number): number {
  const most = Math.min(a.length, b.length, limit);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}
