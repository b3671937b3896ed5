/** Keys for people: those that the game's actions press. */
import type { CheckedGame } from './game.js';

const NAMES: Readonly<Record<string, string>> = {
  ...{ ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', ' ': 'space' },
};

/** Action by key; the first action of a key counts. Actions without a key have digits, then letters. */
export function playKeys({ inputs }: CheckedGame): Readonly<Record<string, number>> {
  const keys: Record<string, number> = {};
  const unnamed: number[] = [];
  for (const [action, { keys: pressed }] of inputs.entries()) {
    const [only, more] = pressed;
    const name = only === undefined || more !== undefined ? undefined : (NAMES[only] ?? only.toLowerCase());
    if (
      name !== undefined &&
      keys[name] === undefined &&
      (name.length === 1 || name in { left: 0, right: 0, up: 0, down: 0, space: 0 })
    ) {
      keys[name] = action;
    } else unnamed.push(action);
  }
  const free = [...'0123456789abcdefghijklmnopqrstuvwxyz'].filter((key) => keys[key] === undefined);
  for (const [i, action] of unnamed.slice(0, free.length).entries()) keys[free[i]!] = action;
  return keys;
}
