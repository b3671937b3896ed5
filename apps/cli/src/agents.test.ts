/** The agent that plays is the one that was meant: an option that it would ignore is refused. */
import { describe, expect, it } from 'vitest';
import { type AgentChoice, BASE_URL, defaultAgent, openAgent } from './agents.js';

const choice: AgentChoice = {
  agent: 'random',
  env: 'vlgym/EZPoints-v1',
  baseUrl: BASE_URL,
  apiKeyEnv: 'OPENAI_API_KEY',
};

describe('an agent that is not named', () => {
  it('is random where nothing is, and the policy of a folder even if the folder is misspelled', async () => {
    expect(defaultAgent({})).toBe('random');
    expect(defaultAgent({ weights: 'runs/x' })).toBe('policy');
    const model = './no-such-folder';
    const agent = defaultAgent({ model });
    await expect(openAgent({ ...choice, agent, model })).rejects.toThrow(/no-such-folder" cannot be read/);
  });
});

describe('an option that the agent would ignore', () => {
  it.each<[string, Partial<AgentChoice>]>([
    ['--weights runs/x is not used by --agent random', { weights: 'runs/x' }],
    ['--weights runs/x is not used by --agent openai', { agent: 'openai', model: 'm', weights: 'runs/x' }],
    ['--temperature 0 is not used by --agent openai', { agent: 'openai', model: 'm', temperature: 0 }],
    ['--max-new-tokens 9 is not used by --agent openai', { agent: 'openai', model: 'm', maxNewTokens: 9 }],
    ['--sampler-dtype int8 is not used by --agent random', { samplerDtype: 'int8' }],
    ['--prompt-cache 64 is not used by --agent random', { promptCache: 64 }],
    ['--api-key-env KEY is not used by --agent random', { apiKeyEnv: 'KEY' }],
    ['--model m is not used by --agent oracle', { agent: 'oracle', model: 'm' }],
    ['--base-url http://host/v1 is not used by --agent random', { baseUrl: 'http://host/v1' }],
  ])('%s', async (message, given) => {
    await expect(openAgent({ ...choice, ...given })).rejects.toThrow(message);
  });

  it('is none where a suite names the model of the gateway twice', async () => {
    await expect(openAgent({ ...choice, agent: 'maker/model', model: 'maker/model' })).resolves.toBeDefined();
  });
});
