/**
 * Draws the picture of the README: the observations of one household, step by step.
 *
 * `npx tsx packages/envs/alfworld/scripts/strip.ts [file] [game] [first step] [steps] [columns]`
 */

import { encodePng } from '@vlgym/core/images';
import { writeFileAtomic } from '@vlgym/core/internal';
import { createAlfworld } from '../src/index.js';

const [
  file = 'packages/envs/alfworld/docs/pictures.png',
  game = 'train/pick_cool_then_place_in_recep/2',
  first = '1',
  steps = '6',
  columns = '3',
] = process.argv.slice(2);
const [side, gap] = [240, 6];

const env = await createAlfworld({ observation: 'image', obsWidth: side, obsHeight: side });
const images = [env.reset({ seed: 1, options: { game } }).observation];
for (const action of [...(env.expertPlan() ?? [])]) images.push(env.step(action).observation);
const shown = images.slice(Number(first), Number(first) + Number(steps));

const across = Number(columns);
const width = across * (side + gap) - gap;
const height = Math.ceil(shown.length / across) * (side + gap) - gap;
const data = new Uint8Array(width * height * 3).fill(255);
for (const [index, image] of shown.entries()) {
  const [left, top] = [(index % across) * (side + gap), Math.floor(index / across) * (side + gap)];
  for (let row = 0; row < side; row += 1) {
    data.set(image.data.subarray(row * side * 3, (row + 1) * side * 3), ((top + row) * width + left) * 3);
  }
}
const png = encodePng({ data, width, height, channels: 3 });
await writeFileAtomic(file, png);
console.log(`${file}: ${shown.length} pictures, ${(png.length / 1000).toFixed(0)} kB`);
