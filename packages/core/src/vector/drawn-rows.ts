/**
 * The rows of a picture that were drawn since somebody looked, so that only these need to be compared or sent.
 *
 * Rows that were drawn and look as before are among them. Where nothing was ever marked, every row is in question.
 */
export class DrawnRows {
  #isKept = false;
  #top = Number.POSITIVE_INFINITY;
  #bottom = 0;

  /** The rows `top` to `bottom` (exclusive) were drawn; they may lie outside of the picture. */
  mark(top: number, bottom: number): void {
    this.#isKept = true;
    this.#top = Math.min(this.#top, top);
    this.#bottom = Math.max(this.#bottom, bottom);
  }

  /** The first row and the one after the last, equal if there is none; from here on only later ones count. */
  take(height: number): readonly [top: number, bottom: number] {
    if (!this.#isKept) return [0, height];
    if (this.#top >= this.#bottom) return [0, 0];
    const top = Math.min(Math.max(Math.floor(this.#top), 0), height);
    const bottom = Math.max(Math.min(Math.ceil(this.#bottom), height), top);
    this.#top = Number.POSITIVE_INFINITY;
    this.#bottom = 0;
    return [top, bottom];
  }
}
