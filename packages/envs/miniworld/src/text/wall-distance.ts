/** Distances to the walls that block walking. */
import type { World } from '../world/world.js';

/** Distance to the first wall in meters. `bearing` is relative to the agent's direction, in radians to the left. */
export function wallDistance(world: World, bearing = 0): number {
  const { agent, segments } = world;
  const dx = Math.cos(agent.direction + bearing);
  const dz = -Math.sin(agent.direction + bearing);
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < segments.length; index += 4) {
    const ax = segments[index]! - agent.x;
    const az = segments[index + 1]! - agent.z;
    const ex = segments[index + 2]! - segments[index]!;
    const ez = segments[index + 3]! - segments[index + 1]!;
    const cross = dx * ez - dz * ex;
    if (cross === 0) continue;
    const along = (ax * ez - az * ex) / cross;
    const share = (ax * dz - az * dx) / cross;
    if (along > 0 && along < nearest && share >= 0 && share <= 1) nearest = along;
  }
  return nearest;
}
