/** Sizes, resized pictures, and pixel values. */
import { ImageProcessor, type ImageProcessorConfig, smartResize } from '../../src/batch/image-processor.js';
import type { Cases, Checks, Fixture } from './fixture.js';
import type { Report } from './report.js';

export function compareSmartResize({ smart_resize: { tables } }: Cases, report: Report): void {
  for (const {
    label,
    factor,
    min_pixels: minPixels,
    max_pixels: maxPixels,
    height_width_to_height_width: rows,
  } of tables) {
    const sized = rows.map(([height, width]) => {
      try {
        const size = smartResize(height!, width!, { factor, minPixels, maxPixels });
        return [height, width, size.height, size.width].join();
      } catch {
        return [height, width, null, null].join();
      }
    });
    // a size that raises stands as one null or as two
    const wanted = rows.map(([height, width, toHeight = null, toWidth = null]) =>
      [height, width, toHeight, toWidth].join(),
    );
    report.equal(`smart resize, ${label}`, sized, wanted);
  }
}

const RESIZED = '/resized_pil';
const PIXELS_TOLERANCE = 1e-6;

export function compareImages(fixture: Fixture, config: ImageProcessorConfig, report: Report): void {
  const processor = new ImageProcessor(config);
  const arrays = fixture.arrays('images');
  for (const [name, wanted] of Object.entries(fixture.cases.images)) {
    const image = fixture.image(name);
    const grid = processor.grid(image);
    report.equal(`${name} grid`, [1, grid.rows, grid.columns], wanted.image_grid_thw);
    report.check(`${name} tokens`, processor.tokens(grid) === wanted.image_tokens);
    const resized = processor.resized(image);
    report.equal(`${name} size`, [resized.height, resized.width], [wanted.resized_height, wanted.resized_width]);
    if (arrays.has(name + RESIZED)) {
      const levels = channelsFirst(resized);
      report.equal(`${name} resized`, levels, arrays.get(name + RESIZED).data);
    }
    const pixels = new Float32Array(grid.rows * grid.columns * processor.patchLength);
    processor.write(image, pixels, 0);
    for (const key of ['pixel_values', 'pixel_values_first_rows'].map((kind) => `${name}/${kind}`)) {
      if (!arrays.has(key)) continue;
      const { data } = arrays.get(key);
      report.close(key, pixels.subarray(0, data.length), data, PIXELS_TOLERANCE);
    }
    compareChecks(`${name} pixel values`, pixels, wanted.pixel_values_checks, PIXELS_TOLERANCE, report);
  }
}

/** Sum, sum of squares, and sum weighted by position, whose errors grow with the number of entries. */
export function compareChecks(
  name: string,
  data: ArrayLike<number>,
  wanted: Checks,
  tolerance: number,
  report: Report,
): void {
  let [sum, squares, weighted, size] = [0, 0, 0, 0];
  for (let i = 0; i < data.length; i += 1) {
    sum += data[i]!;
    squares += data[i]! ** 2;
    weighted += data[i]! * ((i % 97) + 1);
    size += Math.abs(data[i]!);
  }
  report.close(`${name} sum`, [sum], [wanted.sum], tolerance * data.length);
  report.close(`${name} sum of squares`, [squares], [wanted.sum_of_squares], 2 * tolerance * (size + 1));
  report.close(`${name} weighted sum`, [weighted], [wanted.weighted_sum], 97 * tolerance * data.length);
}

function channelsFirst({ data, height, width, channels }: ReturnType<ImageProcessor['resized']>): number[] {
  const size = height * width;
  return Array.from({ length: 3 * size }, (_, i) => data[(i % size) * channels + Math.floor(i / size)]!);
}
