/**
 * Steps per CPU-second with random actions and a reset after each episode (in the time, but not counted), beside the
 * original in the same run, in turns.
 *
 * `npx tsx packages/envs/minigrid/bench/steps.ts [seconds per row] [python]`; the Python has `pip install minigrid==3.2.0`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PythonRandom } from '@vlgym/core/random';
import { createMiniGrid, type LevelId } from '../src/index.js';

const seconds = Number(process.argv[2] ?? 3);
const python = process.argv[3];
/** Ours and the original take turns this often; the median counts. */
const ROUNDS = 3;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const ROWS: readonly (readonly [name: string, id: LevelId, kind: 'symbolic' | 'view' | 'whole'])[] = [
  ['Empty 8x8, symbols', 'MiniGrid-Empty-8x8-v0', 'symbolic'],
  ['Empty 8x8, view in 8 px tiles', 'MiniGrid-Empty-8x8-v0', 'view'],
  ['Empty 8x8, whole in 8 px tiles', 'MiniGrid-Empty-8x8-v0', 'whole'],
  ['DoorKey 8x8, symbols', 'MiniGrid-DoorKey-8x8-v0', 'symbolic'],
  ['DoorKey 8x8, view in 8 px tiles', 'MiniGrid-DoorKey-8x8-v0', 'view'],
  ['BabyAI GoToLocal, symbols', 'BabyAI-GoToLocal-v0', 'symbolic'],
  ['BabyAI BossLevel, symbols', 'BabyAI-BossLevel-v0', 'symbolic'],
  ['BabyAI GoToLocal, view in 8 px tiles', 'BabyAI-GoToLocal-v0', 'view'],
];

function ours(id: LevelId, kind: (typeof ROWS)[number][2]): number {
  const options =
    kind === 'symbolic' ? {} : ({ observation: 'image', view: kind === 'view' ? 'agent' : 'whole' } as const);
  const env = createMiniGrid(id, options as object);
  const random = new PythonRandom(0);
  const play = (wanted: number) => {
    const start = process.cpuUsage();
    env.reset({ seed: 0 });
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
const original = (id: string, kind: string) =>
  Number(execFileSync(python!, [script, id, kind, String(seconds)], { encoding: 'utf8' }));

console.log('steps per CPU-second'.padEnd(40), 'ours'.padStart(10), 'original'.padStart(10), 'ratio'.padStart(8));
for (const [name, id, kind] of ROWS) {
  const [mine, other]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(ours(id, kind));
    if (python !== undefined) other.push(original(id, kind));
  }
  const rate = median(mine);
  const theirs = python === undefined ? undefined : median(other);
  const rest =
    theirs === undefined ? [] : [theirs.toFixed(0).padStart(10), `${(rate / theirs).toFixed(1)}x`.padStart(8)];
  console.log(name.padEnd(40), rate.toFixed(0).padStart(10), ...rest);
}
if (python === undefined) console.log('without the original: name a Python that has minigrid 3.2.0');
