import { evaluate, oracleAgent, randomAgent } from '@vlgym/agents';
import { pairedComparison } from '@vlgym/agents/statistics';
import '@vlgym/points24';

const game = { env: 'vlgym/NumberLine-v1', episodes: 100, parallel: 8 };
const expert = await evaluate({ ...game, agent: oracleAgent() });
const random = await evaluate({ ...game, agent: randomAgent() });

for (const { agent, successRate, interval95, tasks, meanReturn } of [expert, random]) {
  const [low, high] = interval95.map((share) => (100 * share).toFixed(0));
  console.log(
    `${agent}: ${100 * successRate} % solved (${low}-${high} %, ${tasks} tasks), mean return ${meanReturn.toFixed(2)}`,
  );
}
const { difference, pValue } = pairedComparison(expert.episodes, random.episodes);
console.log(`difference ${(100 * difference).toFixed(0)} points, p = ${pValue.toExponential(1)}`);
