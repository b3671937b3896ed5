/**
 * Draws the pictures of `docs/pictures.md`, all of them in our own art:
 *
 *     npm run build && node scripts/pictures.mjs
 *
 * Beside the originals, whose pictures may not be published, in a folder of yours:
 *
 *     node scripts/pictures.mjs --originals FOLDER
 *
 * The originals are what `npx vlgym verify miniworld --setup` and `npx vlgym verify cards --setup` have installed, or the
 * folders in `MINIWORLD_ASSETS` (the package `miniworld`) and `VLGYM_CARDS_ORIGINAL` (`gym-cards` of RL4VLM/RL4VLM). Rooms are
 * drawn by our renderer with the original's textures, cards are the original's in the published layout. Chromium arranges
 * the pictures and encodes them as WebP.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './setup.mjs';

const load = (path) => import(pathToFileURL(join(root, path)).href);
const { make } = await load('packages/core/dist/index.js');
const { encodePng } = await load('packages/core/dist/images.js');
for (const name of ['points24', 'miniworld', 'alfworld']) await load(`packages/envs/${name}/dist/index.js`);
const { findChromium } = await load('packages/chromium/dist/index.js');
const { default: puppeteer } = await import('puppeteer-core');

const { originals } = parseArgs({ options: { originals: { type: 'string' } } }).values;
const folder = originals ?? join(root, 'docs');
mkdirSync(folder, { recursive: true });

const ROOMS = [
  ['MiniWorld-OneRoom-v0', 3, 'OneRoom'],
  ['MiniWorld-MazeS3-v0', 2, 'MazeS3'],
  ['MiniWorld-Sidewalk-v0', 1, 'Sidewalk'],
  ['MiniWorld-ThreeRooms-v0', 4, 'ThreeRooms'],
];
const HANDS = [
  ['vlgym/EZPoints-v1', ['HK', 'SQ']],
  ['vlgym/EZPoints-v1', ['CJ', 'DK']],
  ['vlgym/Points24-v1', ['SJ', 'HQ', 'DK', 'C9']],
  ['vlgym/Points24-v1', ['HJ', 'CQ', 'SK', 'DA']],
];
/** Card size and positions in the published layout: `docs/specs/gym-cards.md`, section 7. */
const LAYOUTS = {
  'vlgym/EZPoints-v1': { width: 135, height: 189, top: 55, lefts: [5, 153] },
  'vlgym/Points24-v1': { width: 67, height: 93, top: 103, lefts: [5, 78, 152, 226] },
};
const HOUSEHOLDS = [3, 7, 12, 20];

const dataUrl = (bytes) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
const figure = (content, caption) => `<figure>${content}<figcaption>${caption}</figcaption></figure>`;
const img = (image) => `<img src="${dataUrl(encodePng(image))}">`;

async function room([id, seed, title], assets) {
  const options = { obsWidth: 320, obsHeight: 240, ...(assets ? { assets } : {}) };
  const env = await make(id, { options });
  const { observation } = await env.reset({ seed });
  await env.close();
  return figure(img(observation.obs ?? observation), assets ? `${title}, the original's textures` : title);
}

async function hand([id, cards]) {
  const env = await make(id);
  const { observation } = await env.reset({ options: { cards } });
  await env.close();
  return figure(img(observation), `${id.slice(6, -3)}: ${cards.join(' ')}`);
}

/** The original's cards on a table of ours. */
function originalHand([id, cards], art) {
  const { width, height, top, lefts } = LAYOUTS[id];
  const placed = cards.map((name, index) => {
    const url = dataUrl(readFileSync(join(art, `${name}.png`)));
    return `<img src="${url}" style="position:absolute;left:${lefts[index]}px;top:${top}px;width:${width}px;height:${height}px">`;
  });
  const table = `<div style="position:relative;width:300px;height:300px;background:#35654d">${placed.join('')}</div>`;
  return figure(table, `${cards.join(' ')}, the original's cards`);
}

async function household(seed) {
  const env = await make('vlgym/ALFWorldPictures-v1', { options: { split: 'unseen', observation: 'both' } });
  let { observation } = await env.reset({ seed });
  const oracle = () => (env.unwrapped.oracle ?? env.oracle).call(env.unwrapped);
  for (let step = 0; step < 3; step += 1) {
    const action = oracle();
    if (action === undefined) break;
    ({ observation } = await env.step(action));
  }
  await env.close();
  const text = String(observation.text ?? '').split('.')[0];
  return figure(`${img(observation.image)}`, text);
}

/** The installed original, or what a variable names. */
function originalFolder(variable, name, inside) {
  if (process.env[variable]) return process.env[variable];
  const { VLGYM_CACHE, XDG_CACHE_HOME } = process.env;
  const cache = VLGYM_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'vlgym');
  const kept = join(cache, 'originals');
  const environments = existsSync(kept) ? readdirSync(kept).filter((entry) => entry.startsWith(`${name}-`)) : [];
  return environments.flatMap((entry) => inside(join(kept, entry))).find((path) => existsSync(path));
}

const packagesOf = (environment) => {
  const libraries = join(environment, 'lib');
  const names = existsSync(libraries) ? readdirSync(libraries) : [];
  return names.map((python) => join(libraries, python, 'site-packages', 'miniworld'));
};

const sheets = { rooms: [], cards: [], households: [] };
for (const each of ROOMS) sheets.rooms.push(await room(each));
for (const each of HANDS) sheets.cards.push(await hand(each));
if (originals === undefined) {
  for (const seed of HOUSEHOLDS) sheets.households.push(await household(seed));
} else {
  const miniworld = originalFolder('MINIWORLD_ASSETS', 'miniworld', packagesOf);
  if (miniworld) for (const each of ROOMS) sheets.rooms.push(await room(each, miniworld));
  else process.stdout.write('skipped: MiniWorld is not installed; run npx vlgym verify miniworld --setup\n');
  const gymCards = originalFolder('VLGYM_CARDS_ORIGINAL', 'cards', (environment) => join(environment, 'gym-cards'));
  const art = gymCards && join(gymCards, 'gym_cards', 'envs', 'img');
  if (art && existsSync(art)) for (const each of HANDS) sheets.cards.push(originalHand(each, art));
  else process.stdout.write('skipped: gym-cards is not installed; run npx vlgym verify cards --setup\n');
}

const STYLE = `body{margin:4px;background:#fff;display:flex;flex-wrap:wrap;font:13px system-ui,sans-serif;color:#222}
  figure{margin:4px}img,div{display:block}figcaption{padding:4px 2px}`;
const browser = await puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const [name, figures] of Object.entries(sheets)) {
  if (figures.length === 0) continue;
  // Four figures a row.
  const width = 4 * (name === 'rooms' ? 328 : 308) + 8;
  await page.setViewport({ width, height: 100 });
  await page.setContent(`<style>${STYLE}</style>${figures.join('')}`);
  const file = join(folder, originals === undefined ? `${name}.webp` : `${name}-beside-originals.webp`);
  await page.screenshot({ path: file, type: 'webp', quality: 80, fullPage: true });
  process.stdout.write(`${file}\n`);
}
await browser.close();
