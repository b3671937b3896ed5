/** The states of a search, each once: player and boxes in one typed array, found again by a hash table. */

const START = 1 << 12;

export class States {
  /** States so far; the index of a state is its place in the order in which they came. */
  size = 0;
  /** Moves from the start. */
  moves = new Uint16Array(START);
  /** Lower bound of the moves that remain. */
  bounds = new Uint16Array(START);
  /** Index of the state before; -1 at the start. */
  before = new Int32Array(START);
  /** 1 for states whose moves can no longer become fewer. */
  closed = new Uint8Array(START);

  readonly #width: number;
  #cells: Uint16Array;
  /** Indices, in a table of open addresses that is at most half full. */
  #table = new Int32Array(2 * START).fill(-1);

  constructor(boxes: number) {
    this.#width = boxes + 1;
    this.#cells = new Uint16Array(START * this.#width);
  }

  /** Reads the player's cell, then those of the boxes in ascending order. */
  read(index: number, cells: Uint16Array): void {
    const start = index * this.#width;
    for (let at = 0; at < this.#width; at += 1) cells[at] = this.#cells[start + at]!;
  }

  playerOf(index: number): number {
    return this.#cells[index * this.#width]!;
  }

  /** Index of a state, or -1. */
  find(cells: Uint16Array): number {
    return this.#table[this.#slotOf(cells)]!;
  }

  /** Adds a state that `find` does not know. */
  add(cells: Uint16Array, { moves, bound, before }: { moves: number; bound: number; before: number }): number {
    if (this.size === this.moves.length) this.#grow();
    const index = this.size;
    this.size += 1;
    this.#table[this.#slotOf(cells)] = index;
    this.#cells.set(cells, index * this.#width);
    this.moves[index] = moves;
    this.bounds[index] = bound;
    this.before[index] = before;
    return index;
  }

  /** The slot of a state, or the free one where it belongs. */
  #slotOf(cells: Uint16Array): number {
    const mask = this.#table.length - 1;
    let slot = hashOf(cells) & mask;
    for (;;) {
      const index = this.#table[slot]!;
      if (index < 0 || this.#isAt(index, cells)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(index: number, cells: Uint16Array): boolean {
    const start = index * this.#width;
    for (let at = 0; at < this.#width; at += 1) if (this.#cells[start + at] !== cells[at]) return false;
    return true;
  }

  #grow(): void {
    const capacity = 2 * this.size;
    const grown = <T extends Uint16Array | Int32Array | Uint8Array>(larger: T, old: T): T => {
      larger.set(old);
      return larger;
    };
    this.moves = grown(new Uint16Array(capacity), this.moves);
    this.bounds = grown(new Uint16Array(capacity), this.bounds);
    this.before = grown(new Int32Array(capacity), this.before);
    this.closed = grown(new Uint8Array(capacity), this.closed);
    this.#cells = grown(new Uint16Array(capacity * this.#width), this.#cells);
    this.#table = new Int32Array(2 * capacity).fill(-1);
    const cells = new Uint16Array(this.#width);
    for (let index = 0; index < this.size; index += 1) {
      this.read(index, cells);
      this.#table[this.#slotOf(cells)] = index;
    }
  }
}

function hashOf(cells: Uint16Array): number {
  let hash = 0;
  for (let at = 0; at < cells.length; at += 1) hash = Math.imul(hash ^ cells[at]!, 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 13)) >>> 0;
}
