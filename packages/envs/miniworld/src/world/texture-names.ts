/**
 * Names of the textures and their numbers of variants. Domain randomization draws a variant per surface, so the counts
 * belong to the dynamics; `textures/` defines the looks. Names and counts follow the asset folder of the original.
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

/** The texture names for rooms and frames, sorted. */
export function textureNames(): string[] {
  return [...variants.keys()].sort();
}

/** The number of variants of a texture. @throws {UnknownTextureError} */
export function textureVariants(name: string): number {
  const count = variants.get(name);
  if (count === undefined) throw new UnknownTextureError(name, textureNames());
  return count;
}

/** Adds a name. Existing names are refused, because replacing a texture would change existing worlds. */
export function addTextureName(name: string, count: number): void {
  if (variants.has(name)) {
    throw new WorldError(`The texture "${name}" already exists.`, name, 'a new name', 'textures cannot be replaced');
  }
  variants.set(name, count);
}
