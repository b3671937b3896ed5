/** Pictures of the view and of the whole grid, put together from tiles that are drawn once. */
import type { RgbImage } from '@vlgym/core';
import type { View } from '../view/view.js';
import type { Thing } from '../world/thing.js';
import type { World } from '../world/world.js';
import { drawTile } from './tiles.js';

/** The direction of the agent in a picture of its view: up. */
const UP = 3;
/** A key of a tile: 8 bits for the thing, 3 for the agent, 1 for light. */
const KEYS = 1 << 12;

/** Tiles of all pictures of one size, as words where a row of a tile fills whole words. */
class Tiles {
  readonly #size: number;
  readonly #tiles = new Array<Uint8Array | Uint32Array | undefined>(KEYS).fill(undefined);

  constructor(size: number) {
    this.#size = size;
  }

  get(thing: Thing | undefined, agent: number, isSeen: number): Uint8Array | Uint32Array {
    const what = thing === undefined ? 0 : (thing.number << 5) | (thing.colorNumber << 2) | thing.state;
    const key = (what << 4) | ((agent + 1) << 1) | isSeen;
    const known = this.#tiles[key % KEYS];
    if (known) return known;
    const bytes = drawTile(thing, agent < 0 ? undefined : agent, isSeen === 1, this.#size);
    const tile = this.#size % 4 === 0 ? new Uint32Array(bytes.buffer) : bytes;
    this.#tiles[key % KEYS] = tile;
    return tile;
  }
}

const caches = new Map<number, Tiles>();

function tilesOf(size: number): Tiles {
  const known = caches.get(size) ?? new Tiles(size);
  caches.set(size, known);
  return known;
}

export interface Frame {
  readonly height: number;
  readonly width: number;
}

/** Draws at one tile size. */
export class Painter {
  readonly tileSize: number;
  readonly #tiles: Tiles;
  #lit = new Uint8Array(0);

  constructor(tileSize: number) {
    this.tileSize = tileSize;
    this.#tiles = tilesOf(tileSize);
  }

  viewSize({ size }: View): Frame {
    return { height: size * this.tileSize, width: size * this.tileSize };
  }

  worldSize({ width, height }: World): Frame {
    return { height: height * this.tileSize, width: width * this.tileSize };
  }

  /** The view, with the agent at the bottom looking up. */
  drawView(view: View, into: Uint8Array): RgbImage {
    const agent = view.size * (view.size - 1) + view.column;
    return this.#draw(view.cells, view.size, view.size, { seen: view.seen, agent, direction: UP }, into);
  }

  /** The whole grid, brighter where the agent sees it. @param view  What the agent sees now. */
  drawWorld(world: World, view: View | undefined, into: Uint8Array): RgbImage {
    const { grid, agentX, agentY, direction } = world;
    if (this.#lit.length !== grid.cells.length) this.#lit = new Uint8Array(grid.cells.length);
    this.#lit.fill(0);
    view?.light(world, this.#lit);
    const agent = agentY * grid.width + agentX;
    return this.#draw(grid.cells, grid.width, grid.height, { seen: this.#lit, agent, direction }, into);
  }

  #draw(
    cells: readonly (Thing | undefined)[],
    columns: number,
    rows: number,
    { seen, agent, direction }: { readonly seen: Uint8Array; readonly agent: number; readonly direction: number },
    data: Uint8Array,
  ): RgbImage {
    const size = this.tileSize;
    const isWide = size % 4 === 0 && data.byteOffset % 4 === 0;
    const unit = isWide ? 4 : 1;
    const pixels = isWide ? new Uint32Array(data.buffer, data.byteOffset, data.length / 4) : data;
    const tileWidth = (size * 3) / unit;
    const stride = columns * tileWidth;
    for (let row = 0, cell = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1, cell += 1) {
        const found = this.#tiles.get(cells[cell], cell === agent ? direction : -1, seen[cell]!);
        const tile = isWide || found instanceof Uint8Array ? found : new Uint8Array(found.buffer);
        let to = row * size * stride + column * tileWidth;
        for (let line = 0, from = 0; line < size; line += 1, to += stride - tileWidth) {
          for (const end = from + tileWidth; from < end; from += 1, to += 1) pixels[to] = tile[from]!;
        }
      }
    }
    return { data, height: rows * size, width: columns * size, channels: 3 };
  }
}
