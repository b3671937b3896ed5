/** The agent that plays is the one that was meant: an option that it would ignore is refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent, scriptedAgent } from '@vlgym/agents';
import '@vlgym/points24';
import { afterAll, describe, expect, it } from 'vitest';
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

describe('the blind agent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-blind-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = 'vlgym/NumberLine-v1';

  it('plays the actions of solved episodes', async () => {
    const record = join(folder, 'some-solved');
    const taken = new Set<unknown>();
    const { episodes } = await evaluate({
      env,
      agent: oracleAgent(),
      seeds: [1],
      record,
      onStep: ({ action }) => void taken.add(action),
    });
    expect({ solved: episodes[0]!.success, kinds: taken.size }).toEqual({ solved: true, kinds: 1 });
    const { agent } = await openAgent({ ...choice, agent: 'blind', like: record });
    const drawn = new Set<unknown>();
    await evaluate({ env, agent, episodes: 3, maxSteps: 5, onStep: ({ action }) => void drawn.add(action) });
    expect(drawn).toEqual(taken);
  });

  it('refuses a recording without a solved episode', async () => {
    const record = join(folder, 'none-solved');
    await evaluate({ env, agent: scriptedAgent([0]), seeds: [1], maxSteps: 2, record });
    await expect(openAgent({ ...choice, agent: 'blind', like: record })).rejects.toThrow('has no solved episode');
  });

  it.each([
    ['no recording', undefined, '--agent blind needs --like FOLDER'],
    ['a folder that is not there', './no-such-folder', 'no-such-folder'],
  ])('refuses %s', async (_name, like, message) => {
    await expect(openAgent({ ...choice, agent: 'blind', like })).rejects.toThrow(message);
  });
});

// the table of options that an agent would ignore: `command-line/needs.test.ts`
it('a suite may name the model of the gateway twice', async () => {
  await expect(openAgent({ ...choice, agent: 'maker/model', model: 'maker/model' })).resolves.toBeDefined();
});
