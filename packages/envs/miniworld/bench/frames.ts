/**
 * Steps per CPU-second with a picture of four samples a pixel, beside the original measured in the same run.
 *
 * `npx tsx packages/envs/miniworld/bench/frames.ts [seconds per figure]`. The original runs in a Python environment of
 * its own in the user's cache, made on first use, under `xvfb-run` with Mesa's software OpenGL; without Python,
 * `xvfb-run` or a package registry it is skipped, and the table says so. CPU time is that of the whole process. Only
 * ratios of one run compare.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMiniWorld, createMiniWorldVector } from '../src/index.js';

const PACKAGES = ['miniworld==2.1.0', 'gymnasium==1.4.0', 'pyglet==1.5.31'];
const SIZES = ['80x60', '224x224', '640x480'];
const WORLDS = ['Hallway', 'FourRooms'] as const;
const GOAL = 4;

const seconds = Number(process.argv[2] ?? 3);

const startup = process.cpuUsage();
const first = createMiniWorld('Hallway');
first.reset({ seed: 0 });
const started = process.cpuUsage(startup);
console.log(`first frame after ${((started.user + started.system) / 1000).toFixed(0)} ms of CPU, imports apart`);
console.log(`resident ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB with one world`);

const original = measureOriginal();
console.log('\nsteps per CPU-second       ours   original   ratio   goal');
for (const size of SIZES) {
  for (const name of WORLDS) {
    const rate = await ours(name, size);
    const theirs = original?.get(`${name} ${size}`);
    const ratio = theirs === undefined ? '-' : `${(rate / theirs).toFixed(1)}x`;
    const met = theirs === undefined ? 'skipped' : rate / theirs >= GOAL ? 'met' : 'missed';
    const columns = [rate.toFixed(0).padStart(8), (theirs?.toFixed(0) ?? '-').padStart(10), ratio.padStart(7), met];
    console.log(`${`${name} ${size}`.padEnd(22)} ${columns.join(' ')}`);
  }
}
await furtherWorlds();

/** Steps per CPU-second; the same actions as the original's, a seeded reset whenever an episode ends. */
async function ours(name: (typeof WORLDS)[number], size: string): Promise<number> {
  const [obsWidth, obsHeight] = size.split('x').map(Number) as [number, number];
  const env = createMiniWorld(name, { obsWidth, obsHeight });
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

async function furtherWorlds(): Promise<void> {
  const count = 32;
  const before = process.memoryUsage().rss;
  const worlds = await createMiniWorldVector('FourRooms', { numEnvs: count });
  worlds.reset({ seed: 0 });
  const grown = (process.memoryUsage().rss - before) / count / 2 ** 20;
  console.log(`\n${grown.toFixed(2)} MiB for each of ${count} further worlds`);
  await worlds.close();
}

/** Rates by world and size; undefined where the original cannot be had. */
function measureOriginal(): Map<string, number> | undefined {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'vlgym', 'bench-miniworld');
  const python = join(folder, 'bin', 'python');
  try {
    execFileSync('xvfb-run', ['--help'], { stdio: 'ignore' });
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder]);
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES], { stdio: ['ignore', 'ignore', 'inherit'] });
    const script = fileURLToPath(new URL('original.py', import.meta.url));
    const lines = execFileSync('xvfb-run', ['-a', python, script, String(seconds), ...SIZES], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const records = lines.split('\n').filter((line) => line.startsWith('{'));
    return new Map(
      records.map((line) => {
        const { name, size, rate } = JSON.parse(line) as { name: string; size: string; rate: number };
        return [`${name} ${size}`, rate];
      }),
    );
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.log(`The original is skipped: ${reason}`);
    return undefined;
  }
}
