/** Greedy answers that are remembered are those that the model would compute. */
import { evaluate, policyAgent, rememberGreedy } from '@vlgym/agents';
import type { TokenModel } from '@vlgym/agents/model';
import { make } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '@vlgym/models';
import '@vlgym/points24';
import { afterAll, expect, it } from 'vitest';
import { smallConfig } from '../src/policy/policy.test-helper.js';

setNumThreads(1);
const policy = await createPolicy({ config: smallConfig, seed: 1 });
afterAll(() => policy.close());

it('plays the same episodes with fewer answers', async () => {
  const play = async (model: TokenModel) => {
    const said: string[] = [];
    const result = await evaluate({
      env: () => make('vlgym/EZPoints-v1', { options: { dialogue: 'compact-v1' } }),
      agent: policyAgent(model, { temperature: 0, maxNewTokens: 16 }),
      seeds: [1, 2, 3, 1],
      parallel: 2,
      maxSteps: 4,
      onStep: ({ id, step, text }) => void said.push(`${id} ${step} ${text}`),
    });
    return { said: said.sort(), returns: result.episodes.map((row) => row.return), usage: result.usage };
  };
  const memory = rememberGreedy(policy);
  expect(await play(memory)).toEqual(await play(policy));
  expect(memory.asked).toBe(16);
  expect(memory.computed).toBeLessThan(16);
});
