/** Counts what agrees, and keeps the first difference of each kind. */
import { isDeepStrictEqual } from 'node:util';
import type { Agreement } from '../registry/types.js';

interface Count {
  agreed: number;
  compared: number;
  needed?: number;
  first?: string;
}

/** Characters of a value that a difference shows. */
const SHOWN = 400;

export class Tally {
  readonly #counts = new Map<string, Count>();

  /** @param kinds  The rows of the report, in order; others follow as they occur. */
  constructor(kinds: readonly string[] = []) {
    for (const kind of kinds) this.#counts.set(kind, { agreed: 0, compared: 0 });
  }

  /** Compares two values deeply. @returns Whether they are equal. */
  equal(kind: string, place: string, ours: unknown, theirs: unknown): boolean {
    return this.#note(kind, isDeepStrictEqual(ours, theirs), place, ours, theirs);
  }

  /** Compares numbers. @returns Whether there are equally many, each within `tolerance` of the other. */
  near(kind: string, place: string, ours: readonly number[], theirs: readonly number[], tolerance: number): boolean {
    const close =
      ours.length === theirs.length && ours.every((value, index) => Math.abs(value - theirs[index]!) <= tolerance);
    return this.#note(kind, close, place, ours, theirs);
  }

  /** Sets the share that must agree, for rows that cannot be equal. */
  need(kind: string, share: number): void {
    this.#of(kind).needed = share;
  }

  /** Adds parts that were counted elsewhere, e.g. pixels. */
  count(kind: string, agreed: number, compared: number, first?: string): void {
    const count = this.#of(kind);
    count.agreed += agreed;
    count.compared += compared;
    if (first !== undefined) count.first ??= first;
  }

  get agreements(): Agreement[] {
    return [...this.#counts].map(([what, count]) => ({ what, ...count }));
  }

  #note(kind: string, agrees: boolean, place: string, ours: unknown, theirs: unknown): boolean {
    if (agrees) this.count(kind, 1, 1);
    else this.count(kind, 0, 1, `${place}: ours ${shown(ours)}, the original's ${shown(theirs)}`);
    return agrees;
  }

  #of(kind: string): Count {
    const count = this.#counts.get(kind) ?? { agreed: 0, compared: 0 };
    this.#counts.set(kind, count);
    return count;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
