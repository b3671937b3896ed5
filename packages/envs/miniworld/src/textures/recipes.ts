/**
 * How each texture is painted. Sizes on the wall, tones, spectra and structure follow the table of
 * `docs/specs/miniworld.md`, section 11; the original's own pictures are not used. 256 pixels a meter, half of the
 * original's, are plenty for 640 x 480.
 */
import type { RgbImage } from '@vlgym/core';
import {
  asphalt,
  blotchyConcrete,
  brushedConcrete,
  concreteSlabs,
  leatheryConcrete,
  smoothConcrete,
} from './concrete.js';
import { crackedMarble, grass, lava, marble, noisy, rock, slime, stucco, water } from './grounds.js';
import { brickWall, cinderBlocks } from './masonry.js';
import { airDuct, cardboard, drywall, logo, perforated, picketFence, planks, steelDoor, wood } from './panels.js';
import { ceilingPanel, ceilingTiles, floorTiles } from './tiles.js';

/** One variant of a texture: how it is generated, and its size. */
export interface Recipe {
  /** Size of one repetition in meters. */
  readonly meters: readonly [width: number, height: number];
  paint(): RgbImage;
}

const square = (meters: number, draw: () => RgbImage): Recipe => ({ meters: [meters, meters], paint: draw });

/** Every texture by name, with its variants in order. The counts equal those in `world/texture-names.ts`. */
export const RECIPES: Readonly<Record<string, readonly Recipe[]>> = {
  floor_tiles_bw: [square(1, floorTiles)],
  concrete: [
    square(1, brushedConcrete),
    square(1, leatheryConcrete),
    square(1.5, blotchyConcrete),
    square(1, smoothConcrete),
  ],
  concrete_tiles: [square(1.5, concreteSlabs)],
  brick_wall: [square(2, brickWall)],
  asphalt: [square(1, asphalt)],
  cinder_blocks: [square(2, cinderBlocks)],
  slime: [square(1, slime)],
  logo_mila: [{ meters: [2, 510 / 512], paint: logo }],
  airduct_grate: [square(1, airDuct)],
  cardboard: [
    square(1, () => cardboard(101, 256, [187, 155, 107], 7)),
    square(1, () => cardboard(102, 256, [187, 155, 107], 7)),
    square(2, () => cardboard(103, 512, [183, 176, 161], 9)),
    square(0.5, () => cardboard(104, 128, [215, 183, 151], 5)),
  ],
  ceiling_tile_noborder: [square(1, ceilingPanel)],
  ceiling_tiles: [square(1, ceilingTiles)],
  door_doom: [square(2, () => steelDoor(151, [121, 121, 121])), square(2, () => steelDoor(155, [122, 122, 122]))],
  drywall: [square(1, drywall)],
  grass: [square(2, () => grass(161, [96, 126, 46], 1)), square(2, () => grass(167, [66, 91, 36], 0.72))],
  lava: [square(1, () => lava(211, [223, 101, 22])), square(1, () => lava(215, [206, 62, 24]))],
  marble: [square(1, marble), square(1, crackedMarble)],
  metal_grill: [
    square(1, () => perforated(256, { columns: 8, rows: 22, radius: 3.6 }, [138, 146, 151], [126, 133, 138])),
    square(2, () => perforated(512, { columns: 22, rows: 26, radius: 7 }, [196, 200, 197], [118, 121, 119])),
  ],
  picket_fence: [{ meters: [438 / 512, 652 / 512], paint: picketFence }],
  rock: [square(2, rock)],
  stucco: [square(1, stucco)],
  water: [
    square(1, () => water(221, [31, 152, 189])),
    square(1, () => water(225, [35, 160, 193])),
    square(1, () => water(229, [24, 150, 187])),
  ],
  white: [square(1, () => noisy(256, 1, [255, 255, 255], []))],
  wood: [square(1, () => wood(231, [154, 112, 66], 9.9)), square(1, () => wood(235, [190, 158, 102], 6.8))],
  wood_planks: [square(2, planks)],
};
