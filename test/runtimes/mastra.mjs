/** An agent of Mastra, by the adapter of the README of @vlgym/agents. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { evaluate } from '@vlgym/agents';
import '@vlgym/points24';
import * as z from 'zod';
import { mastraAgent } from './adapters.mjs';
import { numberLineModel } from './number-line.mjs';

const agent = mastraAgent(({ env }) => {
  const look = createTool({
    id: 'look',
    description: 'Reads the picture.',
    inputSchema: z.object({}),
    execute: async () => ({ action: env.oracle() === 0 ? '-' : '+' }),
  });
  return new Agent({ id: 'walker', name: 'walker', instructions: 'Walk.', model: numberLineModel, tools: { look } });
});
const { successRate, firstFailure } = await evaluate({ env: 'vlgym/NumberLine-v1', agent, episodes: 4 });
console.log(successRate, firstFailure ?? '');
