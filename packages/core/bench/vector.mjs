/**
 * Worker threads and one thread: environment steps per second of the same vector, in interleaved rounds, medians.
 *
 *   npx tsup && node bench/vector.mjs
 *
 * Goal: the worker vector is at least 1.8 times the serial one on two cores, on an environment that computes (the first
 * table, about 25 ms per step). The second table has the cost of rendering a small 3D scene in software; the others show
 * where threads stop paying off: waking them and moving eight pictures takes one to two milliseconds per vector step. CPU
 * time counts all threads and depends less on other load: twice serial over worker bounds the gain on two cores.
 */
import { availableParallelism } from 'node:os';
import { makeVec } from '../dist/index.js';
import './busy-env.mjs';

const ROUNDS = 7;
const NUM_ENVS = 8;
const actions = new Array(NUM_ENVS).fill(0);
const kinds = ['serial', 'concurrent', 'worker'];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(work, steps) {
  const envs = {};
  for (const vectorization of kinds) {
    envs[vectorization] = await makeVec('bench/Busy-v0', { numEnvs: NUM_ENVS, vectorization, options: { work } });
    await envs[vectorization].reset({ seed: 0 });
    for (let step = 0; step < 5; step += 1) await envs[vectorization].step(actions);
  }
  const rates = Object.fromEntries(kinds.map((kind) => [kind, []]));
  const cpu = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of kinds) {
      const [start, cpuStart] = [performance.now(), process.cpuUsage()];
      for (let step = 0; step < steps; step += 1) await envs[kind].step(actions);
      rates[kind].push((1000 * steps * NUM_ENVS) / (performance.now() - start));
      const { user, system } = process.cpuUsage(cpuStart);
      cpu[kind].push((user + system) / steps);
    }
  }
  for (const vector of Object.values(envs)) await vector.close();
  const serial = median(rates.serial);
  return kinds.map((kind) => ({
    vectorization: kind,
    'steps/s': Math.round(median(rates[kind])),
    'against serial': Number((median(rates[kind]) / serial).toFixed(2)),
    'µs per vector step': Math.round((1e6 * NUM_ENVS) / median(rates[kind])),
    'CPU µs per vector step': Math.round(median(cpu[kind])),
  }));
}

console.log(`${NUM_ENVS} environments, ${availableParallelism()} processors, medians of ${ROUNDS} interleaved rounds`);
for (const [work, steps] of [
  [25_000_000, 3],
  [5_000_000, 5],
  [300_000, 20],
  [0, 100],
]) {
  console.log(`${work.toLocaleString('en')} operations and one 224 x 224 picture per step:`);
  console.table(await measure(work, steps));
}
