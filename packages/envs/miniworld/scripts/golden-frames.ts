/**
 * Reads pictures of the original, draws the same worlds, and compares both.
 *
 * The pictures contain textures that we may not distribute, so they are read from `MINIWORLD_FRAMES` or from
 * `shared/golden/miniworld-frames` next to the repository. Nothing is compared if neither exists.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Generator, type Image, type RgbImage } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { type DepthMap, Painter, type ViewName } from '../src/scene/painter.js';
import { Simulation } from '../src/tasks/simulation.js';
import { SUITE, type TaskName } from '../src/tasks/suite.js';

export interface GoldenFrame {
  readonly file: string;
  readonly env: string;
  readonly seed: number;
  readonly view: ViewName;
  readonly width: number;
  readonly height: number;
  readonly agent_pos: readonly [number, number, number];
  readonly agent_dir: number;
  readonly mean_rgb: readonly number[];
  readonly depth_samples?: { readonly rows: number[]; readonly cols: number[]; readonly metres: number[][] };
  readonly rgb_samples?: { readonly rows: number[]; readonly cols: number[]; readonly rgb: number[][][] };
  readonly visible?: readonly number[];
}

/** Distance of the camera's near plane in meters. */
const NEAR = 0.04;

const besideRepository = fileURLToPath(new URL('../../../../../shared/golden/miniworld-frames', import.meta.url));

/** The folder of the original's pictures; undefined if it does not exist. */
export const FRAMES_FOLDER = [process.env.MINIWORLD_FRAMES, besideRepository].find(
  (folder) => folder !== undefined && existsSync(join(folder, 'index.json')),
);

export function goldenFrames(): readonly GoldenFrame[] {
  if (FRAMES_FOLDER === undefined) return [];
  return (JSON.parse(readFileSync(join(FRAMES_FOLDER, 'index.json'), 'utf8')) as { frames: GoldenFrame[] }).frames;
}

export const goldenPicture = ({ file }: GoldenFrame): Image => decodePng(readFileSync(join(FRAMES_FOLDER!, file)));

export interface OurFrame {
  readonly picture: RgbImage;
  readonly depth: DepthMap;
  readonly visible: readonly number[];
}

/** Draws the same world and pose, with the original's textures if their folder is given. */
export function ourFrame(frame: GoldenFrame, assets?: string): OurFrame {
  const simulation = new Simulation(SUITE[frame.env.replace(/^MiniWorld-|-v0$/g, '') as TaskName]());
  simulation.reset(new Generator(frame.seed));
  const [x, y, z] = frame.agent_pos;
  Object.assign(simulation.world.agent, { x, y, z, direction: frame.agent_dir });
  const painter = new Painter(assets);
  const picture = painter.rgb(simulation.world, frame, frame.view);
  const depth = painter.depth(simulation.world, frame, frame.view);
  const visible = painter.visible(simulation.world, frame);
  painter.close();
  return { picture, depth, visible };
}

/** Edge strength at each pixel, 0 to about 255: the largest Sobel response of the three channels. */
export function edges({ data, width, height, channels }: Image): Float32Array {
  const result = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (dx: number, dy: number) => data[((y + dy) * width + x + dx) * channels + channel]!;
        const across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
        const down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
        const strength = Math.sqrt(across * across + down * down) / 4;
        result[y * width + x] = Math.max(result[y * width + x]!, strength);
      }
    }
  }
  return result;
}

/** Share of the first picture's strong edges with an edge in the second picture within `reach` pixels. */
export function edgeAgreement(first: Image, second: Image, strong = 60, weak = 25, reach = 1): number {
  const [a, b] = [edges(first), edges(second)];
  const { width, height } = first;
  let [found, all] = [0, 0];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      if (a[y * width + x]! < strong) continue;
      all += 1;
      let near = false;
      for (let dy = -reach; dy <= reach && !near; dy += 1) {
        for (let dx = -reach; dx <= reach && !near; dx += 1) near = (b[(y + dy) * width + x + dx] ?? 0) >= weak;
      }
      if (near) found += 1;
    }
  }
  return all === 0 ? 1 : found / all;
}

/** Relative depth errors at the sampled points, beyond half a step of the original's 16-bit buffer. */
export function depthErrors({ depth_samples: samples, width }: GoldenFrame, { data }: DepthMap): number[] {
  if (!samples) return [];
  return samples.rows.flatMap((row, i) =>
    samples.cols.map((column, j) => {
      const wanted = samples.metres[i]![j]!;
      const step = (wanted * wanted) / NEAR / 65_535;
      return Math.max(0, Math.abs(data[row * width + column]! - wanted) - step / 2) / wanted;
    }),
  );
}

/** Averages squares of pixels, from any integer multiple of 160 x 120 down to it. */
export function shrunk(image: Image): RgbImage {
  const factor = image.width / 160;
  const [width, height] = [160, image.height / factor];
  const data = new Uint8Array(3 * width * height);
  for (let index = 0; index < data.length; index += 1) {
    const [channel, x, y] = [index % 3, Math.floor(index / 3) % width, Math.floor(index / 3 / width)];
    let sum = 0;
    for (let dy = 0; dy < factor; dy += 1) {
      for (let dx = 0; dx < factor; dx += 1) {
        sum += image.data[((y * factor + dy) * image.width + x * factor + dx) * image.channels + channel]!;
      }
    }
    data[index] = Math.round(sum / factor ** 2);
  }
  return { data, width, height, channels: 3 };
}

export function meanColor({ data, channels }: Image): number[] {
  const sums = [0, 0, 0];
  for (let index = 0; index < data.length; index += channels) {
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += data[index + channel]!;
  }
  return sums.map((sum) => (sum * channels) / data.length);
}
