/**
 * Success rates of the expert and of random actions, for the baselines: `npx tsx bench/rates.ts [episodes]`.
 */
import { evaluate, oracleAgent, randomAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/arcade';

const episodes = Number(process.argv[2] ?? 100);
for (const id of ['vlgym/ArcadeCatch-v1', 'vlgym/ArcadeLamps-v1', 'vlgym/ArcadeRule-v1']) {
  for (const agent of [oracleAgent(), randomAgent()]) {
    const { successRate, meanReturn, counted } = await evaluate({ env: () => make(id), agent, episodes, parallel: 4 });
    console.log(id, agent.name, `success ${successRate}, mean return ${meanReturn}, ${counted} episodes`);
  }
}
