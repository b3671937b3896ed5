/**
 * Daylight, night and sleep over drawn pixels. Numbers are rounded where the original's NumPy and Pillow round them.
 *
 * By night colors fade to 0.4 (Pillow's `ImageEnhance.Color`), take a blue tint, and beyond dusk noise covers the edges.
 */

const FADE = Math.fround(0.4);
/** Halves of the tints (0, 16, 64) of night and (0, 0, 16) of sleep. */
const NIGHT_RED = 0;
const NIGHT_GREEN = 8;
const NIGHT_BLUE = 32;
const SLEEP_BLUE = 8;

/** Pillow's gray of a color. */
const gray = (red: number, green: number, blue: number): number =>
  (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;

/** A channel that fades toward its gray, at `gray * 256 + value`. */
const FADED = new Uint8Array(65536);
for (let luma = 0; luma < 256; luma += 1) {
  for (let value = 0; value < 256; value += 1) {
    FADED[luma * 256 + value] = Math.trunc(Math.fround(luma + Math.fround(FADE * (value - luma))));
  }
}

/** Writes RGB pixels without noise to `to`. */
export function light(from: Uint8Array, to: Uint8Array, daylight: number, asleep: boolean): void {
  for (let at = 0; at < from.length; at += 3) {
    lightPixel(from[at]!, from[at + 1]!, from[at + 2]!, 0, 0, to, at, daylight);
  }
  if (asleep) closeEyes(to);
}

/**
 * Writes RGB pixels with noise to `to`.
 *
 * @param noise     32 to 127 for each pixel, column by column.
 * @param vignette  Share of the noise at midnight, column by column.
 */
export function lightDark(
  from: Uint8Array,
  to: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  daylight: number,
  asleep: boolean,
  noise: Float64Array,
  vignette: Float64Array,
): void {
  const amount = 2 * (0.5 - daylight);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0, cell = y; x < width; x += 1, cell += height, at += 3) {
      lightPixel(from[at]!, from[at + 1]!, from[at + 2]!, amount * vignette[cell]!, noise[cell]!, to, at, daylight);
    }
  }
  if (asleep) closeEyes(to);
}

/**
 * One pixel. Values are never negative, so `| 0` rounds down.
 *
 * @param mask   Share of the noise, 0 to 1.
 * @param noise  32 to 127.
 */
function lightPixel(
  red: number,
  green: number,
  blue: number,
  mask: number,
  noise: number,
  to: Uint8Array,
  at: number,
  daylight: number,
): void {
  const cover = mask * noise;
  const rest = 1 - mask;
  // without noise these are the colors themselves
  const r = (rest * red + cover) | 0;
  const g = (rest * green + cover) | 0;
  const b = (rest * blue + cover) | 0;
  const row = gray(r, g, b) << 8;
  const dark = 1 - daylight;
  to[at] = (daylight * red + dark * (0.5 * FADED[row | r]! + NIGHT_RED)) | 0;
  to[at + 1] = (daylight * green + dark * (0.5 * FADED[row | g]! + NIGHT_GREEN)) | 0;
  to[at + 2] = (daylight * blue + dark * (0.5 * FADED[row | b]! + NIGHT_BLUE)) | 0;
}

/** A sleeper sees in gray, with half of the light. */
function closeEyes(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 3) {
    const half = 0.5 * gray(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
    pixels[at] = half | 0;
    pixels[at + 1] = half | 0;
    pixels[at + 2] = (half + SLEEP_BLUE) | 0;
  }
}

/** More noise toward the edges: `1 - exp(-(x^2 + y^2) / 2 / 0.5^2)` with x and y from -1 to 1; column by column. */
export function vignetteOf(width: number, height: number): Float64Array {
  const [xs, ys] = [line(width), line(height)];
  const shares = new Float64Array(width * height);
  for (let x = 0; x < width; x += 1) {
    for (let y = 0; y < height; y += 1) {
      shares[x * height + y] = 1 - Math.exp((-0.5 * (xs[x]! ** 2 + ys[y]! ** 2)) / 0.5 ** 2);
    }
  }
  return shares;
}

/** As NumPy's `linspace(-1, 1, count)`. */
function line(count: number): Float64Array {
  const step = 2 / (count - 1);
  const values = Float64Array.from({ length: count }, (_, at) => at * step - 1);
  values[count - 1] = 1;
  return values;
}
