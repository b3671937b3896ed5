/**
 * A folder with many episodes: time and CPU to the page with its first screen, to a filtered page, to one episode, and
 * memory, in a process of its own. Then in Chromium, from the address to the first rows on the page, each time with a new
 * server. Goal: the first rows of 100,000 episodes are painted within a second on two cores.
 *
 * npx tsx apps/viewer/bench/episodes.ts [EPISODES]
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EpisodeIndexer, INDEX_FILE } from '@vlgym/core/internal';
import type { TrajectoryEvent } from '@vlgym/core/trajectory';
import { view } from '@vlgym/viewer';

const isServer = process.argv[2] === '--serve';
const count = isServer ? 0 : Number(process.argv[2] ?? 100_000);
const STEPS = 8;
const folder = isServer ? '' : await mkdtemp(join(tmpdir(), 'vlgym-many-'));
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

/** The server has a process of its own, so that its memory is its own. */
interface Served {
  readonly address: string;
  /** Resident memory, and milliseconds of CPU so far. */
  usage(): Promise<{ readonly bytes: number; readonly cpu: number }>;
  close(): void;
}

async function serve(): Promise<Served> {
  const child = fork(fileURLToPath(import.meta.url), ['--serve', folder]);
  const [address] = (await once(child, 'message')) as [string];
  const usage = async () => {
    child.send('usage');
    const [answer] = await once(child, 'message');
    return answer as { bytes: number; cpu: number };
  };
  return { address, usage, close: () => child.disconnect() };
}

/** The child: it serves a folder and says how much memory it has. */
async function beServer(served: string): Promise<void> {
  const { address } = await view({ folders: [served] });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!({ bytes: process.memoryUsage.rss(), cpu: (user + system) / 1000 });
  });
  process.on('disconnect', () => process.exit());
  process.send!(address);
}

const print = (what: string, value: number, unit: string) =>
  console.log(`${what.padEnd(56)} ${value.toFixed(0).padStart(6)} ${unit}`);

async function timed<T>(what: string, path: string, address: string): Promise<T> {
  const start = performance.now();
  const answer = (await (await fetch(`${address}${path}`)).json()) as T;
  print(what, performance.now() - start, 'ms');
  return answer;
}

async function onServer(): Promise<void> {
  const { address, usage, close } = await serve();
  const before = await usage();
  const start = performance.now();
  const document = await (await fetch(address)).text();
  const first = performance.now() - start;
  const { cpu } = await usage();
  const [, answers = '{}'] = /id="first">(.*)<\/script>/.exec(document) ?? [];
  print('the page with its first screen, cold', first, 'ms');
  print('the same, and as much of the index as was read meanwhile', cpu - before.cpu, 'ms of CPU');
  print('the same', document.length / 1000, 'kB');
  print('of these the first screen', answers.length / 1000, 'kB');
  const { runs } = await timed<{ runs: { id: string }[] }>('list of runs', 'runs', address);
  const list = `runs/${runs[0]!.id}/episodes?set=played`;
  await timed('first screen of episodes', list, address);
  for (;;) {
    const { reading } = (await (await fetch(`${address}${list}`)).json()) as { reading?: boolean };
    if (!reading) break;
    await setTimeout(20);
  }
  print('until all are counted, with histograms', performance.now() - start, 'ms');
  await timed('a filtered page', `${list}&outcome=failure&from=20000`, address);
  await timed('one episode', `runs/${runs[0]!.id}/episode?set=played&id=episode.${count - 7}`, address);
  const after = await usage();
  print('all of the above', after.cpu - before.cpu, 'ms of CPU');
  print('memory of the server before', before.bytes / 1e6, 'MB');
  print('memory of the server with all of them, more than that', (after.bytes - before.bytes) / 1e6, 'MB');
  close();
}

/** In a browser that runs already, from the address to the paint of the first rows, and until all are counted. */
async function onPage(): Promise<void> {
  const { findChromium } = await import('@vlgym/chromium');
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  for (let round = 1; round <= 3; round += 1) {
    const { address, usage, close } = await serve();
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(PAINTED);
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(COUNTED);
    const [rows, all] = (await page.evaluate('[painted, performance.now()]')) as [number, number];
    const { cpu } = await usage();
    print(`page in Chromium, round ${round}: first rows painted`, rows, 'ms');
    print(`page in Chromium, round ${round}: all episodes counted`, all, 'ms');
    print(`page in Chromium, round ${round}: server, from its start`, cpu, 'ms of CPU');
    await page.close();
    close();
  }
  await browser.close();
}

/** In the page: milliseconds from the start of the navigation to the frame after the first rows. */
const PAINTED = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.list li a')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.painted = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

const COUNTED = `globalThis.painted !== undefined && !document.querySelector('.episodes [role=status]').textContent.includes('so far')`;

if (isServer) await beServer(process.argv[3]!);
else {
  try {
    await write();
    await onServer();
    await onPage();
  } finally {
    await rm(folder, { recursive: true });
  }
}
