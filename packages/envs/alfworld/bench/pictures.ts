/**
 * Steps per CPU-second with a first-person picture of 300 x 300 pixels, compared with the same steps as text.
 *
 * `npx tsx packages/envs/alfworld/bench/pictures.ts [seconds per figure] [ALFWorld's data]`. The expert plays
 * episode after episode, so loading games and building their scenes counts. CPU time is that of the whole process. Goal:
 * 400 steps per CPU-second.
 */
import { type AlfworldOptions, createAlfworld } from '../src/index.js';

const GOAL = 400;
const SLICES = 8;
const [seconds = '4', data] = process.argv.slice(2);

const start = process.cpuUsage();
const first = await createAlfworld({ observation: 'image' });
first.reset({ seed: 0 });
console.log(`first picture after ${milliseconds(process.cpuUsage(start)).toFixed(0)} ms of CPU, three.js loaded`);

console.log('steps per CPU-second          walking   in one game   drawing alone   goal');
await compare('generated', {});
if (data) await compare('ALFWorld', { data });

async function compare(name: string, games: AlfworldOptions): Promise<void> {
  for (const observation of ['text', 'image'] as const) {
    const options = { ...games, observation, maxSteps: 1e6 };
    const rates = [
      await walking(options),
      await inOneGame(options),
      observation === 'text' ? 0 : await drawing(options),
    ];
    const verdict = observation === 'text' ? '' : Math.min(...rates.slice(1)) >= GOAL ? 'met' : 'missed';
    const columns = rates.map((rate) => (rate === 0 ? '-' : rate.toFixed(0)).padStart(12));
    console.log(`${`${name}, ${observation}`.padEnd(26)} ${columns.join('  ')}   ${verdict}`);
  }
}

/** Plays episode after episode with the expert. */
async function walking(options: AlfworldOptions): Promise<number> {
  const env = await createAlfworld(options);
  env.reset({ seed: 1 });
  let plan: readonly string[] = [];
  return rate(() => {
    if (plan.length === 0) {
      env.reset();
      plan = env.expertPlan() ?? ['look'];
    }
    const [action, ...rest] = plan;
    plan = rest;
    env.step(action!);
  });
}

/** Walks back and forth in successive households, a hundred steps in each. */
async function inOneGame(options: AlfworldOptions): Promise<number> {
  const env = await createAlfworld(options);
  let { info } = env.reset({ seed: 2 });
  let [steps, state] = [0, 12345];
  return rate(() => {
    steps += 1;
    if (steps % 100 === 0) ({ info } = env.reset());
    state = (Math.imul(1103515245, state) + 12345) & 0x7fffffff;
    const { admissibleCommands } = info;
    ({ info } = env.step(admissibleCommands[(state >> 8) % admissibleCommands.length]!));
  });
}

async function drawing(options: AlfworldOptions): Promise<number> {
  const env = await createAlfworld(options);
  env.reset({ seed: 3 });
  return rate(() => env.picture());
}

/** The best of eight slices: on a shared machine even CPU time grows with the load of others. */
function rate(step: () => unknown): number {
  const run = (wanted: number) => {
    const began = process.cpuUsage();
    for (let steps = 0; ; ) {
      for (let batch = 0; batch < 10; batch += 1) step();
      steps += 10;
      const spent = milliseconds(process.cpuUsage(began));
      if (spent >= 1000 * wanted) return (1000 * steps) / spent;
    }
  };
  run(Number(seconds) / 4); // warm up
  return Math.max(...Array.from({ length: SLICES }, () => run(Number(seconds) / SLICES)));
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
