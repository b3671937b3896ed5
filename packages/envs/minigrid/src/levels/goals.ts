/** Missions and goals that several levels share. */
import type { Cell, Goal } from '../world/task.js';
import type { Thing } from '../world/thing.js';

export const TO_GREEN_GOAL = 'get to the green goal square';
export const AVOID_LAVA = `avoid the lava and ${TO_GREEN_GOAL}`;
export const FIND_OPENING = `find the opening and ${TO_GREEN_GOAL}`;

export const reach = (x: number, y: number) => (): Goal => ({ kind: 'reach', x, y });

export const pickup = (thing: Thing) => (): Goal => ({ kind: 'pickup', things: [thing] });

/** Next to a place that stays, also if what stood there is moved; then `done`. */
export const stopAt = (x: number, y: number) => {
  const cells: readonly Cell[] = [[x, y]];
  return (): Goal => ({ kind: 'goto', cells: () => cells, faced: false, done: true });
};

export const isBeside = (x: number, y: number, targetX: number, targetY: number): boolean =>
  Math.abs(x - targetX) + Math.abs(y - targetY) === 1;
