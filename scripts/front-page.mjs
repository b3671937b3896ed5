/**
 * Draws `docs/worlds.webp`, the moving picture of the README: the experts of four environments at work, in our own pictures.
 *
 *     npm run build && node scripts/front-page.mjs
 *
 * Chromium composes the panels and encodes each frame as WebP; the container of the animation is written here (VP8X,
 * ANIM and ANMF of https://developers.google.com/speed/webp/docs/riff_container).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const load = (path) => import(pathToFileURL(join(root, path)).href);
const { make } = await load('packages/core/dist/index.js');
const { encodePng, resizeImage } = await load('packages/core/dist/images.js');
for (const name of ['points24', 'miniworld', 'alfworld', 'webshop']) await load(`packages/envs/${name}/dist/index.js`);
const { findChromium } = await load('packages/chromium/dist/index.js');
const { default: puppeteer } = await import('puppeteer-core');

const [WIDTH, HEIGHT, GAP, LABEL] = [320, 224, 8, 26];
const FRAMES = 24;
const MILLISECONDS = 450;

/** `from`: which part of a picture that is too high is shown, 0 its top and 1 its bottom. */
const WORLDS = [
  {
    id: 'vlgym/Points24-v1',
    title: 'Points24: make 24 of four cards',
    seed: 8,
    options: { solvableOnly: true },
    from: 1,
  },
  {
    id: 'MiniWorld-FourRooms-v0',
    title: 'MiniWorld: walk to the red box',
    seed: 7,
    options: { windowWidth: WIDTH, windowHeight: HEIGHT },
  },
  { id: 'vlgym/ALFWorldPictures-v1', title: 'ALFWorld: a household task', seed: 7, options: { split: 'unseen' } },
  {
    id: 'vlgym/WebShopBrowser-v1',
    title: 'WebShop: buy what was asked for',
    seed: 7,
    options: { catalog: { products: 300, seed: 1 } },
  },
];

/** One picture per step of the expert, evenly many for every world. */
async function film({ id, seed, options }) {
  const env = await make(id, { options, renderMode: 'rgb_array' });
  const pictures = [];
  const { observation } = await env.reset({ seed });
  const look = async (seen) => {
    const frame = await env.render();
    pictures.push(frame?.data ? frame : (seen.image ?? seen.screenshot ?? seen));
  };
  await look(observation);
  for (let over = false; !over && pictures.length < 200; ) {
    const action = (env.unwrapped.oracle ?? env.oracle).call(env.unwrapped);
    if (action === undefined) break;
    const step = await env.step(action);
    over = step.terminated || step.truncated;
    await look(step.observation);
  }
  await env.close();
  return Array.from({ length: FRAMES }, (_, index) => {
    const picture = pictures[Math.min(Math.floor((index * pictures.length) / FRAMES), pictures.length - 1)];
    const scale = Math.min(1, (2 * WIDTH) / picture.width);
    const small =
      scale < 1
        ? resizeImage(picture, { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) })
        : picture;
    return `data:image/png;base64,${Buffer.from(encodePng(small)).toString('base64')}`;
  });
}

/** Runs in the page: draws one frame. */
const DRAW = `async (panels, [width, height, gap, label]) => {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * width + 3 * gap;
  canvas.height = 2 * (height + label) + 3 * gap;
  const paper = canvas.getContext('2d');
  paper.fillStyle = '#16181a';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  for (const [index, { url, title, from }] of panels.entries()) {
    const x = gap + (index % 2) * (width + gap);
    const y = gap + Math.floor(index / 2) * (height + label + gap);
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.max(width / image.width, height / image.height);
    const [w, h] = [width / scale, height / scale];
    paper.drawImage(image, (image.width - w) / 2, from * (image.height - h), w, h, x, y, width, height);
    paper.fillStyle = '#e9e7e1';
    paper.font = '600 14px system-ui, sans-serif';
    paper.fillText(title, x + 4, y + height + 18);
  }
  return { url: canvas.toDataURL('image/webp', 0.6), width: canvas.width, height: canvas.height };
}`;

const uint24 = (value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

function chunk(name, ...parts) {
  const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** The image chunk (`VP8 ` or `VP8L`) of a still WebP file. */
function imageChunk(file) {
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (name.startsWith('VP8') && name !== 'VP8X') return file.subarray(at, end);
    at = end;
  }
  throw new Error('a still picture without image data');
}

function animation(stills, { width, height }) {
  const canvas = [...uint24(width - 1), ...uint24(height - 1)];
  const frames = stills.map((still) =>
    chunk('ANMF', [0, 0, 0, 0, 0, 0], canvas, uint24(MILLISECONDS), [0], imageChunk(still)),
  );
  const body = Buffer.concat([chunk('VP8X', [2, 0, 0, 0], canvas), chunk('ANIM', [0, 0, 0, 0, 0, 0]), ...frames]);
  return chunk('RIFF', Buffer.from('WEBP'), body);
}

const films = [];
for (const world of WORLDS) films.push(await film(world));
const browser = await puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
const stills = [];
let size;
for (let index = 0; index < FRAMES; index += 1) {
  const panels = WORLDS.map(({ title, from = 0 }, world) => ({ title, from, url: films[world][index] }));
  const { url, ...shape } = await page.evaluate(
    `(${DRAW})(${JSON.stringify(panels)}, ${JSON.stringify([WIDTH, HEIGHT, GAP, LABEL])})`,
  );
  size = shape;
  stills.push(Buffer.from(url.split(',')[1], 'base64'));
}
await browser.close();
const file = join(root, 'docs/worlds.webp');
writeFileSync(file, animation(stills, size));
process.stdout.write(`${file}\n`);
