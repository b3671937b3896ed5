/**
 * Steps per CPU-second with a rendered 300 x 300 observation: raw environments, random actions, a seeded reset whenever
 * an episode ends (not counted as a step, but in the time). CPU time is that of the whole process, garbage collection
 * and its threads included.
 *
 * Run it with `npx tsx packages/envs/points24/bench/steps.ts [seconds per game]` on an idle machine.
 */
import { PythonRandom } from '@vlgym/core';
import { BlackjackEnv, EZPointsEnv, NumberLineEnv, Points24Env } from '../src/index.js';

/** Steps per CPU-second of the published Python package with Pillow, measured elsewhere; cited, not run here. */
const CITED = { EZPoints: 120, Points24: 148, Blackjack: 22, NumberLine: 1559 };
const GOAL = 20_000;

const seconds = Number(process.argv[2] ?? 4);
const games = {
  EZPoints: new EZPointsEnv(),
  Points24: new Points24Env(),
  Blackjack: new BlackjackEnv(),
  NumberLine: new NumberLineEnv(),
};

console.log('game        steps/CPU-s   bytes/step   cited Python   ratio   goal');
for (const [name, env] of Object.entries(games)) {
  play(env, 0.5); // warm up
  const { steps, cpu, bytes } = play(env, seconds);
  const rate = steps / cpu;
  const cited = CITED[name as keyof typeof CITED];
  console.log(
    [
      name.padEnd(10),
      rate.toFixed(0).padStart(12),
      String(bytes).padStart(12),
      String(cited).padStart(14),
      `${(rate / cited).toFixed(0)}x`.padStart(7),
      (rate >= GOAL ? 'met' : 'missed').padStart(6),
    ].join(' '),
  );
}

/** Plays for a time; reads one byte of each picture, so that none can be left out. */
function play(env: (typeof games)[keyof typeof games], wanted: number): { steps: number; cpu: number; bytes: number } {
  const random = new PythonRandom(0);
  let [seed, steps, seen, bytes] = [0, 0, 0, 0];
  env.reset({ seed });
  const start = process.cpuUsage();
  const elapsed = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  while (steps % 256 !== 0 || elapsed() < wanted) {
    const { observation, terminated, truncated } = env.step(random.below(env.actionSpace.n));
    if ('data' in observation) {
      seen += observation.data[steps % observation.data.length]!;
      bytes = observation.data.length;
    }
    steps += 1;
    if (terminated || truncated) {
      seed += 1;
      env.reset({ seed });
    }
  }
  const cpu = elapsed();
  if (seen === 0) throw new Error('the pictures were empty');
  return { steps, cpu, bytes };
}
