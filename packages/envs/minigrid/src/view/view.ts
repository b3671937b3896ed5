/**
 * The part of the world that the agent sees: a square in front of it, turned so that it looks up, without what walls and
 * closed doors hide. Farama-Foundation/Minigrid, `minigrid/minigrid_env.py` (`gen_obs_grid`) and `core/grid.py` (`process_vis`).
 */
import { EMPTY, STEPS } from '../world/constants.js';
import { type Thing, wall } from '../world/thing.js';
import type { World } from '../world/world.js';

export class View {
  /** Cells of a side; odd. */
  readonly size: number;
  /** Row by row from the upper left; a hidden cell is `undefined`. What the agent carries is in its cell. */
  readonly cells: (Thing | undefined)[];
  /** 1 for cells that are seen. */
  readonly seen: Uint8Array;
  /** Column of the agent, which stands in the last row. */
  readonly column: number;

  constructor(size: number) {
    this.size = size;
    this.column = (size - 1) / 2;
    this.cells = new Array<Thing | undefined>(size * size).fill(undefined);
    this.seen = new Uint8Array(size * size);
  }

  look(world: World): void {
    const { size, column, cells, seen } = this;
    const { grid } = world;
    const { width, height, cells: from } = grid;
    const [forwardX, forwardY] = STEPS[world.direction]!;
    // to the right of the agent
    const [rightX, rightY] = [-forwardY, forwardX];
    let rowX = world.agentX + forwardX * (size - 1) - rightX * column;
    let rowY = world.agentY + forwardY * (size - 1) - rightY * column;
    for (let row = 0, at = 0; row < size; row += 1) {
      let [x, y] = [rowX, rowY];
      for (let index = 0; index < size; index += 1, at += 1) {
        cells[at] = x >= 0 && x < width && y >= 0 && y < height ? from[y * width + x] : wall();
        x += rightX;
        y += rightY;
      }
      rowX -= forwardX;
      rowY -= forwardY;
    }
    if (world.seeThroughWalls) seen.fill(1);
    else this.#hide();
    cells[(size - 1) * size + column] = world.carrying;
  }

  /** Three bytes for each cell - type, color, state - column by column; zeros for a hidden one. */
  encode(): Uint8Array {
    const { size, cells, seen } = this;
    const bytes = new Uint8Array(size * size * 3);
    let at = 0;
    for (let column = 0; column < size; column += 1) {
      for (let place = column; place < cells.length; place += size, at += 3) {
        if (seen[place] === 0) continue;
        const thing = cells[place];
        if (thing === undefined) {
          bytes[at] = EMPTY;
          continue;
        }
        bytes[at] = thing.number;
        bytes[at + 1] = thing.colorNumber;
        bytes[at + 2] = thing.state;
      }
    }
    return bytes;
  }

  /** Marks the cells of the grid that are seen. @param lit  One byte per cell, row by row. */
  light(world: World, lit: Uint8Array): void {
    const { size, column, seen } = this;
    const { width, height } = world;
    const [forwardX, forwardY] = STEPS[world.direction]!;
    for (let at = 0; at < seen.length; at += 1) {
      if (seen[at] === 0) continue;
      const ahead = size - 1 - Math.floor(at / size);
      const aside = (at % size) - column;
      const x = world.agentX + forwardX * ahead - forwardY * aside;
      const y = world.agentY + forwardY * ahead + forwardX * aside;
      if (x >= 0 && x < width && y >= 0 && y < height) lit[y * width + x] = 1;
    }
  }

  /** Light spreads from the agent, row by row upward, first to the right and then to the left. */
  #hide(): void {
    const { size, column, cells, seen } = this;
    seen.fill(0);
    seen[(size - 1) * size + column] = 1;
    for (let row = size - 1; row >= 0; row -= 1) {
      const start = row * size;
      for (let at = start; at < start + size - 1; at += 1) {
        if (seen[at] === 0 || cells[at]?.seesBehind === false) continue;
        seen[at + 1] = 1;
        if (row === 0) continue;
        seen[at + 1 - size] = 1;
        seen[at - size] = 1;
      }
      for (let at = start + size - 1; at > start; at -= 1) {
        if (seen[at] === 0 || cells[at]?.seesBehind === false) continue;
        seen[at - 1] = 1;
        if (row === 0) continue;
        seen[at - 1 - size] = 1;
        seen[at - size] = 1;
      }
    }
    for (let at = 0; at < seen.length; at += 1) if (seen[at] === 0) cells[at] = undefined;
  }
}
