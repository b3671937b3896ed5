/**
 * Screenshots of every theme, on a wide and on a narrow window, as PNG files in a folder.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/themes.ts [folder]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePng } from '@vlgym/core';
import { WebShopBrowserEnv } from '../src/browser/index.js';
import { LOOKS } from '../src/themes/theme.js';

const [folder = 'webshop-themes', ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const theme of ['parity', ...LOOKS] as const) {
  if (only.length > 0 && !only.includes(theme)) continue;
  for (const width of [1280, 360]) {
    const wording = theme === 'parity' ? 'plain' : 'shop';
    const catalog = { products: 300, seed: 5, visual: 0.25, wording } as const;
    const env = new WebShopBrowserEnv({ theme, width, height: 720, catalog });
    const save = (name: string, image: Parameters<typeof encodePng>[0]) =>
      writeFileSync(join(folder, `${theme}-${width}-${name}.png`), encodePng(image));
    save('index', (await env.reset({ seed: 3, options: { goal: 3 } })).observation.screenshot);
    for (const name of ['results', 'item', 'option', 'next'] as const) {
      const action = env.expertAction();
      if (action === undefined) break;
      save(name, (await env.step(action)).observation.screenshot);
    }
    await env.close();
  }
}

if (only.length === 0 || only.includes('disturbances')) {
  for (const [goal, width] of [
    [3, 1280],
    [4, 1280],
    [5, 1280],
    [6, 360],
  ] as const) {
    const catalog = { products: 300, seed: 5, visual: 0.25, wording: 'shop' } as const;
    const disturbances = ['pop-ups', 'moved-buttons'] as const;
    const env = new WebShopBrowserEnv({ theme: 'drawn', disturbances, width, height: 720, catalog });
    let { observation, info } = await env.reset({ seed: 3, options: { goal } });
    for (let step = 0; step < 8; step += 1) {
      writeFileSync(
        join(folder, `disturbed-${goal}-${step}-${info.popUp ? 'popup-' : ''}${info.page}.png`),
        encodePng(observation.screenshot),
      );
      const action = env.expertAction();
      if (action === undefined || action === 'click[buy now]') break;
      ({ observation, info } = await env.step(action));
    }
    await env.close();
  }
}
