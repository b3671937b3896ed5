/**
 * The sprites, 16 x 16 pixels each, and their copies of other sizes.
 *
 * They are the drawings of danijar/crafter 1.8.3 (MIT); `scripts/make-sprites.py` packs them.
 */
import { decodePng } from '@vlgym/core';
import { SPRITE_ATLAS } from './sprites.generated.js';

// biome-ignore format: one group per line
const SPRITES = [
  '1', '2', '3', '4', '5', '6', '7', '8', '9',
  'water', 'grass', 'stone', 'path', 'sand', 'tree', 'lava', 'coal', 'iron', 'diamond', 'table', 'furnace',
  'player-left', 'player-right', 'player-up', 'player-down', 'player-sleep',
  'cow', 'zombie', 'skeleton', 'arrow-left', 'arrow-right', 'arrow-up', 'arrow-down', 'plant', 'plant-ripe',
  'health', 'food', 'drink', 'energy', 'sapling', 'wood',
  'wood_pickaxe', 'stone_pickaxe', 'iron_pickaxe', 'wood_sword', 'stone_sword', 'iron_sword',
] as const;
export type SpriteName = (typeof SPRITES)[number];

/** Files without an alpha channel, which are copied and not blended. */
const WITHOUT_ALPHA: readonly SpriteName[] = ['water', 'grass', 'stone', 'sand', 'tree', 'lava', 'iron', 'furnace'];

const SIDE = 16;

export interface Sprite {
  /** RGBA, row by row. */
  readonly data: Uint8Array;
  readonly side: number;
  readonly hasAlpha: boolean;
}

let atlas: Uint8Array | undefined;

function original(name: SpriteName): Uint8Array {
  atlas ??= decodePng(Uint8Array.from(atob(SPRITE_ATLAS), (letter) => letter.charCodeAt(0))).data;
  const bytes = SIDE * SIDE * 4;
  const at = SPRITES.indexOf(name) * bytes;
  return atlas.subarray(at, at + bytes);
}

/** The source of each pixel by Pillow's nearest neighbor, which adds up its steps and so rounds as this sum does. */
function nearest(side: number): Uint8Array {
  const step = SIDE / side;
  const source = new Uint8Array(side);
  for (let at = 0, place = step * 0.5; at < side; at += 1, place += step) source[at] = Math.trunc(place);
  return source;
}

/** @param side  Pixels of a side, 1 or more. */
export function spriteOf(name: SpriteName, side: number): Sprite {
  const from = original(name);
  const source = nearest(side);
  const data = new Uint8Array(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const at = (source[y]! * SIDE + source[x]!) * 4;
      data.set(from.subarray(at, at + 4), (y * side + x) * 4);
    }
  }
  return { data, side, hasAlpha: !WITHOUT_ALPHA.includes(name) };
}

/**
 * Draws a sprite over a picture of RGB pixels as the original does: in single precision, rounded down. That darkens some opaque
 * pixels, and pixels under transparent ones, by one.
 *
 * @param canvas  RGB, row by row.
 * @param width   Pixels of a row of the canvas.
 */
export function blend(
  { data, side, hasAlpha }: Sprite,
  canvas: Uint8Array,
  width: number,
  left: number,
  top: number,
): void {
  const { fround } = Math;
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const from = (y * side + x) * 4;
      const to = ((top + y) * width + left + x) * 3;
      const alpha = fround(data[from + 3]! / 255);
      const rest = fround(1 - alpha);
      for (let channel = 0; channel < 3; channel += 1) {
        const value = data[from + channel]!;
        if (!hasAlpha) {
          canvas[to + channel] = value;
          continue;
        }
        const over = fround(alpha * fround(value / 255));
        const under = fround(rest * fround(canvas[to + channel]! / 255));
        canvas[to + channel] = Math.trunc(fround(255 * fround(over + under)));
      }
    }
  }
}
