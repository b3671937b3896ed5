import { oracleAgent, randomAgent } from '@vlgym/agents';
import { expect, test } from 'vitest';
import '@vlgym/points24';
import '@vlgym/vitest';

const agent = oracleAgent(); // your agent

test('solves number lines', async () => {
  await expect(agent).toSolve('vlgym/NumberLine-v1', { rate: 0.8, episodes: 40 });
  await expect(agent).toStayWithin({ steps: 20, seconds: 10 });
});

test('chance does not', async () => {
  await expect(randomAgent()).not.toSolve('vlgym/NumberLine-v1', { rate: 0.8, episodes: 40 });
});
