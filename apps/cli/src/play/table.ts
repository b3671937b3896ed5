/** The interface behind the page's server: it returns scenes and applies the actions that lead to the next one. */
import type { Scene } from './view.js';

export interface Shown extends Scene {
  /** Number of the scene, counted from the start of the program. */
  readonly turn: number;
  /** The reason why the last move failed. */
  readonly note?: string;
  /** The move that was not made, because it would change nothing. */
  readonly refused?: string;
}

export interface Table {
  /** The current scene; if a change is in progress, the scene after it. */
  current(): Promise<Shown>;
  /**
   * Answers the scene of this number; a late answer changes nothing.
   *
   * @param anyway  Also if it would change nothing.
   */
  move(turn: number, text: string, anyway?: boolean): Promise<Shown>;
  /** Takes the last step back, also the one that ended the episode. */
  undo(turn: number): Promise<Shown>;
  /** Another episode: its seed, or its number in a recording. */
  restart(seed: number): Promise<Shown>;
  hint(): Hint;
}

/** Advice of the expert in words; if there is none, the reason. */
export interface Hint {
  readonly hint: string;
  readonly reason: string;
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
