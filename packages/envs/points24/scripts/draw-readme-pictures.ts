/** Draws the pictures of the README. Run it with `npx tsx packages/envs/points24/scripts/draw-readme-pictures.ts`. */
import { writeFileSync } from 'node:fs';
import type { RgbImage } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { drawCard } from '../src/art/card-art.js';
import { BlackjackEnv, EZPointsEnv, NumberLineEnv, Points24Env } from '../src/index.js';

const points24 = new Points24Env();
points24.reset({ options: { cards: ['D6', 'CK', 'H4', 'SA'] } });
let table = points24.step(points24.expert()).observation;
for (let step = 0; step < 3; step += 1) table = points24.step(points24.expert()).observation;

const ezPoints = new EZPointsEnv();
ezPoints.reset({ options: { cards: ['H4', 'S8'] } });
ezPoints.step(3);

const games = [
  new NumberLineEnv().reset({ seed: 0 }).observation,
  ezPoints.step(10).observation,
  table,
  new BlackjackEnv().reset({ seed: 0 }).observation as RgbImage,
];
save('games.png', sheet(games, 4, 8));

const names = ['S', 'H', 'C', 'D'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => suit + rank));
save(
  'cards.png',
  sheet(
    names.map((name) => drawCard(name, 67, 93)),
    13,
    6,
  ),
);

function save(name: string, image: RgbImage): void {
  writeFileSync(new URL(`../${name}`, import.meta.url), encodePng(image));
}

/** Arranges pictures of one size in rows on light gray. */
function sheet(images: readonly RgbImage[], columns: number, gap: number): RgbImage {
  const { height: cellHeight, width: cellWidth } = images[0]!;
  const width = columns * (cellWidth + gap) + gap;
  const height = Math.ceil(images.length / columns) * (cellHeight + gap) + gap;
  const data = new Uint8Array(width * height * 3).fill(232);
  for (const [index, image] of images.entries()) {
    const left = gap + (index % columns) * (cellWidth + gap);
    const top = gap + Math.floor(index / columns) * (cellHeight + gap);
    for (let row = 0; row < cellHeight; row += 1) {
      const from = image.data.subarray(row * cellWidth * 3, (row + 1) * cellWidth * 3);
      data.set(from, 3 * ((top + row) * width + left));
    }
  }
  return { data, width, height, channels: 3 };
}
