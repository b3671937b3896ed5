/** The area of the view from above: all rooms with a margin, in the aspect ratio of the picture. */

/** Meters around all rooms in the view from above. */
const MARGIN = 1;

interface Bounds {
  readonly minX: number;
  readonly maxX: number;
  readonly minZ: number;
  readonly maxZ: number;
}

/** In meters; x points right, z points down. */
export function fieldAbove(
  { minX, maxX, minZ, maxZ }: Bounds,
  { height, width }: { readonly height: number; readonly width: number },
) {
  const spanX = maxX - minX + 2 * MARGIN;
  const spanZ = maxZ - minZ + 2 * MARGIN;
  return {
    centerX: (minX + maxX) / 2,
    centerZ: (minZ + maxZ) / 2,
    halfX: Math.max(spanX, (spanZ * width) / height) / 2,
    halfZ: Math.max(spanZ, (spanX * height) / width) / 2,
  };
}
