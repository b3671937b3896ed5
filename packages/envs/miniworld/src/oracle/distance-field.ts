/**
 * How far it is to a goal, walking: distances over a grid of the floor that a circle of the agent's size can stand on.
 *
 * The search uses it as an estimate, so corners are cut at eight directions and places are rounded to cells.
 */
import type { World } from '../world/world.js';

export interface DistanceField {
  /** Metres to walk; Infinity where the goal cannot be reached from. */
  at(x: number, z: number): number;
}

/** Cells along the longer side; coarser grids for larger worlds. */
const MOST_CELLS = 200;
const FINEST = 0.1;

/**
 * @param isGoal  Where the goal is reached.
 * @param isOpen  Where one may walk, walls and entities apart.
 */
export function distanceField(
  world: World,
  isGoal: (x: number, z: number) => boolean,
  isOpen: (x: number, z: number) => boolean,
): DistanceField {
  const { minX, maxX, minZ, maxZ } = world.bounds;
  const { agent } = world;
  const cell = Math.max(FINEST, Math.max(maxX - minX, maxZ - minZ) / MOST_CELLS);
  const columns = Math.ceil((maxX - minX) / cell) + 1;
  const rows = Math.ceil((maxZ - minZ) / cell) + 1;
  const distances = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  const free = new Int8Array(columns * rows).fill(-1);
  const isFree = (index: number): boolean => {
    if (free[index] === -1) {
      const x = minX + (index % columns) * cell;
      const z = minZ + Math.floor(index / columns) * cell;
      // a hair less than the agent: the grid is rounded, and narrow gaps should stay open
      const clear = isOpen(x, z) && !world.intersect(agent, x, z, agent.radius - 0.75 * cell);
      free[index] = clear ? 1 : 0;
    }
    return free[index] === 1;
  };

  const queue = new IndexQueue();
  for (let index = 0; index < distances.length; index += 1) {
    if (!isGoal(minX + (index % columns) * cell, minZ + Math.floor(index / columns) * cell)) continue;
    distances[index] = 0;
    queue.push(index, 0);
  }
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    for (const [dx, dz, length] of NEIGHBOURS) {
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
      return distances[row * columns + column] ?? Number.POSITIVE_INFINITY;
    },
  };
}

const NEIGHBOURS = [-1, 0, 1].flatMap((dx) =>
  [-1, 0, 1].flatMap((dz) => (dx === 0 && dz === 0 ? [] : [[dx, dz, Math.sqrt(dx * dx + dz * dz)] as const])),
);

/** A binary heap of indices, the smallest cost first; equal costs in the order of arrival. */
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
