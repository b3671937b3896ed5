import { describe, expect, it } from 'vitest';
import { CorridorEnv } from '../test-support/corridor-env.js';
import { echoModel } from '../test-support/echo-model.js';
import {
  evaluate,
  humanAgent,
  modelAgent,
  openAICompatibleAgent,
  policyAgent,
  randomAgent,
  suite,
  toolAgent,
} from './index.js';
import { meteredModel, RateLimiter } from './model/index.js';
import { estimate } from './statistics/index.js';

const env = () => new CorridorEnv();
const model = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doGenerate: () => {} };
// as JavaScript calls them
const untyped = (options: object) => options as never;

describe('a misspelled option is refused, and the right name is told', () => {
  const agent = randomAgent();
  it.each<[string, (options: never) => unknown, object, string]>([
    ['evaluate', evaluate, { env, agent, episode: 3 }, 'episodes'],
    ['suite', suite, { environments: ['x'], agents: [agent], seed: 3 }, 'seeds'],
    ['an environment of a suite', suite, { agents: [agent], environments: [{ env, maxStep: 3 }] }, 'maxSteps'],
    ['estimate', estimate, { env, episodes: 3, samples: 3 }, 'sample'],
    ['modelAgent', (options) => modelAgent(model, options), { repairTurn: 1 }, 'repairTurns'],
    ['settings', (options) => modelAgent(model, options), { settings: { temprature: 0 } }, 'temperature'],
    ['a budget', (options) => modelAgent(model, options), { budget: { costs: 5 } }, 'cost'],
    [
      'prices',
      (options) => toolAgent({ generate: async () => 0 }, options),
      { prices: { inputPerMilion: 1 } },
      'inputPerMillion',
    ],
    ['limits', (options) => new RateLimiter(options), { requestPerMinute: 5 }, 'requestsPerMinute'],
    ['meteredModel', (options) => meteredModel(model, options), { timeoutMS: 1 }, 'timeoutMs'],
    ['openAICompatibleAgent', openAICompatibleAgent, { baseURL: 'http://x', model: 'm', apikey: 'k' }, 'apiKey'],
    ['toolAgent', (options) => toolAgent({ generate: async () => 0 }, options), { nmae: 'x' }, 'name'],
    ['policyAgent', (options) => policyAgent(echoModel(), options), { maxNewToken: 5 }, 'maxNewTokens'],
    ['humanAgent', humanAgent, { colums: 5 }, 'columns'],
  ])('%s', async (_name, call, options, right) => {
    await expect((async () => call(untyped(options)))()).rejects.toMatchObject({
      code: 'UNKNOWN_OPTION',
      hint: `did you mean "${right}"?`,
    });
  });
});

it('options that are undefined are the defaults', async () => {
  expect(new RateLimiter({ requestsPerMinute: undefined })).toBeDefined();
  const result = await evaluate({ env, agent: randomAgent(), episodes: 1, maxSteps: undefined, breakdown: undefined });
  expect(result.counted).toBe(1);
});

describe('an agent that was not called', () => {
  it.each([
    ['evaluate', () => evaluate({ env, agent: randomAgent as never, episodes: 2 })],
    ['suite', () => suite({ environments: [{ env, name: 'corridor' }], agents: [randomAgent as never], seeds: 2 })],
  ])('is refused by %s, and does not count as one that fails', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      hint: expect.stringMatching(/^call it: `agents?: randomAgent\(…\)`$/),
    });
  });

  it.each([undefined, 'random', { name: 'no act' }])('neither is %j one', async (agent) => {
    await expect(evaluate({ env, agent: agent as never })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
