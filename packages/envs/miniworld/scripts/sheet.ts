/**
 * Writes an HTML file with the original's pictures, ours and their difference side by side, and comparison figures.
 *
 * `npx tsx packages/envs/miniworld/scripts/sheet.ts [file]`; needs the original's pictures, see golden-frames.ts. The
 * file contains textures of the original and must not be published.
 */
import type { Image } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { writeFileAtomic } from '@vlgym/core/internal';
import {
  depthErrors,
  edgeAgreement,
  FRAMES_FOLDER,
  goldenFrames,
  goldenPicture,
  meanColor,
  ourFrame,
  shrunk,
} from './golden-frames.js';

const [file = 'miniworld-sheet.html'] = process.argv.slice(2);
if (FRAMES_FOLDER === undefined) {
  console.log('Skipped: the pictures of the original are missing; set MINIWORLD_FRAMES to their folder.');
  process.exit(0);
}

const rows = goldenFrames().map((frame) => {
  const theirs = goldenPicture(frame);
  const { picture, depth } = ourFrame(frame);
  const errors = depthErrors(frame, depth);
  const [small, ours] = [shrunk(theirs), shrunk(picture)];
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const figures = [
    `edges ${percent(edgeAgreement(small, ours))} / ${percent(edgeAgreement(ours, small))}`,
    errors.length > 0 ? `depth off by at most ${percent(Math.max(...errors))}` : '',
    `mean color ${meanColor(picture)
      .map((value, channel) => signed(value - frame.mean_rgb[channel]!))
      .join(' ')}`,
  ];
  const shown = [theirs, picture, difference(theirs, picture)].map((each) => `<td>${img(each)}</td>`).join('');
  return `<tr><th>${frame.file.replace('.png', '')}<br><small>${figures.filter(Boolean).join('<br>')}</small></th>${shown}</tr>`;
});

const style =
  'body{font:14px sans-serif}img{width:320px;image-rendering:pixelated}th{text-align:left;padding-right:1em}';
await writeFileAtomic(
  file,
  `<!doctype html><meta charset="utf-8"><title>MiniWorld</title><style>${style}</style><table>
<tr><th></th><th>the original</th><th>ours</th><th>difference</th></tr>
${rows.join('\n')}
</table>`,
);
console.log(`${file}: ${rows.length} pictures`);

function img(image: Image): string {
  return `<img src="data:image/png;base64,${Buffer.from(encodePng(image)).toString('base64')}" alt="">`;
}

/** Gray where both pictures are equal. */
function difference(a: Image, b: Image): Image {
  const data = new Uint8Array(3 * a.width * a.height);
  for (let pixel = 0; pixel < a.width * a.height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const gap = b.data[pixel * b.channels + channel]! - a.data[pixel * a.channels + channel]!;
      data[3 * pixel + channel] = Math.min(255, Math.max(0, 128 + gap));
    }
  }
  return { data, width: a.width, height: a.height, channels: 3 };
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
}
