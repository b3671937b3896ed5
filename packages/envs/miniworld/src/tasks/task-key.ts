/**
 * The task of an episode: the floor plan, and the cells in which the goal's entities stand.
 *
 * Light, textures, wall colors, sizes and the agent's start are not part of the task, so a room seen from two positions
 * is one task. Worlds whose episodes differ only by the agent's start set `Task.startIsContent`.
 */
import { contentDigest, taskKey } from '@vlgym/core';
import type { Entity } from '../world/entity.js';
import type { Room } from '../world/room.js';
import type { World } from '../world/world.js';
import type { Goal, Task } from './task.js';

/** Side of a cell in meters: two positions in one cell are the same task. */
const CELL = 0.5;

/** Number of distinguished directions of the agent. */
const DIRECTIONS = 8;

/** Also salts the hash of `splitOf`. With this word, small worlds (Hallway, Sidewalk) have tasks in both splits. */
const KIND = 'world';

/** For example `world:touch:4f2a…:red box@18,-3`. Call before the first step. */
export function worldKey({ rooms, entities, agent }: World, goal: Goal | undefined, { startIsContent }: Task): string {
  const content = goal ? goalContent(goal) : sorted(entities.filter((entity) => entity !== agent).map(labelAndCell));
  const start = startIsContent ? `:start@${cellOf(agent)},${octant(agent.direction)}` : '';
  return taskKey(KIND, `${goal?.kind ?? 'look'}:${contentDigest(floorPlan(rooms))}:${content}${start}`);
}

function goalContent(goal: Goal): string {
  if (goal.kind === 'touch') return labelAndCell(goal.entity);
  if (goal.kind === 'pick up') return sorted(goal.entities.map(labelAndCell));
  if (goal.kind === 'put next') return `${labelAndCell(goal.entity)}>${labelAndCell(goal.target)}`;
  const { to } = goal;
  const place = 'outline' in to ? `room@${floorPlan([to])}` : `place@${cellOf(to)}`;
  return `${labelAndCell(goal.entity)}>${place}`;
}

const sorted = (words: readonly string[]): string => [...words].sort().join(';');

const labelAndCell = (entity: Entity): string => `${entity.label.replace(/^an? /, '')}@${cellOf(entity)}`;

const cellOf = ({ x, z }: Pick<Entity, 'x' | 'z'>): string => `${Math.floor(x / CELL)},${Math.floor(z / CELL)}`;

/** The agent's direction is never wrapped, so full turns are removed here. */
function octant(direction: number): number {
  const turns = direction / (2 * Math.PI);
  return Math.floor((turns - Math.floor(turns)) * DIRECTIONS);
}

/** Rooms and connectors as sorted corners in centimeters, independent of the order in which a maze is carved. */
function floorPlan(rooms: readonly Room[]): string {
  const corner = (meters: number) => String(Math.round(meters * 100));
  return sorted(rooms.map(({ outline }) => sorted(outline.map(([x, z]) => `${corner(x)},${corner(z)}`))));
}
