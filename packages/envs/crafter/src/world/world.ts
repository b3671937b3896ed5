/**
 * The map, the objects on it in order, and the chunks of 12 x 12 cells that hold them.
 *
 * The published program keeps the objects of a chunk in a set that is ordered by memory addresses, so it does not repeat itself.
 * Here they stand in the order in which they came into the chunk. Chunks stand in the order in which they got their first object.
 */
import { RandomState } from '@vlgym/core/random';
import { KINDS, type Thing } from './things.js';

const CHUNK = 12;
/** Numbers of objects in the map of everything begin here. */
const FIRST_KIND = 13;

export class World {
  /** The material of each cell, column by column: cell (x, y) is at `x * height + y`. */
  readonly materials: Uint8Array;
  readonly chunks = new Map<number, Set<Thing>>();
  random = new RandomState(0);
  daylight = 0;
  #objects: Thing[] = [];
  readonly #at: (Thing | undefined)[];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.materials = new Uint8Array(width * height);
    this.#at = new Array<Thing | undefined>(width * height).fill(undefined);
  }

  /** All objects, oldest first; the list changes with the world. */
  get objects(): readonly Thing[] {
    return this.#objects;
  }

  inside(x: number, y: number): boolean {
    return x >= 0 && x < this.width && y >= 0 && y < this.height;
  }

  /** 0 outside the map. */
  material(x: number, y: number): number {
    return this.inside(x, y) ? this.materials[x * this.height + y]! : 0;
  }

  setMaterial(x: number, y: number, material: number): void {
    this.materials[x * this.height + y] = material;
  }

  objectAt(x: number, y: number): Thing | undefined {
    return this.inside(x, y) ? this.#at[x * this.height + y] : undefined;
  }

  /** Whether nothing stands there and the material is one of these. */
  isFree(x: number, y: number, walkable: Uint8Array): boolean {
    return this.objectAt(x, y) === undefined && walkable[this.material(x, y)] === 1;
  }

  /** The cell must be free. */
  add(thing: Thing): void {
    this.#objects.push(thing);
    this.#at[thing.x * this.height + thing.y] = thing;
    this.#chunkOf(thing.x, thing.y).add(thing);
  }

  remove(thing: Thing): void {
    if (thing.removed) return;
    thing.removed = true;
    this.#objects.splice(this.#objects.indexOf(thing), 1);
    this.#at[thing.x * this.height + thing.y] = undefined;
    this.#chunkOf(thing.x, thing.y).delete(thing);
  }

  /** A thing that was removed in this step still acts, but stays where it is. */
  move(thing: Thing, x: number, y: number): void {
    if (thing.removed) return;
    const [from, to] = [this.#chunkOf(thing.x, thing.y), this.#chunkOf(x, y)];
    this.#at[thing.x * this.height + thing.y] = undefined;
    this.#at[x * this.height + y] = thing;
    thing.x = x;
    thing.y = y;
    if (from === to) return;
    from.delete(thing);
    to.add(thing);
  }

  /** Moves if the cell is free. @returns Whether it was. */
  tryMove(thing: Thing, dx: number, dy: number, walkable: Uint8Array): boolean {
    const [x, y] = [thing.x + dx, thing.y + dy];
    if (!this.isFree(x, y, walkable)) return false;
    this.move(thing, x, y);
    return true;
  }

  chunkKey(x: number, y: number): number {
    return Math.floor(x / CHUNK) * Math.ceil(this.height / CHUNK) + Math.floor(y / CHUNK);
  }

  /** The cells of a chunk: from (inclusive) and to (exclusive). */
  chunkArea(key: number): { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number } {
    const rows = Math.ceil(this.height / CHUNK);
    const [x0, y0] = [Math.floor(key / rows) * CHUNK, (key % rows) * CHUNK];
    return { x0, y0, x1: Math.min(x0 + CHUNK, this.width), y1: Math.min(y0 + CHUNK, this.height) };
  }

  /** Materials and objects in one map of numbers: 1 to 12 materials, 13 the player, then cow, zombie, skeleton, arrow, plant. */
  everything(): Uint8Array {
    const map = this.materials.slice();
    for (const { x, y, kind } of this.#objects) map[x * this.height + y] = FIRST_KIND + KINDS.indexOf(kind);
    return map;
  }

  /** Puts saved things on an empty world: all in their order, and the order of chunks and of their members. */
  load(things: readonly Thing[], chunks: readonly (readonly [key: number, members: readonly number[]])[]): void {
    this.#objects = [...things];
    for (const thing of things) this.#at[thing.x * this.height + thing.y] = thing;
    for (const [key, members] of chunks) this.chunks.set(key, new Set(members.map((index) => things[index]!)));
  }

  #chunkOf(x: number, y: number): Set<Thing> {
    const key = this.chunkKey(x, y);
    let chunk = this.chunks.get(key);
    if (!chunk) {
      chunk = new Set();
      this.chunks.set(key, chunk);
    }
    return chunk;
  }
}
