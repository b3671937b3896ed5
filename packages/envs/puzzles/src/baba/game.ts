/** One episode of Baba Is AI: whoever is "you" walks, words are pushed, and rules change what things are. */
import type { RandomState } from '@vlgym/core/random';
import type { Grid, Place } from './grid.js';
import { Rules } from './rules.js';
import { DIRECTIONS, item, type Thing } from './things.js';

export const BABA_ACTIONS = ['idle', 'up', 'right', 'down', 'left'] as const;
/** Index into `DIRECTIONS` of each action; idle has none. */
const TURNS = [undefined, 3, 0, 1, 2] as const;
/** Steps of a level. */
export const LEVEL_STEPS = 100;

export interface GameState {
  readonly steps: number;
  readonly direction: number;
  readonly at: Place;
  /** Those of the grid, if they are known. */
  readonly rules?: Rules;
}

export class BabaGame {
  readonly grid: Grid;
  rules: Rules;
  steps: number;
  /** Where the last one that was "you" went, and the direction of the last move: the picture turns it. */
  at: Place;
  direction: number;

  /** @param random  Draws a place if no one is "you". */
  constructor(grid: Grid, from: RandomState | GameState) {
    this.grid = grid;
    const isSaved = 'steps' in from;
    this.rules = (isSaved ? from.rules : undefined) ?? new Rules(grid);
    this.steps = isSaved ? from.steps : 0;
    const you = isSaved ? undefined : [...grid.tops()].find(([, thing]) => this.#is(thing, 'you'));
    if (isSaved) [this.at, this.direction] = [from.at, from.direction];
    else if (you) [this.at, this.direction] = [you[0], 0];
    else [this.at, this.direction] = [grid.drawEmpty(from), from.randint(0, DIRECTIONS.length)];
  }

  /** @returns The reward, and whether it was won. */
  advance(action: number): { readonly reward: number; readonly won: boolean } {
    this.steps += 1;
    const direction = TURNS[action];
    if (direction === undefined) return { reward: 0, won: false };
    this.direction = direction;
    const won = this.#walk(direction);
    this.rules = new Rules(this.grid);
    this.#replace();
    return { reward: won ? 1 - 0.9 * (this.steps / LEVEL_STEPS) : 0, won };
  }

  /** Everything that is "you" goes one step, in reading order. @returns Whether the last one has won. */
  #walk(direction: number): boolean {
    for (const [, thing] of this.grid.tops()) if (this.#is(thing, 'you')) thing.hasMoved = false;
    let won = false;
    for (const [place, thing] of this.grid.tops()) {
      if (!this.#is(thing, 'you') || thing.hasMoved) continue;
      thing.direction = direction;
      [this.at, won] = this.#move(place, direction);
      thing.hasMoved = true;
    }
    return won;
  }

  /** Moves the top thing of a cell if the next cell lets it, and the words before it. */
  #move(place: Place, direction: number): [to: Place, won: boolean] {
    const [dx, dy] = DIRECTIONS[direction]!;
    const next: Place = [place[0] + dx, place[1] + dy];
    if (this.grid.top(next)?.kind === 'word') this.#move(next, direction);
    const ahead = this.grid.top(next);
    const to = ahead === undefined || (ahead.kind === 'item' && !this.#is(ahead, 'stop')) ? next : place;
    const won = this.#is(this.grid.top(to), 'win');
    const moved = this.grid.move(place, to);
    if (moved?.kind === 'item') moved.direction = direction;
    return [to, won];
  }

  #is(thing: Thing | undefined, property: 'you' | 'win' | 'stop'): thing is Extract<Thing, { kind: 'item' }> {
    return thing?.kind === 'item' && this.rules.has(thing.name, property);
  }

  /** "ball is key" lays a key on every ball that is seen. */
  #replace(): void {
    for (const rule of this.rules.all) {
      if (!('becomes' in rule)) continue;
      for (const [place, thing] of [...this.grid.tops()]) {
        if (thing.kind === 'item' && thing.name === rule.object) this.grid.put(place, item(rule.becomes));
      }
    }
  }
}
