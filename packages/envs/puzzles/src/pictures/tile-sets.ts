/** Tiles of each look and size, painted or read once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePng, GymError } from '@vlgym/core';
import { LAKE_PAINTS, type Paint, paintTile, SOKOBAN_PAINTS, TINY_PAINTS } from './tiles.js';

const sets = new Map<string, readonly Uint8Array[]>();

function kept(key: string, make: () => readonly Uint8Array[]): readonly Uint8Array[] {
  const known = sets.get(key) ?? make();
  sets.set(key, known);
  return known;
}

const painted = (name: string, paints: readonly Paint[], size: number) =>
  kept(`${name} ${size}`, () => paints.map((paint) => paintTile(paint, size)));

export const sokobanTiles = (size: number): readonly Uint8Array[] => painted('sokoban', SOKOBAN_PAINTS, size);
export const tinyTiles = (size: number): readonly Uint8Array[] => painted('tiny', TINY_PAINTS, size);
export const lakeTiles = (size: number): readonly Uint8Array[] => painted('lake', LAKE_PAINTS, size);

/** Pixels of a side of the original's tiles. */
export const ORIGINAL_TILE = 16;
const FILES = ['wall', 'floor', 'box_target', 'box_on_target', 'box', 'player', 'player_on_target'];

/**
 * The original's tiles from a folder of the user: `gym_sokoban/envs/surface` of the Python package.
 *
 * @throws {GymError}  `ASSETS_MISSING`.
 */
export function originalTiles(folder: string): readonly Uint8Array[] {
  return kept(`original ${folder}`, () =>
    FILES.map((name) => {
      const file = join(folder, `${name}.png`);
      try {
        const { data, channels, height, width } = decodePng(readFileSync(file));
        if (height !== ORIGINAL_TILE || width !== ORIGINAL_TILE) throw new Error(`it has ${width} x ${height} pixels`);
        return Uint8Array.from({ length: ORIGINAL_TILE ** 2 * 3 }, (_, at) =>
          channels === 1 ? data[Math.floor(at / 3)]! : data[Math.floor(at / 3) * channels + (at % 3)]!,
        );
      } catch (cause) {
        throw new GymError(`The tile ${file} cannot be read: ${(cause as Error).message}.`, {
          code: 'ASSETS_MISSING',
          value: folder,
          expected: `a folder with ${FILES.map((each) => `${each}.png`).join(', ')} of 16 x 16 pixels`,
          hint: 'pip install gym-sokoban, and pass its folder gym_sokoban/envs/surface; leave `assets` out for our own tiles',
          cause,
        });
      }
    }),
  );
}
