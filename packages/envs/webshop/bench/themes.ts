/**
 * Screenshots of every theme, on a wide and on a narrow window, and of visits with pop-ups and moved buttons, as PNG files in
 * a folder; and the two overviews in docs/, `shop-themes.webp` and `shop-themes-narrow.webp`.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/themes.ts [folder]`.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RgbImage } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { WebShopBrowserEnv } from '../src/browser/index.js';
import { isPlain, LOOKS } from '../src/themes/theme.js';

const [folder = 'webshop-themes'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const catalog = { products: 300, seed: 5, visual: 0.25, wording: 'shop' } as const;
const THEMES = ['parity', 'original', ...LOOKS] as const;

for (const theme of THEMES) {
  for (const width of [1280, 360]) {
    const goods = isPlain(theme) ? { ...catalog, wording: 'plain' as const } : catalog;
    const env = new WebShopBrowserEnv({ theme, width, height: 720, catalog: goods });
    const { observation } = await env.reset({ seed: 3, options: { goal: 4 } });
    save(`${theme}-${width}-index`, observation.screenshot);
    for (const name of ['results', 'item', 'option'] as const) {
      const action = env.expert();
      if (action === undefined) break;
      save(`${theme}-${width}-${name}`, (await env.step(action)).observation.screenshot);
    }
    await env.close();
  }
}

const disturbances = ['pop-ups', 'moved-buttons'] as const;
for (const goal of [3, 4, 5]) {
  const env = new WebShopBrowserEnv({ theme: 'drawn', disturbances, height: 720, catalog });
  let { observation, info } = await env.reset({ seed: 3, options: { goal } });
  for (let step = 0; step < 8; step += 1) {
    save(`disturbed-${goal}-${step}-${info.popUp ? 'popup' : info.page}`, observation.screenshot);
    const action = env.expert();
    if (action === undefined || action === 'click[buy now]') break;
    ({ observation, info } = await env.step(action));
  }
  await env.close();
}

const pages = ['results', 'option'] as const;
await overview('shop-themes', 1280, 460);
await overview('shop-themes-narrow', 360, 230);

function save(name: string, image: RgbImage): void {
  writeFileSync(join(folder, `${name}.png`), encodePng(image));
}

/** All themes next to each other, one row per page. @param shown  Width of a picture, pixels. */
async function overview(name: string, width: number, shown: number): Promise<void> {
  const image = (theme: string, page: string) =>
    readFileSync(join(folder, `${theme}-${width}-${page}.png`)).toString('base64');
  const cell = (theme: string, page: string) =>
    `<img src="data:image/png;base64,${image(theme, page)}" width="${shown}">`;
  const rows = pages.map((page) => `<div>${THEMES.map((theme) => cell(theme, page)).join('')}</div>`).join('');
  const env = new WebShopBrowserEnv({ catalog: { products: 100 }, screenshot: false });
  await env.reset({ seed: 1 });
  const page = env.page!;
  await page.setViewport({ width: THEMES.length * (shown + 8) + 8, height: 100 });
  await page.goto('about:blank');
  await page.setContent(
    `<style>body{margin:4px;background:#888}img{margin:4px;display:inline-block}div{white-space:nowrap;font-size:0}</style>${rows}`,
  );
  await page.screenshot({ path: join(folder, `${name}.webp`), type: 'webp', quality: 72, fullPage: true });
  copyFileSync(join(folder, `${name}.webp`), join('docs', `${name}.webp`));
  await env.close();
}
