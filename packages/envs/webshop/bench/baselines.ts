/**
 * Scores of three agents on 500 goals of the generated catalog: random clicks, the rule of the WebShop paper (search the
 * instruction, buy the first product), the oracle. Score: 100 times the mean reward; success: reward exactly 1; both
 * with 95 % intervals (bootstrap of 2,000 draws for the score, Wilson for success).
 *
 * Run it with `npx tsx packages/envs/webshop/bench/baselines.ts [products] [goals]`.
 */
import { PythonRandom } from '@vlgym/core/random';
import { ruleAction } from '../src/agents/rule.js';
import { WebShopEnv, type WebShopInfo } from '../src/index.js';

const products = Number(process.argv[2] ?? 5000);
const wanted = Number(process.argv[3] ?? 500);
const env = new WebShopEnv({ catalog: { products, seed: 0 }, goals: 'human', strict: true });
const count = Math.min(wanted, env.shop.goals.length);
const random = new PythonRandom(0);

type Choose = (observation: string, info: WebShopInfo) => string | undefined;
const agents: Readonly<Record<string, Choose>> = {
  random: (observation, info) => random.choice(env.dialogue.choices!({ observation, info, history: [] })),
  rule: (_observation, info) => ruleAction(info),
  oracle: () => env.expert(),
};

console.log(`${products} products, ${count} of ${env.shop.goals.length} goals, at most 15 steps`);
for (const [name, choose] of Object.entries(agents)) {
  const rewards: number[] = [];
  for (let goal = 0; goal < count; goal += 1) rewards.push(play(goal, choose));
  const mean = 100 * average(rewards);
  const [low, high] = bootstrap(rewards).map((value) => 100 * value);
  const won = rewards.filter((reward) => reward === 1).length;
  const [least, most] = wilson(won, count).map((value) => 100 * value);
  const shown = [mean, low, high, (100 * won) / count, least, most].map((value) => value!.toFixed(1));
  console.log(
    `${name.padEnd(8)} score ${shown[0]} [${shown[1]}, ${shown[2]}]   success ${shown[3]} % [${shown[4]}, ${shown[5]}]`,
  );
}

function play(goal: number, choose: Choose): number {
  let { observation, info } = env.reset({ seed: goal, options: { goal } });
  for (let step = 0; step < 15; step += 1) {
    const action = choose(observation, info);
    if (action === undefined) return 0;
    const result = env.step(action);
    if (result.terminated) return result.reward;
    ({ observation, info } = result);
  }
  return 0;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function bootstrap(values: readonly number[]): [number, number] {
  const draws = new PythonRandom(1);
  const means = Array.from({ length: 2000 }, () => average(draws.choices(values, { k: values.length })));
  means.sort((a, b) => a - b);
  return [means[50]!, means[1949]!];
}

function wilson(won: number, total: number): [number, number] {
  const z = 1.96;
  const share = won / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const reach = (z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))) / (1 + (z * z) / total);
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}
