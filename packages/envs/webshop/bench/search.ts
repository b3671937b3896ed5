/**
 * Generates a catalog on disk with its index, if the folder does not exist, and measures searches: CPU time per search in
 * milliseconds, single thread, without caching; resident memory of the searching process (run it a second time, because the
 * first run also builds). For the build: wall and CPU time of each phase, over all threads.
 *
 * Short queries are product names with one or two wishes, as people type them; long ones are complete instructions. If
 * `goal_query_map.json` of the original is in `VLGYM_WEBSHOP_DATA`, its human queries are used, too.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/search.ts <folder> [products]` after `npx turbo build`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCatalog, openCatalog, ProductGenerator, type SearchIndex } from '@vlgym/webshop';

const [folder = 'webshop-bench', size = '1200000'] = process.argv.slice(2);
const products = Number(size);

if (!existsSync(folder)) {
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
  const times = queries.map((query) => search(index, query)).sort((a, b) => a - b);
  const mean = (times.reduce((sum, time) => sum + time, 0) / times.length).toFixed(1);
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => times[Math.floor(share * times.length)]!.toFixed(1));
  console.log(
    `${name.padEnd(16)} ${queries.length} queries, CPU time   p50 ${p50} ms   p90 ${p90} ms   p99 ${p99} ms   mean ${mean} ms`,
  );
}

/** CPU time of one search in milliseconds, which other load does not affect. */
function search(from: SearchIndex, query: string): number {
  const start = cpuMilliseconds();
  from.search(query);
  return cpuMilliseconds() - start;
}

/** CPU time of all threads of this process. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
