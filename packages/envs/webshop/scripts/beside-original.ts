/**
 * Pages of the theme `original` next to the original's, as PNG files in a folder of yours: WebShop's templates and styles, of the
 * same products, goal and actions.
 *
 *     npx vlgym verify webshop --setup
 *     npx tsx packages/envs/webshop/scripts/beside-original.ts FOLDER [bootstrap.min.css]
 *
 * The templates take Bootstrap 3.4.1 from its public address; a copy of its style can be named. Product pictures are ours in
 * both.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@vlgym/chromium';
import { encodePng } from '@vlgym/core/images';
import { OriginalProcess, scriptBeside } from '@vlgym/core/verification';
import { WebShopBrowserEnv } from '../src/browser/index.js';
import { openBothShops } from '../src/verifier/original-shop.js';
import { played, python, sources, webshop } from '../src/verifier/webshop.js';

const [folder, bootstrap] = process.argv.slice(2);
if (folder === undefined) throw new Error('Expected a folder for the pictures.');
const missing = webshop.missing();
if (missing !== undefined)
  throw new Error(`The original is not installed: ${missing}. Run vlgym verify webshop --setup.`);
mkdirSync(folder, { recursive: true });

const script = scriptBeside(new URL('../src/verifier/webshop.ts', import.meta.url).href, 'original.py');
const original = new OriginalProcess({ command: [python.interpreter!, script, sources(), '-'] });
const { ours } = await openBothShops(original, 100, 2);
const env = new WebShopBrowserEnv({ strict: false, theme: 'original' }, ours);

const goal = 3;
let { observation, info } = await env.reset({ seed: 0, options: { goal } });
const actions: string[] = [];
const shots = [observation.screenshot];
const pictures = [await picturesOf(env.page!)];
const query = ours.products.at(0).query;
for (const choose of [() => `search[${query}]`, () => `click[${info.availableActions.clickables.find(isProduct)}]`]) {
  actions.push(choose());
  ({ observation, info } = await env.step(actions.at(-1)!));
  shots.push(observation.screenshot);
  pictures.push(await picturesOf(env.page!));
}

const results = { [query]: ours.find(query).map((position) => ours.products.at(position).asin) };
const { rows } = played.parse(await original.ask({ do: 'play', goal, mode: 'html', actions, results }));
const page = await originalPage();
for (const [index, [html]] of rows.entries()) {
  await page.setContent(html.replaceAll('/static/', 'http://original/static/'));
  const place = `(picture, index) => { picture.src = ${JSON.stringify(pictures[index])}[index] ?? ''; }`;
  await page.evaluate(`[...document.images].forEach(${place})`);
  const name = ['search', 'results', 'product'][index]!;
  await page.screenshot({ path: join(folder, `${name}-original.png`) });
  writeFileSync(join(folder, `${name}-ours.png`), encodePng(shots[index]!));
  process.stdout.write(`${join(folder, name)}-{original,ours}.png\n`);
}
await env.close();
await original.close();

function isProduct(name: string): boolean {
  return /^[a-z0-9]{10}$/.test(name);
}

function picturesOf(shown: Page): Promise<string[]> {
  return shown.evaluate('[...document.images].map(({ src }) => src)') as Promise<string[]>;
}

/** A page that has the original's own style, and Bootstrap's from a file where one is named. */
async function originalPage(): Promise<Page> {
  const context = await env.page!.browser().createBrowserContext();
  const opened = await context.newPage();
  await opened.setViewport({ width: 1280, height: 720 });
  await opened.setRequestInterception(true);
  opened.on('request', (request) => {
    const url = request.url();
    if (url.endsWith('/static/style.css')) {
      const body = readFileSync(join(sources(), 'web_agent_site', 'static', 'style.css'));
      void request.respond({ contentType: 'text/css', body });
    } else if (bootstrap !== undefined && /bootstrap\.min\.css$/.test(url)) {
      void request.respond({ contentType: 'text/css', body: readFileSync(bootstrap) });
    } else void request.continue();
  });
  return opened;
}
