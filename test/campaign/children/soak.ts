/**
 * `soak.ts <id> <options> <seconds> <steps> <seed>`: random play for so long, then the memory in use after collections:
 * `{ steps, samples }`, samples in bytes, the first after a third of the time. Half of all seeds never let a macrotask end.
 */
import { fallbackAction } from '@vlgym/agents';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { collected } from '../../support/collected.js';
import '../support/environments.js';

const SAMPLES = 8;
const [id, options, seconds, most, seed] = process.argv.slice(2) as [string, string, string, string, string];
const env: AnyEnv = await make(id, { options: JSON.parse(options) as Record<string, unknown> });
const rng = new Generator(Number(seed));
env.actionSpace.seed(Number(seed));
const inOneMacrotask = Number(seed) % 2 === 1;

let steps = 0;
let episodes = 0;
let last = await env.reset({ seed: Number(seed) });

async function playUntil(time: number, limit: number): Promise<void> {
  for (let stepIndex = 0; performance.now() < time && steps < limit; stepIndex += 1) {
    const { observation, info } = last;
    const context = { env, rng, stepIndex, observation, info, history: [], episodeId: 'soak' };
    const result = await env.step(fallbackAction(context as never));
    steps += 1;
    last = result;
    if (result.terminated || result.truncated) {
      episodes += 1;
      last = await env.reset({ seed: episodes % 500 });
    }
    if (!inOneMacrotask && steps % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function memoryInUse(): number {
  collected();
  const { heapUsed, external } = collected();
  return heapUsed + external;
}

const [time, limit] = [Number(seconds) * 1000, Number(most)];
const start = performance.now();
await playUntil(start + time / 3, limit / 3);
const samples = [memoryInUse()];
for (let sample = 1; sample < SAMPLES; sample += 1) {
  const share = 1 / 3 + ((2 / 3) * sample) / (SAMPLES - 1);
  await playUntil(start + time * share, limit * share);
  samples.push(memoryInUse());
}
await env.close();
process.stdout.write(`${JSON.stringify({ steps, episodes, samples })}\n`);
process.exit(0);
