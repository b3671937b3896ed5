/**
 * Walking distances to a goal, on a grid of the floor positions where a circle of the agent's size fits.
 *
 * The search uses them as an estimate, so paths have eight directions and positions are rounded to cells.
 */
import { touchesWall } from '../world/walls.js';
import type { World } from '../world/world.js';

export interface DistanceField {
  /** Meters to the goal; Infinity where it cannot be reached. */
  at(x: number, z: number): number;
}

/** Limits of the cell size in meters. Larger worlds have larger cells, small enough to resolve gaps for the agent. */
const MIN_CELL = 0.1;
const MAX_CELL = 0.2;
/** Worlds up to this number of cells along their longer side use the smallest cells. */
const FINE_CELLS = 200;
/** Bounds the memory: above this number of cells, their size exceeds `MAX_CELL`. */
const MAX_CELLS = 1_000_000;

/**
 * @param isGoal  True where the goal is reached.
 * @param isOpen  True where walking is allowed, apart from walls and entities.
 */
export function distanceField(
  world: World,
  isGoal: (x: number, z: number) => boolean,
  isOpen: (x: number, z: number) => boolean,
): DistanceField {
  const grid = gridOver(world);
  const { minX, minZ, cell, columns, rows } = grid;
  const distances = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  const blocked = blockedCells(world, grid);
  const isFree = (index: number): boolean =>
    blocked[index] === 0 && isOpen(minX + (index % columns) * cell, minZ + Math.floor(index / columns) * cell);

  const queue = new IndexQueue();
  for (let index = 0; index < distances.length; index += 1) {
    if (!isGoal(minX + (index % columns) * cell, minZ + Math.floor(index / columns) * cell)) continue;
    distances[index] = 0;
    queue.push(index, 0);
  }
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    for (const [dx, dz, length] of NEIGHBORS) {
      const [nextColumn, nextRow] = [column + dx, row + dz];
      if (nextColumn < 0 || nextRow < 0 || nextColumn >= columns || nextRow >= rows) continue;
      const next = nextRow * columns + nextColumn;
      const distance = distances[index]! + length * cell;
      if (distance >= distances[next]! || !isFree(next)) continue;
      distances[next] = distance;
      queue.push(next, distance);
    }
  }
  return {
    at(x, z) {
      const column = Math.round((x - minX) / cell);
      const row = Math.round((z - minZ) / cell);
      const distance = distances[row * columns + column] ?? Number.POSITIVE_INFINITY;
      if (distance < Number.POSITIVE_INFINITY) return distance;
      // The position may be free although the middle of its cell is blocked: then use the neighboring cells.
      let least = Number.POSITIVE_INFINITY;
      for (const [dx, dz, length] of NEIGHBORS) {
        const [nextColumn, nextRow] = [column + dx, row + dz];
        if (nextColumn < 0 || nextRow < 0 || nextColumn >= columns || nextRow >= rows) continue;
        least = Math.min(least, distances[nextRow * columns + nextColumn]! + length * cell);
      }
      return least;
    },
  };
}

interface Grid {
  readonly minX: number;
  readonly minZ: number;
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

function gridOver({ bounds: { minX, maxX, minZ, maxZ } }: World): Grid {
  const [width, height] = [maxX - minX, maxZ - minZ];
  const preferred = Math.min(Math.max(MIN_CELL, Math.max(width, height) / FINE_CELLS), MAX_CELL);
  const cell = Math.max(preferred, Math.sqrt((width * height) / MAX_CELLS));
  return { minX, minZ, cell, columns: Math.ceil(width / cell) + 1, rows: Math.ceil(height / cell) + 1 };
}

/** 1 where the agent's circle would touch a wall or an entity. */
function blockedCells({ segments, entities, agent }: World, { minX, minZ, cell, columns, rows }: Grid): Uint8Array {
  const blocked = new Uint8Array(columns * rows);
  // Slightly less than the agent's radius, because positions are rounded and narrow gaps should stay open.
  const radius = agent.radius - 0.75 * cell;
  const block = (xs: number[], zs: number[], reach: number, touches: (x: number, z: number) => boolean) => {
    const first = (low: number, from: number) => Math.max(0, Math.floor((low - reach - from) / cell));
    const last = (high: number, from: number, count: number) =>
      Math.min(count - 1, Math.ceil((high + reach - from) / cell));
    const [left, right] = [first(Math.min(...xs), minX), last(Math.max(...xs), minX, columns)];
    for (let row = first(Math.min(...zs), minZ); row <= last(Math.max(...zs), minZ, rows); row += 1) {
      for (let column = left; column <= right; column += 1) {
        if (touches(minX + column * cell, minZ + row * cell)) blocked[row * columns + column] = 1;
      }
    }
  };
  for (let index = 0; index < segments.length; index += 4) {
    const wall = segments.subarray(index, index + 4);
    const [ax, az, bx, bz] = wall as unknown as [number, number, number, number];
    block([ax, bx], [az, bz], radius, (x, z) => touchesWall(wall, x, z, radius));
  }
  for (const entity of entities) {
    // A carried entity moves with the agent.
    if (entity === agent || entity === agent.carrying || !entity.blocks) continue;
    const reach = radius + entity.radius;
    block([entity.x], [entity.z], reach, (x, z) => Math.hypot(entity.x - x, entity.z - z) < reach);
  }
  return blocked;
}

const NEIGHBORS = [-1, 0, 1].flatMap((dx) =>
  [-1, 0, 1].flatMap((dz) => (dx === 0 && dz === 0 ? [] : [[dx, dz, Math.sqrt(dx * dx + dz * dz)] as const])),
);

/** A binary heap of indices by cost, smallest first; equal costs are first in, first out. */
export class IndexQueue {
  readonly #heap: { readonly index: number; readonly cost: number; readonly order: number }[] = [];
  #pushed = 0;

  push(index: number, cost: number): void {
    const heap = this.#heap;
    heap.push({ index, cost, order: this.#pushed });
    this.#pushed += 1;
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last) return undefined;
    if (heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let least = at;
        if (left < heap.length && this.#before(left, least)) least = left;
        if (right < heap.length && this.#before(right, least)) least = right;
        if (least === at) break;
        this.#swap(at, least);
        at = least;
      }
    }
    return first.index;
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a]!, this.#heap[b]!];
    return one.cost < other.cost || (one.cost === other.cost && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }
}
