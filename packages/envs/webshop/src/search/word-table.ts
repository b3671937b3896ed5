/**
 * Numbers of words as written in a text: an open hash table over characters, so that a known word needs no new
 * string. Indexing asks for every word of every document.
 */

const EMPTY = -2;
/** Slots per word, at least. */
const SPACE = 2;

export class WordTable {
  #slots = new Int32Array(1 << 12).fill(EMPTY);
  readonly #words: string[] = [];
  readonly #values: number[] = [];
  readonly #hashes: number[] = [];

  /** @param limit  Words that are kept; further ones are computed every time. */
  constructor(
    readonly compute: (word: string) => number,
    readonly limit: number,
  ) {}

  /** The number of the word from `start` to `end`. */
  valueAt(text: string, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.#slots[slot]!; entry !== EMPTY; entry = this.#slots[slot]!) {
      if (this.#hashes[entry] === hash && isAt(this.#words[entry]!, text, start, end)) return this.#values[entry]!;
      slot = (slot + 1) & mask;
    }
    const word = text.slice(start, end);
    const value = this.compute(word);
    if (this.#words.length >= this.limit) return value;
    this.#slots[slot] = this.#words.length;
    this.#words.push(` ${word}`.slice(1)); // a copy: a slice would keep its whole text alive
    this.#values.push(value);
    this.#hashes.push(hash);
    if (this.#words.length * SPACE > this.#slots.length) this.#grow();
    return value;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    const mask = slots.length - 1;
    for (const [entry, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = entry;
    }
    this.#slots = slots;
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) !== word.charCodeAt(at - start)) return false;
  return true;
}
