/** A shortest way to win, found breadth first over whole levels. */
import { BABA_ACTIONS, BabaGame } from './game.js';
import { Grid } from './grid.js';
import type { Thing } from './things.js';

/** Levels after which the search gives up, within a second. */
const MAX_LEVELS = 10_000;

interface Reached {
  readonly game: BabaGame;
  readonly before: Reached | undefined;
  readonly action: number;
}

/** @returns Actions from here; `undefined` if there are none, or the search is too large. */
export function solveBaba(game: BabaGame): number[] | undefined {
  const seen = new Set([keyOf(game.grid)]);
  let level: Reached[] = [{ game: copyOf(game), before: undefined, action: 0 }];
  while (level.length > 0 && seen.size < MAX_LEVELS) {
    const next: Reached[] = [];
    for (const before of level) {
      for (let action = 1; action < BABA_ACTIONS.length; action += 1) {
        const after = copyOf(before.game);
        const { won } = after.advance(action);
        const reached = { game: after, before, action };
        if (won) return actionsOf(reached);
        const key = keyOf(after.grid);
        if (seen.has(key) || after.rules.you === undefined) continue;
        seen.add(key);
        next.push(reached);
      }
    }
    level = next;
  }
  return undefined;
}

const copy = (thing: Thing): Thing => (thing.kind === 'item' ? { ...thing } : thing);

function copyOf({ grid, steps, direction, at, rules }: BabaGame): BabaGame {
  const stacks = grid.stacks.map((stack) => (stack.some(({ kind }) => kind === 'item') ? stack.map(copy) : stack));
  return new BabaGame(new Grid(grid.width, grid.height, stacks), { steps, direction, at, rules });
}

const lettersOf = (thing: Thing): string =>
  thing.kind === 'item' ? thing.name.slice(0, 2) : thing.kind === 'word' ? `"${thing.word}` : '#';

/** Directions and colors change nothing. */
function keyOf({ stacks }: Grid): string {
  let key = '';
  for (const [at, stack] of stacks.entries()) {
    if (stack.length > 0 && stack[0]!.kind !== 'border') key += `${at}${stack.map(lettersOf).join('')}`;
  }
  return key;
}

function actionsOf(last: Reached): number[] {
  const actions: number[] = [];
  for (let reached: Reached = last; reached.before; reached = reached.before) actions.unshift(reached.action);
  return actions;
}
