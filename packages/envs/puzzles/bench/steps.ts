/**
 * Steps per CPU-second with random actions and resets (in the time, but not counted), beside the originals in the same run, in
 * turns.
 *
 * `npx tsx packages/envs/puzzles/bench/steps.ts [seconds per row] [python]`; the Python has `pip install gymnasium[toy-text]==1.4.0`, and
 * for Sokoban `gym-sokoban==0.0.6`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PythonRandom } from '@vlgym/core/random';
import { FrozenLakeEnv, SokobanEnv } from '../src/index.js';

const seconds = Number(process.argv[2] ?? 3);
const python = process.argv[3];
/** Ours and the originals take turns this often; the median counts. */
const ROUNDS = 3;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const ROWS = {
  'Sokoban 6x6, picture of 96': () => new SokobanEnv({ rows: 6, columns: 6, boxes: 1, maxSteps: 100 }),
  'Sokoban 10x10, picture of 160': () => new SokobanEnv({ rows: 10, columns: 10, boxes: 3 }),
  FrozenLake: () => new FrozenLakeEnv(),
  'FrozenLake, picture of 256': () => new FrozenLakeEnv({ observation: 'image', tileSize: 64 }),
};

function ours(env: SokobanEnv | FrozenLakeEnv): number {
  const random = new PythonRandom(0);
  const play = (wanted: number) => {
    const start = process.cpuUsage();
    env.reset({ seed: 1 });
    for (let steps = 1; ; steps += 1) {
      const { terminated, truncated } = env.step(random.below(env.actionSpace.n));
      if (terminated || truncated) env.reset();
      if (steps % 256 > 0) continue;
      const { user, system } = process.cpuUsage(start);
      if (user + system > wanted * 1e6) return steps / ((user + system) / 1e6);
    }
  };
  play(0.3);
  return play(seconds);
}

const script = fileURLToPath(new URL('./original.py', import.meta.url));
const original = (name: string) =>
  Number(
    execFileSync(python!, [script, name, String(seconds)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );

console.log('steps per CPU-second'.padEnd(34), 'ours'.padStart(10), 'original'.padStart(10), 'ratio'.padStart(8));
for (const [name, create] of Object.entries(ROWS)) {
  const [mine, other]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(ours(create()));
    if (python !== undefined) other.push(original(name));
  }
  const rate = median(mine);
  const theirs = python === undefined ? undefined : median(other);
  const rest =
    theirs === undefined ? [] : [theirs.toFixed(0).padStart(10), `${(rate / theirs).toFixed(1)}x`.padStart(8)];
  console.log(name.padEnd(34), rate.toFixed(0).padStart(10), ...rest);
}
if (python === undefined)
  console.log('without the originals: name a Python that has gymnasium 1.4.0 and gym-sokoban 0.0.6');
