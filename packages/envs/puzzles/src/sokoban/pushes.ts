/** Bounds on the pushes that remain, and boxes that can never move again. */
import { type Room, TARGET, WALL } from './room.js';

/** The bound of a room that has no solution. */
export const LOST = 0xffff;

export class Pushes {
  readonly #columns: number;
  readonly #fixed: Uint8Array;
  /** Per target and cell: pushes that bring a box from there to the target, with no other box in the room; or LOST. */
  readonly #toTarget: readonly Uint16Array[];
  /** Per cell: pushes to the closest target, or LOST. */
  readonly #toClosest: Uint16Array;
  /** Per cell: 0 without a box, 1 with one, 2 with one that counts as a wall. */
  readonly #occupied: Uint8Array;

  constructor({ columns, fixed }: Pick<Room, 'columns' | 'fixed'>) {
    this.#columns = columns;
    this.#fixed = fixed;
    this.#occupied = new Uint8Array(fixed.length);
    const targets = Array.from(fixed.keys()).filter((cell) => fixed[cell] === TARGET);
    this.#toTarget = targets.map((target) => this.#pushesTo(target));
    this.#toClosest = new Uint16Array(fixed.length).fill(LOST);
    for (const pushes of this.#toTarget) {
      for (const [cell, count] of pushes.entries()) {
        if (count < this.#toClosest[cell]!) this.#toClosest[cell] = count;
      }
    }
  }

  /** No wall, and inside the room. */
  isOpen(cell: number): boolean {
    return (this.#fixed[cell] ?? WALL) !== WALL;
  }

  /** A box in this cell can be pushed to some target, if no other box is in the way. */
  isAlive(cell: number): boolean {
    return this.#toClosest[cell]! < LOST;
  }

  /**
   * The fewest pushes that bring every box to a target of its own, if boxes did not block each other. A push changes it by at most 1.
   *
   * @returns at most the length of a shortest solution; `LOST` if there is none.
   */
  bound(boxes: Uint16Array): number {
    let best = LOST;
    const assign = (index: number, used: number, sum: number): void => {
      if (index === boxes.length) {
        best = sum;
        return;
      }
      for (let target = 0; target < this.#toTarget.length; target += 1) {
        const next = sum + this.#toTarget[target]![boxes[index]!]!;
        if (next < best && !(used & (1 << target))) assign(index + 1, used | (1 << target), next);
      }
    };
    assign(0, 0, 0);
    return best;
  }

  /** Some box is not on a target and can never be pushed again. */
  isFrozen(boxes: Uint16Array): boolean {
    this.#occupied.fill(0);
    for (const box of boxes) this.#occupied[box] = 1;
    return boxes.some(
      (box) => this.#fixed[box] !== TARGET && this.#isStuck(box, 1) && this.#isStuck(box, this.#columns),
    );
  }

  /** The box cannot move along this axis: a wall, cells without a way to a target, or boxes that are stuck across. */
  #isStuck(box: number, shift: number): boolean {
    const [before, after] = [box - shift, box + shift];
    if (!this.isOpen(before) || !this.isOpen(after)) return true;
    if (!this.isAlive(before) && !this.isAlive(after)) return true;
    const across = shift === 1 ? this.#columns : 1;
    this.#occupied[box] = 2;
    const isStuck = [before, after].some((cell) => {
      const content = this.#occupied[cell];
      return content === 2 || (content === 1 && this.#isStuck(cell, across));
    });
    this.#occupied[box] = 1;
    return isStuck;
  }

  #pushesTo(target: number): Uint16Array {
    const pushes = new Uint16Array(this.#fixed.length).fill(LOST);
    pushes[target] = 0;
    const cells = [target];
    for (const to of cells) {
      for (const shift of [-this.#columns, this.#columns, -1, 1]) {
        const from = to - shift;
        if (pushes[from] !== LOST || !this.isOpen(from) || !this.isOpen(from - shift)) continue;
        pushes[from] = pushes[to]! + 1;
        cells.push(from);
      }
    }
    return pushes;
  }
}
