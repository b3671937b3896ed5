/**
 * Overhead of the bridge: steps per second of CartPole in Python alone and from Node.
 *
 *     npx tsx packages/gymnasium/bench/bridge.ts
 *
 * Python is chosen as in `make('gymnasium:…')`. Compare figures of one run only.
 */
import { execFileSync } from 'node:child_process';
import { make } from '@vlgym/core';
import { pythonToUse } from '../src/index.js';

const STEPS = 5000;

const ALONE = `
import time, gymnasium
env = gymnasium.make("CartPole-v1")
env.action_space.seed(1); env.reset(seed=1)
start = time.perf_counter()
for _ in range(${STEPS}):
    *_, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated: env.reset()
print(${STEPS} / (time.perf_counter() - start))
`;

const alone = Number(execFileSync(pythonToUse(), ['-c', ALONE], { encoding: 'utf8' }));
const env = await make('gymnasium:CartPole-v1');
env.actionSpace.seed(1);
await env.reset({ seed: 1 });
const start = performance.now();
for (let step = 0; step < STEPS; step += 1) {
  const { terminated, truncated } = await env.step(env.actionSpace.sample());
  if (terminated || truncated) await env.reset();
}
const bridged = (STEPS / (performance.now() - start)) * 1000;
await env.close();
console.log(JSON.stringify({ alone: Math.round(alone), bridged: Math.round(bridged) }));
