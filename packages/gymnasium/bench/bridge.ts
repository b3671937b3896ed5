/**
 * Overhead of the bridge: steps per second, and per second of processor time, of CartPole in Python alone and from Node.
 *
 *     npx tsx packages/gymnasium/bench/bridge.ts
 *
 * Python is chosen as in `make('gymnasium:…')`. Compare figures of one run only.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { make } from '@vlgym/core';
import { type GymnasiumEnv, pythonToUse } from '../src/index.js';

const STEPS = 3000;

const ALONE = `
import json, time, gymnasium
env = gymnasium.make("CartPole-v1")
env.action_space.seed(1); env.reset(seed=1)
start, used = time.perf_counter(), time.process_time()
for _ in range(${STEPS}):
    *_, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated: env.reset()
print(json.dumps([${STEPS} / (time.perf_counter() - start), ${STEPS} / (time.process_time() - used)]))
`;

const alone = JSON.parse(execFileSync(pythonToUse(), ['-c', ALONE], { encoding: 'utf8' })) as number[];
const env = await make('gymnasium:CartPole-v1');
env.actionSpace.seed(1);
await env.reset({ seed: 1 });
/** Seconds of processor time of a process, on Linux. */
const secondsOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const used = () => secondsOf(process.pid) + secondsOf((env.unwrapped as GymnasiumEnv).pid!);
const before = used();
const start = performance.now();
for (let step = 0; step < STEPS; step += 1) {
  const { terminated, truncated } = await env.step(env.actionSpace.sample());
  if (terminated || truncated) await env.reset();
}
const bridged = [(STEPS / (performance.now() - start)) * 1000, STEPS / (used() - before)];
await env.close();
const named = ([perSecond, perCpuSecond]: number[]) => ({
  perSecond: Math.round(perSecond!),
  perCpuSecond: Math.round(perCpuSecond!),
});
console.log(JSON.stringify({ alone: named(alone), bridged: named(bridged), load: loadavg()[0] }));
