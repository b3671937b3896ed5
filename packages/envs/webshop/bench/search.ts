/**
 * Generates a catalog on disk with its index, if the folder does not exist, and measures searches: CPU time per search in
 * milliseconds, single thread, without caching; resident memory of the searching process (run it a second time, because the
 * first run also builds). For the build: wall and CPU time of each phase, over all threads.
 *
 * Short queries are product names with one or two wishes, as people type them; long ones are complete instructions. If
 * `goal_query_map.json` of the original is in `VLGYM_WEBSHOP_DATA`, its human queries are used, too.
 *
 * Every figure is compared with others of the same run, because a busy machine slows all of them: searches with sorting
 * 100,000 numbers, the build with the least that any index needs (reading the same lines and counting their words in a
 * map), scaled from a part of the catalog; and the load of the machine.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/search.ts <folder> [products]` after `npx turbo build`.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { generateCatalog, openCatalog, ProductGenerator, type SearchIndex } from '@vlgym/webshop';
import { cpuMilliseconds, loadText, median, sortMilliseconds } from './load.js';

const [folder = 'webshop-bench', size = '1200000'] = process.argv.slice(2);
const products = Number(size);

if (!existsSync(folder)) {
  const whole = cpuMilliseconds();
  const started = new Map<string, { wall: number; cpu: number }>();
  let ended = { wall: performance.now(), cpu: cpuMilliseconds() };
  await generateCatalog(
    folder,
    { products, seed: 1 },
    {
      onProgress({ phase, done, total }) {
        if (!started.has(phase)) started.set(phase, { wall: ended.wall, cpu: ended.cpu });
        ended = { wall: performance.now(), cpu: cpuMilliseconds() };
        if (done < total) return;
        const [wall, cpu] = (['wall', 'cpu'] as const).map((kind) => ended[kind] - started.get(phase)![kind]);
        console.log(`${phase} ${total}: ${(wall! / 1000).toFixed(1)} s, ${(cpu! / 1000).toFixed(1)} CPU-seconds`);
      },
    },
  );
  const built = (cpuMilliseconds() - whole) / 1000;
  const least = countWordsSeconds(50_000);
  const ratio = (built / least).toFixed(1);
  console.log(
    `build: ${built.toFixed(1)} CPU-seconds in all, ${ratio} times reading the lines and counting their words (${least.toFixed(1)}); ${loadText()}`,
  );
}

const before = process.memoryUsage().rss;
const opening = performance.now();
const { index, instructed } = openCatalog(folder);
console.log(
  `opened in ${(performance.now() - opening).toFixed(0)} ms; ${index.header.documents} documents, ${index.header.terms} terms`,
);

const generator = new ProductGenerator({ products, seed: 1 });
const long: string[] = [];
const short: string[] = [];
for (const { instructions = [], title } of instructed) {
  for (const { instruction, attributes, options } of instructions) {
    long.push(instruction);
    const noun = title.split(',')[0]!.split(' ').slice(-2).join(' ');
    short.push([attributes[0], noun, options[0] ?? ''].join(' '));
  }
  if (long.length >= 600) break;
}
if (generator.size !== index.header.documents) console.log('the folder contains another catalog');
report('short, made up', short.slice(0, 500));
report('long, made up', long.slice(0, 300));
const data = process.env.VLGYM_WEBSHOP_DATA;
if (data && existsSync(join(data, 'goal_query_map.json'))) {
  const map = JSON.parse(readFileSync(join(data, 'goal_query_map.json'), 'utf8')) as Record<string, string[]>;
  report('short, human', Object.values(map).flat().slice(0, 500));
  report('long, human', Object.keys(map).slice(0, 300));
}
const { rss } = process.memoryUsage();
console.log(
  `resident memory ${(rss / 2 ** 20).toFixed(0)} MB, ${((rss - before) / 2 ** 20).toFixed(0)} MB more than before opening`,
);

function report(name: string, queries: readonly string[]): void {
  for (const query of queries.slice(0, 50)) search(index, query); // warm up
  const times: number[] = [];
  const sorts: number[] = [];
  for (const [number, query] of queries.entries()) {
    times.push(search(index, query));
    if (number % 10 === 0) sorts.push(sortMilliseconds());
  }
  const sort = median(sorts);
  times.sort((a, b) => a - b);
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => times[Math.floor(share * times.length)]!);
  const shown = (value: number) => `${value.toFixed(1)} ms (${(value / sort).toFixed(2)})`;
  console.log(
    `${name.padEnd(16)} ${queries.length} queries, CPU time (in sorts of ${sort.toFixed(1)} ms)   p50 ${shown(p50!)}   p90 ${shown(p90!)}   p99 ${shown(p99!)}   ${loadText()}`,
  );
}

/** CPU time of reading the lines of a part of the catalog and counting their words, scaled to all of it. */
function countWordsSeconds(lines: number): number {
  const start = cpuMilliseconds();
  const file = openSync(join(folder, 'products.jsonl'), 'r');
  const bytes = Buffer.alloc(lines * 2000);
  const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  closeSync(file);
  const complete = text.split('\n').slice(0, -1);
  const counts = new Map<string, number>();
  for (const line of complete) {
    const { title, description, bulletPoints } = JSON.parse(line) as Record<'title' | 'description', string> & {
      bulletPoints: string[];
    };
    for (const word of `${title} ${description} ${bulletPoints[0]}`.toLowerCase().split(/\W+/)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return ((cpuMilliseconds() - start) / 1000) * (products / complete.length);
}

/** CPU time of one search in milliseconds, which other load does not affect. */
function search(from: SearchIndex, query: string): number {
  const start = cpuMilliseconds();
  from.search(query);
  return cpuMilliseconds() - start;
}
