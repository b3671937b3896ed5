/**
 * Steps per CPU-second with pictures of four samples per pixel, compared with the original in the same run.
 *
 * `npx tsx packages/envs/miniworld/bench/frames.ts [seconds per figure]`. The original runs in a separate Python
 * environment in the user's cache, created on first use, under `xvfb-run` with Mesa's software OpenGL. Without Python,
 * `xvfb-run` or a package registry it is skipped, and the table says so. CPU time is that of the whole process. Only
 * ratios within one run are comparable; both programs alternate, size by size, because other processes slow both down.
 * Below them, rates of our own with `filter: 'fast'`, and without smooth edges, as ratios to the default.
 * Start time and memory are measured with the built package in a separate process.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMiniWorld, type MiniWorldOptions } from '../src/index.js';

const PACKAGES = ['miniworld==2.1.0', 'gymnasium==1.4.0', 'pyglet==1.5.31'];
const SIZES = ['80x60', '224x224', '640x480'];
const WORLDS = ['Hallway', 'FourRooms'] as const;
const GOAL = 4;
type Quality = Pick<MiniWorldOptions, 'filter' | 'samples'>;
const FAST: Quality = { filter: 'fast' };

const seconds = Number(process.argv[2] ?? 3);

start();
const python = originalsPython();
console.log('\nsteps per CPU-second       ours   original   ratio   goal');
for (const size of SIZES) {
  const theirs = python === undefined ? undefined : measureOriginal(python, size);
  for (const name of WORLDS) {
    const rate = await ours(name, size);
    const original = theirs?.get(name);
    const ratio = original === undefined ? '-' : `${(rate / original).toFixed(1)}x`;
    const met = original === undefined ? 'skipped' : rate / original >= GOAL ? 'met' : 'missed';
    const columns = [rate.toFixed(0).padStart(8), (original?.toFixed(0) ?? '-').padStart(10), ratio.padStart(7), met];
    console.log(`${`${name} ${size}`.padEnd(22)} ${columns.join(' ')}`);
  }
}

console.log('\nsteps per CPU-second      default      fast     ratio   fast, 1 sample   ratio');
for (const size of ['64x64', '160x120', '640x480']) {
  for (const name of WORLDS) {
    const rates = [
      await ours(name, size),
      await ours(name, size, FAST),
      await ours(name, size, { ...FAST, samples: 1 }),
    ];
    const [plain, fast, bare] = rates as [number, number, number];
    const cells = [
      plain.toFixed(0).padStart(8),
      fast.toFixed(0).padStart(9),
      `${(fast / plain).toFixed(1)}x`.padStart(9),
    ];
    cells.push(bare.toFixed(0).padStart(16), `${(bare / plain).toFixed(1)}x`.padStart(7));
    console.log(`${`${name} ${size}`.padEnd(24)} ${cells.join(' ')}`);
  }
}

/** Steps per CPU-second, with the same actions as the original and a seeded reset after each episode. */
async function ours(name: (typeof WORLDS)[number], size: string, quality: Quality = {}): Promise<number> {
  const [obsWidth, obsHeight] = size.split('x').map(Number) as [number, number];
  const env = createMiniWorld(name, { obsWidth, obsHeight, ...quality });
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
    console.log(\`first frame after \${took} ms, \${((user + system) / 1000).toFixed(0)} ms of CPU, imports apart\`);
    console.log(\`resident \${mebibytes().toFixed(0)} MiB with one world\`);
    const worlds = async (numEnvs) => (await createMiniWorldVector('FourRooms', { numEnvs })).reset({ seed: 0 });
    await worlds(4); // its textures
    const before = mebibytes();
    await worlds(64);
    console.log(\`\${((mebibytes() - before) / 64).toFixed(2)} MiB for each of 64 further worlds\`);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'inherit', 'ignore'] });
}

/** The Python executable with the original installed; undefined if it is not available. */
function originalsPython(): string | undefined {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'vlgym', 'bench-miniworld');
  const python = join(folder, 'bin', 'python');
  try {
    execFileSync('xvfb-run', ['--help'], { stdio: 'ignore' });
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder]);
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES], { stdio: ['ignore', 'ignore', 'inherit'] });
    return python;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.log(`The original is skipped: ${reason}`);
    return undefined;
  }
}

/** Rates by world. */
function measureOriginal(python: string, size: string): Map<string, number> {
  const script = fileURLToPath(new URL('original.py', import.meta.url));
  const lines = execFileSync('xvfb-run', ['-a', python, script, String(seconds), size], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const records = lines.split('\n').filter((line) => line.startsWith('{'));
  return new Map(
    records.map((line) => {
      const { name, rate } = JSON.parse(line) as { name: string; rate: number };
      return [name, rate];
    }),
  );
}
