/**
 * Scores of random actions: reward, achievements of an episode with a 95 % interval, and the score of Crafter's paper
 * (Hafner 2021, arXiv 2109.06780): the geometric mean of the success rates of the 22 achievements, `exp(mean(ln(1 + rate))) - 1`
 * with rates in percent.
 *
 * `npx tsx packages/envs/crafter/bench/baselines.ts [episodes]`
 */
import { Generator } from '@vlgym/core';
import { ACHIEVEMENTS, CrafterEnv } from '../src/index.js';

const episodes = Number(process.argv[2] ?? 400);
const env = new CrafterEnv({ observation: 'text', nightNoise: 'own' });
const random = new Generator(0);
const counts: number[] = [];
const rewards: number[] = [];
const successes = new Map(ACHIEVEMENTS.map((name) => [name, 0]));

for (let seed = 0; seed < episodes; seed += 1) {
  env.reset({ seed });
  let sum = 0;
  for (;;) {
    const { reward, terminated, truncated } = env.step(random.integers(0, env.actionSpace.n));
    sum += reward;
    if (terminated || truncated) break;
  }
  rewards.push(sum);
  counts.push(env.game.unlocked.size);
  for (const name of env.game.unlocked) successes.set(name, successes.get(name)! + 1);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const halfWidth = (values: readonly number[]) => {
  const center = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
  return 1.96 * Math.sqrt(variance / values.length);
};
const rates = [...successes.values()].map((count) => (100 * count) / episodes);
const score = Math.exp(mean(rates.map((rate) => Math.log(1 + rate)))) - 1;
console.log(`reward ${mean(rewards).toFixed(2)} ± ${halfWidth(rewards).toFixed(2)}`);
console.log(`achievements ${mean(counts).toFixed(2)} ± ${halfWidth(counts).toFixed(2)} of ${ACHIEVEMENTS.length}`);
console.log(`score ${score.toFixed(2)} %`);
for (const [name, count] of successes) console.log(name.padEnd(20), `${((100 * count) / episodes).toFixed(1)} %`);
