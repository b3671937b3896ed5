/** Objects of which no two have the same kind and color. */
import { KINDS } from '../../world/constants.js';
import { Thing } from '../../world/thing.js';
import type { World } from '../../world/world.js';

/** @param rejects  Cells where none may be placed, given those placed before. */
export function placeDifferent(
  world: World,
  count: number,
  rejects?: (x: number, y: number, placed: readonly Thing[]) => boolean,
): Thing[] {
  const placed: Thing[] = [];
  while (placed.length < count) {
    const kind = world.element(KINDS);
    const color = world.color();
    if (placed.some((other) => other.type === kind && other.color === color)) continue;
    const thing = new Thing(kind, color);
    world.place(thing, rejects && { rejects: (x, y) => rejects(x, y, placed) });
    placed.push(thing);
  }
  return placed;
}
