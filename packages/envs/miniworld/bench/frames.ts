/**
 * Steps per CPU-second with pictures, compared with the original and ViZDoom in the same run.
 *
 * `npx tsx packages/envs/miniworld/bench/frames.ts [seconds per figure]`. Both others run in separate Python environments in
 * the user's cache, made on first use. Where they cannot run (no Python, no `xvfb-run`, no package registry) the table says
 * so. CPU time is that of the whole process, engines and threads included. Only ratios within one run are comparable; the
 * programs alternate, size by size, because other processes slow all of them down.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { createMiniWorld, type MiniWorldOptions } from '../src/index.js';
import { miniworld, vizdoom } from './originals.js';

const WORLDS = ['Hallway', 'FourRooms', 'MazeS3'] as const;
type Quality = Pick<MiniWorldOptions, 'filter' | 'samples'>;
/** In the order of the columns. */
const QUALITIES: readonly Quality[] = [{}, { filter: 'fast' }, { filter: 'fast', samples: 1 }];

const seconds = Number(process.argv[2] ?? 3);

start();
const [original, doom] = [await miniworld(seconds), await vizdoom(seconds)];
console.log(
  `\nload ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores; steps per CPU-second, ratios to the default`,
);
console.log('                         default            fast    fast, 1 sample     original   default / original');
for (const size of ['64x64', '80x60', '160x120', '224x224', '640x480']) {
  const theirs = original(size);
  for (const name of WORLDS) {
    const rates: number[] = [];
    for (const quality of QUALITIES) rates.push(await ours(name, size, quality));
    const cells = rates.map((rate) =>
      `${rate.toFixed(0)} ${`(${(rate / rates[0]!).toFixed(1)}x)`.padStart(7)}`.padStart(16),
    );
    const other = theirs?.get(name);
    const beside = other === undefined ? ['-', '-'] : [other.toFixed(0), `${(rates[0]! / other).toFixed(1)}x`];
    console.log(
      `${`${name} ${size}`.padEnd(18)}${cells.join('')} ${beside[0]!.padStart(12)} ${beside[1]!.padStart(12)}`,
    );
  }
  // ViZDoom has no square sizes of this kind
  const rate = size === '160x120' || size === '640x480' ? doom(size)?.get('ViZDoom') : undefined;
  if (rate !== undefined) console.log(`${`ViZDoom ${size}`.padEnd(18)}${rate.toFixed(0).padStart(8)}`);
}

/** Steps per CPU-second, with the same actions as the original and a seeded reset after each episode. */
async function ours(name: (typeof WORLDS)[number], size: string, quality: Quality): Promise<number> {
  const [obsWidth, obsHeight] = size.split('x').map(Number) as [number, number];
  const env = createMiniWorld(name, { obsWidth, obsHeight, ...quality });
  env.drawInto(new Uint8Array(3 * obsWidth * obsHeight));
  let [seed, state, steps, seen] = [0, 12345, 0, 0];
  env.reset({ seed });
  const play = (wanted: number): number => {
    const start = process.cpuUsage();
    for (;;) {
      for (let batch = 0; batch < 20; batch += 1) {
        state = (Math.imul(1103515245, state) + 12345) & 0x7fffffff;
        const { observation, terminated, truncated } = env.step((state >> 16) % 3);
        seen += observation.data[steps % observation.data.length]!;
        steps += 1;
        if (terminated || truncated) {
          seed += 1;
          env.reset({ seed });
        }
      }
      const { user, system } = process.cpuUsage(start);
      if (user + system >= 1e6 * wanted) return (1e6 * steps) / (user + system);
    }
  };
  play(Math.min(1, seconds / 3)); // warm up
  steps = 0;
  const rate = play(seconds);
  if (seen === 0) throw new Error('the pictures were empty');
  await env.close();
  return rate;
}

/** Measures the first frame, resident memory and further worlds of the built package. */
function start(): void {
  const built = new URL('../dist/index.js', import.meta.url);
  if (!existsSync(built)) {
    console.log('start and memory are skipped: build the package first');
    return;
  }
  const script = `
    const { createMiniWorld, createMiniWorldVector } = await import(${JSON.stringify(built.href)});
    const mebibytes = () => process.memoryUsage().rss / 2 ** 20;
    const [begin, cpu] = [performance.now(), process.cpuUsage()];
    createMiniWorld('Hallway').reset({ seed: 0 });
    const { user, system } = process.cpuUsage(cpu);
    const took = (performance.now() - begin).toFixed(0);
    console.log(\`first frame after \${took} ms, \${((user + system) / 1000).toFixed(0)} ms of CPU without imports\`);
    console.log(\`resident \${mebibytes().toFixed(0)} MiB with one world\`);
    const worlds = async (numEnvs) => (await createMiniWorldVector('FourRooms', { numEnvs })).reset({ seed: 0 });
    await worlds(4); // its textures
    const before = mebibytes();
    await worlds(64);
    console.log(\`\${((mebibytes() - before) / 64).toFixed(2)} MiB for each of 64 further worlds\`);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'inherit', 'ignore'] });
}
