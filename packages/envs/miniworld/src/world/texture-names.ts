/**
 * Which textures there are, and in how many variants: domain randomization draws one per surface, so the counts belong
 * to the dynamics. What they look like is `textures/`. Names and counts follow the asset folder of the original.
 */
import { UnknownTextureError, WorldError } from './errors.js';

const variants = new Map<string, number>(
  Object.entries({
    airduct_grate: 1,
    asphalt: 1,
    brick_wall: 1,
    cardboard: 4,
    ceiling_tile_noborder: 1,
    ceiling_tiles: 1,
    cinder_blocks: 1,
    concrete: 4,
    concrete_tiles: 1,
    door_doom: 2,
    drywall: 1,
    floor_tiles_bw: 1,
    grass: 2,
    lava: 2,
    logo_mila: 1,
    marble: 2,
    metal_grill: 2,
    picket_fence: 1,
    rock: 1,
    slime: 1,
    stucco: 1,
    water: 3,
    white: 1,
    wood: 2,
    wood_planks: 1,
  }),
);

/** Names one may give a room or a frame, sorted. */
export function textureNames(): string[] {
  return [...variants.keys()].sort();
}

/** How many variants a texture has. @throws {UnknownTextureError} */
export function textureVariants(name: string): number {
  const count = variants.get(name);
  if (count === undefined) throw new UnknownTextureError(name, textureNames());
  return count;
}

/** Makes a name known. A second texture under one name is refused: it would change worlds that exist. */
export function addTextureName(name: string, count: number): void {
  if (variants.has(name)) {
    throw new WorldError('A texture of this name exists.', name, 'a new name', 'built-in textures cannot be replaced');
  }
  variants.set(name, count);
}
