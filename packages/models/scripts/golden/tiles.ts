/** Pictures as tiles: their number, their tokens, and the numbers of their pixels. */
import type { PictureReader } from '../../src/language-model.js';
import type { TiledConfig } from '../../src/models/tiled/config.js';
import type { TileReader } from '../../src/models/tiled/picture-reader.js';
import { PatchWriter } from '../../src/models/tiled/pixels.js';
import type { Fixture } from './fixture.js';
import { compareChecks } from './images.js';
import type { Report } from './report.js';

const PIXELS_TOLERANCE = 1e-6;

export const readsTiles = (reader: PictureReader | undefined): reader is TileReader =>
  reader !== undefined && 'tiles' in reader;

export function compareTiles(
  fixture: Fixture,
  config: Pick<TiledConfig, 'image'>,
  reader: TileReader,
  report: Report,
): void {
  const arrays = fixture.arrays('images');
  for (const [name, wanted] of Object.entries(fixture.cases.images)) {
    const image = fixture.image(name);
    const tiles = reader.tiles(image);
    report.check(`${name} tiles`, tiles.length === wanted.tiles, `${tiles.length}, wanted ${wanted.tiles}`);
    const tokens = reader.imageTokens(image);
    report.check(`${name} tokens`, tokens === wanted.image_tokens, `${tokens}, wanted ${wanted.image_tokens}`);
    // patches of one pixel in reading order, channels last: turned round to [tiles, 3, height, width]
    const pixels = new PatchWriter(reader.side, 1, config.image).write(tiles);
    const area = reader.side ** 2;
    const found = Float32Array.from(pixels, (_, i) => {
      const [tile, rest] = [Math.floor(i / (3 * area)), i % (3 * area)];
      return pixels[(tile * area + (rest % area)) * 3 + Math.floor(rest / area)]!;
    });
    const key = `${name}/pixel_values`;
    if (arrays.has(key)) report.close(key, found, arrays.get(key).data, PIXELS_TOLERANCE);
    compareChecks(`${name} pixel values`, found, wanted.pixel_values_checks, PIXELS_TOLERANCE, report);
  }
}
