/**
 * A folder with many episodes: time to the first list, to a filtered page, to one episode, and memory. With Chromium, also
 * the time from the address to the first rows on the page.
 *
 * npx tsx apps/viewer/bench/episodes.ts [EPISODES]
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EpisodeIndexer, INDEX_FILE } from '@vlgym/core/internal';
import type { TrajectoryEvent } from '@vlgym/core/trajectory';
import { view } from '@vlgym/viewer';

const count = Number(process.argv[2] ?? 100_000);
const STEPS = 8;
const folder = await mkdtemp(join(tmpdir(), 'vlgym-many-'));
const digest = `sha256:${'0'.repeat(64)}`;

/** Events as a writer emits them, several episodes at a time. */
function* events(): Generator<TrajectoryEvent> {
  for (let index = 0; index < count; index += 1) {
    const id = `episode.${index}`;
    const success = (index * 7919) % 10 < 6;
    const observation = { digest };
    const header = { schema: 'vlgym.trajectory/2', id, createdBy: {}, env: { id: 'my/Env-v0' }, seed: index } as const;
    yield {
      event: 'start',
      trajectory: { ...header, agent: { name: 'agent' }, observation, info: { task: 'a task' } },
    };
    for (let step = 0; step < STEPS; step += 1) {
      const isLast = step === STEPS - 1;
      const words = {
        response: `{"thoughts": "step ${step}", "action": "go"}`,
        thought: `step ${step}`,
        actionText: 'go',
      };
      const end = { reward: isLast && success ? 1 : 0, terminated: isLast, truncated: false };
      yield { event: 'step', id, step: { index: step, ...words, legal: true, action: 0, ...end, observation } };
    }
    const outcome = { return: success ? 1 : 0, length: STEPS, success, endedBy: 'terminated' } as const;
    yield { event: 'end', id, outcome };
  }
}

async function write(): Promise<void> {
  const [episodes, index] = ['episodes.jsonl', INDEX_FILE].map((name) => createWriteStream(join(folder, name)));
  const indexer = new EpisodeIndexer(0);
  let from = 0;
  for (const event of events()) {
    const line = `${JSON.stringify(event)}\n`;
    const to = from + Buffer.byteLength(line);
    if (!episodes!.write(line)) await once(episodes!, 'drain');
    const entry = indexer.take(event, { from, to });
    if (entry) index!.write(`${JSON.stringify(entry)}\n`);
    from = to;
  }
  await Promise.all([episodes!, index!].map((stream) => once(stream.end(), 'finish')));
  console.log(`${count} episodes, ${(from / 1e6).toFixed(0)} MB`);
}

async function timed(what: string, path: string, address: string): Promise<unknown> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const answer = await (await fetch(`${address}${path}`)).json();
  const { user, system } = process.cpuUsage(cpu);
  const wall = (performance.now() - start).toFixed(0).padStart(6);
  console.log(`${what.padEnd(44)} ${wall} ms, ${((user + system) / 1000).toFixed(0).padStart(6)} ms of CPU`);
  return answer;
}

async function onPage(address: string): Promise<void> {
  const { findChromium } = await import('@vlgym/webshop/browser');
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('.list li a');
  console.log(
    `${'page: address to first rows, in Chromium'.padEnd(44)} ${(performance.now() - start).toFixed(0).padStart(6)} ms`,
  );
  await browser.close();
}

try {
  await write();
  const viewing = await view({ folders: [folder] });
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const { runs } = (await timed('list of runs, cold', 'runs', viewing.address)) as { runs: { id: string }[] };
  const id = runs[0]!.id;
  await timed('first 100 episodes with histograms', `runs/${id}/episodes?set=played`, viewing.address);
  console.log(`${'cold, together'.padEnd(44)} ${(performance.now() - start).toFixed(0).padStart(6)} ms`);
  await timed('a filtered page', `runs/${id}/episodes?set=played&outcome=failure&from=20000`, viewing.address);
  await timed('one episode', `runs/${id}/episode?set=played&id=episode.${count - 7}`, viewing.address);
  console.log(
    `${'memory of the server, more than before'.padEnd(44)} ${((process.memoryUsage.rss() - before) / 1e6).toFixed(0).padStart(6)} MB`,
  );
  await viewing.close();
  const again = await view({ folders: [folder] });
  await onPage(again.address);
  await again.close();
} finally {
  await rm(folder, { recursive: true });
}
