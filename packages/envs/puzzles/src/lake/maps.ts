/**
 * Maps of a frozen lake: S start, F frozen, H hole, G goal. Draws follow Gymnasium 1.4.0 (`toy_text/frozen_lake.py`) and
 * mll-lab-nu/VAGEN at 2936322a (`vagen/envs/frozenlake/utils/utils.py`); `test/golden/frozen-lake.json.gz` pins them.
 */
import { Generator, InvalidOptionError } from '@vlgym/core';

export type LakeMap = readonly string[];

export const LAKE_MAPS = {
  '4x4': ['SFFF', 'FHFH', 'FFFH', 'HFFG'],
  '8x8': ['SFFFFFFF', 'FFFFFFFF', 'FFFHFFFF', 'FFFFFHFF', 'FFFHFFFF', 'FHHFFFHF', 'FHFFHFHF', 'FFFHFFFG'],
} as const;
export type LakeMapName = keyof typeof LAKE_MAPS;

/** Gymnasium's `generate_random_map`: start and goal in opposite corners. @param frozen  Share of frozen cells. */
export function randomMap(size: number, frozen: number, seed: number): LakeMap {
  const rng = new Generator(seed);
  for (;;) {
    const cells = drawCells(rng, size, frozen);
    cells[0] = 'S';
    cells[cells.length - 1] = 'G';
    if (hasWay(cells, size)) return rowsOf(cells, size);
  }
}

/** VAGEN's map: start and goal anywhere. @param frozen  Share of frozen cells. */
export function vagenMap(size: number, frozen: number, seed: number): LakeMap {
  const rng = new Generator(seed);
  for (;;) {
    const cells = drawCells(rng, size, frozen);
    const place = () => {
      const [row, column] = rng.integersArray(0, size, 2);
      return row! * size + column!;
    };
    const [start, goal] = [place(), place()];
    if (start === goal) continue;
    cells[start] = 'S';
    cells[goal] = 'G';
    if (hasWay(cells, size)) return rowsOf(cells, size);
  }
}

const drawCells = (rng: Generator, size: number, frozen: number): string[] =>
  rng.choice(['F', 'H'], { size: size * size, p: [Math.min(1, frozen), 1 - Math.min(1, frozen)] });

const rowsOf = (cells: readonly string[], size: number): string[] =>
  Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size).join(''));

function hasWay(cells: readonly string[], columns: number): boolean {
  const reached = new Set([cells.indexOf('S')]);
  for (const cell of reached) {
    if (cells[cell] === 'G') return true;
    for (const next of neighbors(cell, columns, cells.length)) if (cells[next] !== 'H') reached.add(next);
  }
  return false;
}

export function neighbors(cell: number, columns: number, count: number): number[] {
  const column = cell % columns;
  return [
    ...(column > 0 ? [cell - 1] : []),
    ...(cell + columns < count ? [cell + columns] : []),
    ...(column < columns - 1 ? [cell + 1] : []),
    ...(cell >= columns ? [cell - columns] : []),
  ];
}

/** @throws {InvalidOptionError} Rows of different lengths, other letters, no start or no goal. */
export function checkedMap(rows: readonly string[]): LakeMap {
  const isSound =
    rows.length > 0 &&
    rows[0]!.length > 0 &&
    rows.every((row) => row.length === rows[0]!.length && /^[SFHG]+$/.test(row)) &&
    rows.some((row) => row.includes('S'));
  if (isSound) return rows;
  throw new InvalidOptionError('desc', rows, 'rows of one length of the letters S, F, H, G, with at least one S');
}
