/**
 * What an episode in a world is about: the floor plan, and which things of the goal stand in which cell of it.
 *
 * Light, textures, colors of walls, sizes of things and where the agent starts are not part of the task, so that a room
 * seen from two places is one task. Worlds that differ by nothing but the start say so (`Task.startIsContent`).
 */
import { contentDigest, taskKey } from '@vlgym/core';
import type { Entity } from '../world/entity.js';
import type { Room } from '../world/room.js';
import type { World } from '../world/world.js';
import type { Goal, Task } from './task.js';

/** Side of a cell in meters: two places in one cell are the same task. */
const CELL = 0.5;

/** Directions of the agent are told apart by eighths of a turn. */
const DIRECTIONS = 8;

/** Also salts the hash of `splitOf`: with this word, small worlds (Hallway, Sidewalk) have tasks on both sides, too. */
const KIND = 'world';

/** E.g. `world:touch:4f2a…:red box@18,-3`; call it before the first step. */
export function worldKey({ rooms, entities, agent }: World, goal: Goal | undefined, { startIsContent }: Task): string {
  const things = goal ? goalThings(goal) : sorted(entities.filter((entity) => entity !== agent).map(thing));
  const start = startIsContent ? `:start@${cellOf(agent)},${octant(agent.direction)}` : '';
  return taskKey(KIND, `${goal?.kind ?? 'look'}:${contentDigest(floorPlan(rooms))}:${things}${start}`);
}

function goalThings(goal: Goal): string {
  if (goal.kind === 'touch') return thing(goal.entity);
  if (goal.kind === 'pick up') return sorted(goal.entities.map(thing));
  return `${thing(goal.entity)}>${thing(goal.target)}`;
}

const sorted = (words: readonly string[]): string => [...words].sort().join(';');

const thing = (entity: Entity): string => `${entity.label.replace(/^an? /, '')}@${cellOf(entity)}`;

const cellOf = ({ x, z }: Entity): string => `${Math.floor(x / CELL)},${Math.floor(z / CELL)}`;

/** Directions are never wrapped: any number of turns counts as none. */
function octant(direction: number): number {
  const turns = direction / (2 * Math.PI);
  return Math.floor((turns - Math.floor(turns)) * DIRECTIONS);
}

/** Rooms and connectors as sorted corners in centimeters: the order in which a maze is carved makes no difference. */
function floorPlan(rooms: readonly Room[]): string {
  const corner = (meters: number) => String(Math.round(meters * 100));
  return sorted(rooms.map(({ outline }) => sorted(outline.map(([x, z]) => `${corner(x)},${corner(z)}`))));
}
