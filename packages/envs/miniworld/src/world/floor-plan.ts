/**
 * The rooms of a world before they contain anything: added one by one, joined by portals, then fixed.
 *
 * The search for facing walls and the order of random draws follow `Farama-Foundation/Miniworld`, `miniworld/miniworld.py`.
 */
import type { Generator } from '@vlgym/core';
import { WorldError } from './errors.js';
import { checkOutline, type PortalOptions, Room, type RoomOptions, type RoomSurface, rectangle } from './room.js';
import { textureVariants } from './texture-names.js';
import { wallSegments } from './walls.js';

export interface Bounds {
  readonly minX: number;
  readonly maxX: number;
  readonly minZ: number;
  readonly maxZ: number;
}

export type AddRoomOptions = RoomOptions | (Bounds & RoomSurface);

export class FloorPlan {
  readonly rooms: Room[] = [];
  readonly #rng: Generator;
  readonly #domainRand: boolean;
  #segments: Float64Array | undefined;
  #roomChances: Float64Array = new Float64Array(0);

  constructor(rng: Generator, domainRand: boolean) {
    this.#rng = rng;
    this.#domainRand = domainRand;
  }

  get segments(): Float64Array {
    this.#segments ??= this.#build();
    return this.#segments;
  }

  /** Bounding box of all rooms. */
  get bounds(): Bounds {
    return {
      minX: Math.min(...this.rooms.map(({ minX }) => minX)),
      maxX: Math.max(...this.rooms.map(({ maxX }) => maxX)),
      minZ: Math.min(...this.rooms.map(({ minZ }) => minZ)),
      maxZ: Math.max(...this.rooms.map(({ maxZ }) => maxZ)),
    };
  }

  /** @throws {WorldError} After the first placement, or for an invalid outline. */
  addRoom(options: AddRoomOptions): Room {
    this.#refuseWhenBuilt();
    if ('outline' in options) return this.#addRoom(options, true);
    const { minX, maxX, minZ, maxZ, ...surface } = options;
    return this.#addRoom({ ...surface, outline: rectangle(minX, maxX, minZ, maxZ) }, true);
  }

  /**
   * Opens the facing walls of two rooms. If they do not touch, another room joins them.
   *
   * @param range  `minX` and `maxX`, or `minZ` and `maxZ`, and the height of the opening (`maxY`).
   * @throws {WorldError}  No walls of the two rooms face each other.
   */
  connectRooms(first: Room, second: Room, range: Partial<Bounds> & { readonly maxY?: number }): void {
    this.#refuseWhenBuilt();
    const [edgeA, edgeB] = facingEdges(first, second);
    const [a, b] = portalEnds(first, edgeA, range);
    const [c, d] = portalEnds(second, edgeB, range);
    if (Math.sqrt((a[0] - d[0]) ** 2 + (a[1] - d[1]) ** 2) < 0.001) return;
    const connector = this.#addRoom({
      outline: [c, b, a, d],
      wallHeight: range.maxY ?? first.wallHeight,
      wallTexture: first.wallTexture,
      floorTexture: first.floorTexture,
      ceilingTexture: first.ceilingTexture,
      noCeiling: first.noCeiling,
    });
    connector.addPortal(1, { start: 0, end: distance(a, b) });
    connector.addPortal(3, { start: 0, end: distance(c, d) });
  }

  /** @param check  False for connectors: some outlines in YMaze are slivers that are not convex. */
  #addRoom(options: RoomOptions, check = false): Room {
    if (check) checkOutline(options.outline);
    const room = new Room(options);
    this.rooms.push(room);
    return room;
  }

  #refuseWhenBuilt(): void {
    if (!this.#segments) return;
    throw new WorldError(
      'Rooms cannot be added after the first placement.',
      this.rooms.length,
      'all rooms before the first placement',
    );
  }

  /** Builds walls, texture variants and the probability of each room, once, before the first placement. */
  #build(): Float64Array {
    if (this.#domainRand) {
      for (const { variants, wallTexture, floorTexture, ceilingTexture } of this.rooms) {
        variants.wall = 1 + this.#rng.integers(textureVariants(wallTexture));
        variants.floor = 1 + this.#rng.integers(textureVariants(floorTexture));
        variants.ceiling = 1 + this.#rng.integers(textureVariants(ceilingTexture));
      }
    }
    const total = this.rooms.reduce((sum, { area }) => sum + area, 0);
    let sum = 0;
    const sums = Float64Array.from(this.rooms, ({ area }) => {
      sum += area / total;
      return sum;
    });
    this.#roomChances = sums.map((value) => value / sum);
    return wallSegments(this.rooms);
  }

  /** A room, with probability proportional to its area. */
  drawRoom(): Room {
    const draw = this.#rng.random();
    const index = this.#roomChances.findIndex((chance) => chance > draw);
    return this.rooms[index < 0 ? this.rooms.length - 1 : index]!;
  }
}

type Point = readonly [x: number, z: number];

const distance = (a: Point, b: Point): number => Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2);

/** The first pair of walls that face each other, in the order of the original's search. */
function facingEdges(first: Room, second: Room): [edgeA: number, edgeB: number] {
  for (const [indexA, a] of first.edges.entries()) {
    for (const [indexB, b] of second.edges.entries()) {
      if (a.normalX * b.normalX + a.normalZ * b.normalZ > -0.9) continue;
      if (a.normalX * (b.x - a.x) + a.normalZ * (b.z - a.z) > 0.05) continue;
      return [indexA, indexB];
    }
  }
  throw new WorldError(
    'The two rooms have no walls that face each other.',
    [first.outline, second.outline],
    'rooms side by side',
  );
}

/** Adds the portal and returns its ends on the floor plan. */
function portalEnds(room: Room, index: number, range: PortalOptions): [start: Point, end: Point] {
  const [start, end] = room.addPortal(index, range);
  const { x, z, directionX, directionZ } = room.edges[index]!;
  return [
    [x + directionX * start, z + directionZ * start],
    [x + directionX * end, z + directionZ * end],
  ];
}
