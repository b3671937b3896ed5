/**
 * Steps per CPU-second of the browser environment with a screenshot of 1280 by 720, in the theme `parity` and in another, and
 * memory of 8 environments in one browser. CPU time is that of this process and its browser.
 *
 * A busy machine makes CPU time longer, too, so every figure is compared with bare puppeteer in the same run, in turns: on a page
 * of the shop, move the mouse, click, read the text, take and decode a screenshot. The ratio is what the environment adds.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/browser.ts [steps]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@vlgym/chromium';
import { PythonRandom } from '@vlgym/core/random';
import { decodeScreenshot } from '@vlgym/site/pages';
import { WebShopBrowserEnv } from '../src/browser/index.js';
import { loadText } from './load.js';

const wanted = Number(process.argv[2] ?? 100);
/** Steps of one kind before those of the other. */
const BLOCK = 20;
const catalog = { products: 1000 };
await measure('parity', { screenshot: false });
await measure('parity', {});
await measure('market', { theme: 'market' });
await memory();

async function measure(name: string, options: ConstructorParameters<typeof WebShopBrowserEnv>[0] = {}): Promise<void> {
  const env = new WebShopBrowserEnv({ catalog, ...options });
  const screenshot = options.screenshot !== false;
  await play(env, 10);
  const page = await barePage(env);
  await bare(page, 5, screenshot);
  let [ours, theirs] = [0, 0];
  for (let done = 0; done < wanted; done += BLOCK) {
    let cpu = cpuSeconds();
    await play(env, BLOCK);
    ours += cpuSeconds() - cpu;
    cpu = cpuSeconds();
    await bare(page, BLOCK, screenshot);
    theirs += cpuSeconds() - cpu;
  }
  const steps = Math.ceil(wanted / BLOCK) * BLOCK;
  const what = `${name}, ${screenshot ? 'with' : 'without'} screenshots`;
  console.log(
    `${what.padEnd(28)} ${(steps / ours).toFixed(1)} steps per CPU-second; bare puppeteer ${(steps / theirs).toFixed(1)}: ${(theirs / ours).toFixed(2)} of it; ${loadText()}`,
  );
  await env.close();
}

/** A page of the shop in a separate window, without the environment's guards. */
async function barePage(env: WebShopBrowserEnv): Promise<Page> {
  const context = await env.page!.browser().createBrowserContext();
  const page = await context.newPage({ type: 'window', windowBounds: { windowState: 'fullscreen' } });
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(env.page!.url());
  return page;
}

/** The minimum work of a step, on a page that stays open. */
async function bare(page: Page, steps: number, screenshot: boolean): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.click(20 + step, 20);
    await page.evaluate('document.body.innerText');
    if (screenshot) decodeScreenshot(Buffer.from(await page.screenshot({ optimizeForSpeed: true })));
  }
}

async function play(env: WebShopBrowserEnv, steps: number): Promise<void> {
  const random = new PythonRandom(0);
  let { info } = await env.reset({ seed: 0 });
  for (let step = 0; step < steps; step += 1) {
    const { hasSearchBar, clickables } = info.availableActions;
    const clicks = clickables.filter((name) => name !== 'buy now');
    ({ info } = await env.step(hasSearchBar ? 'search[lamp]' : `click[${random.choice(clicks)}]`));
  }
}

async function memory(): Promise<void> {
  const envs = Array.from({ length: 8 }, () => new WebShopBrowserEnv({ catalog }));
  await Promise.all(envs.map((env) => play(env, 5)));
  const kilobytes = processes().reduce((sum, id) => sum + shared(id), 0);
  console.log(
    `8 environments over one browser: ${(kilobytes / 1024).toFixed(0)} MB, this process included (shared pages counted once)`,
  );
  await Promise.all(envs.map((env) => env.close()));
}

/** Ids of this process and its descendants. */
function processes(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const text = read(`/proc/${name}/stat`);
    parents.set(Number(name), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const family = new Set([process.pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [id, parent] of parents) {
      if (family.has(parent) && !family.has(id)) {
        family.add(id);
        grown = true;
      }
    }
  }
  return [...family];
}

function cpuSeconds(): number {
  return processes().reduce((sum, id) => {
    const text = read(`/proc/${id}/stat`);
    const [user, system] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) as [number, number];
    return sum + (Number.isFinite(user) ? (user + system) / 100 : 0);
  }, 0);
}

/** Proportional set size, kB: a page that several processes share counts once. */
function shared(id: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
