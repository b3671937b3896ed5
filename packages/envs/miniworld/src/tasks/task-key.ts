/**
 * The task of an episode: the floor plan, and the cells in which the goal's entities stand; of a door also its key.
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

/** The same of rooms with symmetries; with this word, 12 : 3 tasks of a room of 6 m and 35 : 10 of one of 10 m. */
const SYMMETRIC_KIND = 'room';

/**
 * - 2 (default): in a square room that looks the same from all sides (`Task.isSymmetric`), mirrored and rotated tasks are one.
 * - 1: they are several, as in all other worlds, so that a split has mirrored tasks on both sides.
 */
export const KEY_VERSIONS = [1, 2] as const;
export type KeyVersion = (typeof KEY_VERSIONS)[number];

/** For example `world:touch:4f2a…:red box@18,-3` or `room:touch:4f2a…:red box@2,5`. Call before the first step. */
export function worldKey(
  { rooms, entities, agent }: World,
  goal: Goal | undefined,
  { startIsContent, isSymmetric }: Task,
  version: KeyVersion = 2,
): string {
  const [room] = rooms;
  if (isSymmetric && version === 2 && goal?.kind === 'touch' && room) {
    return taskKey(SYMMETRIC_KIND, `touch:${contentDigest(floorPlan([room]))}:${labelAndDepth(goal.entity, room)}`);
  }
  const content = goal ? goalContent(goal) : sorted(entities.filter((entity) => entity !== agent).map(labelAndCell));
  const start = startIsContent ? `:start@${cellOf(agent)},${octant(agent.direction)}` : '';
  return taskKey(KIND, `${goal?.kind ?? 'look'}:${contentDigest(floorPlan(rooms))}:${content}${start}`);
}

function goalContent(goal: Goal): string {
  if (goal.kind === 'touch') return labelAndCell(goal.entity);
  if (goal.kind === 'open') {
    const { key } = goal.entity;
    return `${labelAndCell(goal.entity)}${key ? `<${labelAndCell(key)}` : ''}`;
  }
  if (goal.kind === 'pick up') return sorted(goal.entities.map(labelAndCell));
  if (goal.kind === 'put next') return `${labelAndCell(goal.entity)}>${labelAndCell(goal.target)}`;
  const { to } = goal;
  const place = 'outline' in to ? `room@${floorPlan([to])}` : `place@${cellOf(to)}`;
  return `${labelAndCell(goal.entity)}>${place}`;
}

const sorted = (words: readonly string[]): string => [...words].sort().join(';');

const labelAndCell = (entity: Entity): string => `${entity.label.replace(/^an? /, '')}@${cellOf(entity)}`;

/** Cells between the entity and the nearest wall along each axis, the smaller number first: equal under all symmetries. */
function labelAndDepth({ label, x, z }: Entity, { minX, maxX, minZ, maxZ }: Room): string {
  const depth = (value: number, min: number, max: number) =>
    Math.floor(((max - min) / 2 - Math.abs(value - (min + max) / 2)) / CELL);
  const [near, far] = [depth(x, minX, maxX), depth(z, minZ, maxZ)].sort((a, b) => a - b);
  return `${label.replace(/^an? /, '')}@${near},${far}`;
}

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
