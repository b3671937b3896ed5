/**
 * Steps per second of the browser environment with a screenshot of 1280 by 720, and memory of 8 environments in one
 * browser. Wall time and CPU time of this process and its browser; other load affects the first only.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/browser.ts [steps]` on an idle machine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { PythonRandom } from '@vlgym/core';
import { WebShopBrowserEnv } from '../src/browser/index.js';

const wanted = Number(process.argv[2] ?? 100);
const catalog = { products: 1000 };
for (const screenshot of [false, true]) await measure(screenshot);
await memory();

async function measure(screenshot: boolean): Promise<void> {
  const env = new WebShopBrowserEnv({ catalog, screenshot });
  await play(env, 10);
  const [start, cpu] = [performance.now(), cpuSeconds()];
  await play(env, wanted);
  const [seconds, used] = [(performance.now() - start) / 1000, cpuSeconds() - cpu];
  const what = screenshot ? 'with screenshots' : 'without screenshots';
  console.log(
    `${what.padEnd(20)} ${(wanted / seconds).toFixed(1)} steps per second, ${(wanted / used).toFixed(1)} per CPU-second`,
  );
  await env.close();
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
