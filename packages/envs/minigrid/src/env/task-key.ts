/** The key of a task: its mission, and a digest of the whole world and of where the agent starts. */
import { contentDigest, taskKey } from '@vlgym/core';
import type { World } from '../world/world.js';

/** `minigrid:go to the red ball:0f3a…`: equal keys mean equal worlds, whatever the seed or the id. */
export function keyOf(world: World): string {
  const { grid, mission, agentX, agentY, direction } = world;
  const held = grid.cells.map((thing) => (thing?.contains ? `${thing.contains.color} ${thing.contains.type}` : ''));
  const cells = String.fromCharCode(...grid.encode());
  const content = `${grid.width}x${grid.height} ${agentX},${agentY},${direction} ${cells} ${held.join('')}`;
  return taskKey('minigrid', `${mission}:${contentDigest(content)}`);
}
