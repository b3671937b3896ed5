/**
 * Steps per CPU-second with random actions, and CPU-seconds of a reset, beside the original in the same run, in turns. Resets are not part
 * of the steps.
 *
 * `npx tsx packages/envs/crafter/bench/steps.ts [seconds per row] [python]`; the Python has
 * `pip install crafter==1.8.3 opensimplex==0.4.5.1`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PythonRandom } from '@vlgym/core/random';
import { CrafterEnv } from '../src/index.js';

const seconds = Number(process.argv[2] ?? 3);
const python = process.argv[3];
/** Ours and the original take turns this often; the median counts. */
const ROUNDS = 3;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

interface Rates {
  /** Steps per CPU-second. */
  readonly steps: number;
  /** CPU-seconds of a reset. */
  readonly reset: number;
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function ours(env: CrafterEnv): Rates {
  const random = new PythonRandom(0);
  env.reset({ seed: 1 });
  const play = (wanted: number): Rates => {
    let [steps, stepping, resets, resetting] = [0, 0, 0, 0];
    while (stepping < wanted) {
      let start = cpu();
      let over = false;
      for (let step = 0; step < 256 && !over; step += 1, steps += 1) {
        const { terminated, truncated } = env.step(random.below(env.actionSpace.n));
        over = terminated || truncated;
      }
      stepping += cpu() - start;
      if (!over) continue;
      start = cpu();
      env.reset();
      resetting += cpu() - start;
      resets += 1;
    }
    return { steps: steps / stepping, reset: resetting / resets };
  };
  play(0.5);
  return play(seconds);
}

const script = fileURLToPath(new URL('./original.py', import.meta.url));
function original(size: number): Rates {
  const printed = execFileSync(python!, [script, String(size), String(seconds)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [steps, reset] = printed.trim().split(' ').map(Number);
  return { steps: steps!, reset: reset! };
}

const medians = (rates: readonly Rates[]): Rates => ({
  steps: median(rates.map(({ steps }) => steps)),
  reset: median(rates.map(({ reset }) => reset)),
});

const row = (name: string, mine: string, theirs: string, ratio: string) =>
  console.log(name.padEnd(30), mine.padStart(10), theirs.padStart(10), ratio.padStart(8));
row('', 'ours', 'original', 'ratio');
for (const size of [64, 256]) {
  const [own, other]: [Rates[], Rates[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(ours(new CrafterEnv({ size })));
    if (python !== undefined) other.push(original(size));
  }
  const mine = medians(own);
  const theirs = python === undefined ? undefined : medians(other);
  const ratio = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(1)}x`);
  row(
    `steps/s, picture of ${size}`,
    mine.steps.toFixed(0),
    theirs?.steps.toFixed(0) ?? '',
    ratio(theirs && mine.steps / theirs.steps),
  );
  row(
    'reset, ms',
    (mine.reset * 1e3).toFixed(1),
    ((theirs?.reset ?? 0) * 1e3).toFixed(0),
    ratio(theirs && theirs.reset / mine.reset),
  );
}
const text = ours(new CrafterEnv({ observation: 'text', nightNoise: 'own' }));
row('steps/s, text', text.steps.toFixed(0), '', '');
if (python === undefined) console.log('without the original: name a Python that has crafter 1.8.3');
