/** Environments of Python's Gymnasium as people write them: without `render_mode`, with custom spaces, wide integers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make } from '@vlgym/core';
import '@vlgym/gymnasium';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pythonEnvironment } from './support/python-environment.js';

const { python, reason } = pythonEnvironment(['gymnasium[classic-control,toy-text]==1.4.0']);

const MODULE = `
import gymnasium as gym
import numpy as np
from gymnasium import spaces

class Page(gym.Env):
    def __init__(self, observations, observation, actions=spaces.Discrete(2), info={}):
        self.observation_space, self.observation = observations, observation
        self.action_space, self.extra = actions, info
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation, self.extra
    def step(self, action):
        return self.observation, 1.0, True, False, self.extra

class Plain(Page):
    def __init__(self, size=3):
        super().__init__(spaces.Discrete(size), 0)

class AnyText(spaces.Text):
    """Any text up to the length; the characters are for samples alone."""
    def contains(self, value):
        return isinstance(value, str) and self.min_length <= len(value) <= self.max_length

def any_text():
    return AnyText(min_length=0, max_length=200)

words = "Click button ONE."
wide = spaces.Box(-2**62, 2**62, (2,), np.int64)
gym.register("Plain-v0", Plain)
gym.register("AnyText-v0", lambda: Page(any_text(), words, any_text()))
gym.register("Alphanumeric-v0", lambda: Page(spaces.Text(200), words, spaces.Text(200)))
gym.register("Number-v0", lambda: Page(spaces.Discrete(3), 7))
gym.register("Exact-v0", lambda: Page(wide, np.array([2**53 - 1, -5]), info={"ticks": 2**53 + 1, "few": [1, 2**60 + 1]}))
gym.register("Wide-v0", lambda: Page(wide, np.array([1, 2**60 + 1])))
gym.register("WideNumber-v0", lambda: Page(spaces.Discrete(2**62), 2**60 + 1))
`;

vi.setConfig({ testTimeout: 120_000 });
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vlgym-python-'));
  writeFileSync(join(folder, 'small_envs.py'), MODULE);
  vi.stubEnv('PYTHONPATH', folder);
  vi.stubEnv('VLGYM_PYTHON', python ?? '');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function firstStep(name: string, action: unknown, options: object = {}) {
  const env = await make(`gymnasium:small_envs:${name}-v0`, options as never);
  try {
    const first = await env.reset({ seed: 1 });
    return { ...first, ...(await env.step(action)), start: first.info };
  } finally {
    await env.close();
  }
}

describe.skipIf(!python)(`small environments of Gymnasium ${reason}`, () => {
  it('are made without the argument `render_mode`, and with their own arguments', async () => {
    expect(await firstStep('Plain', 0)).toMatchObject({ observation: 0, reward: 1 });
    const env = await make('gymnasium:small_envs:Plain-v0', { options: { size: 5 } } as never);
    expect(env.observationSpace.toJSON()).toMatchObject({ n: 5 });
    await env.close();
  });

  it('decide themselves which texts are in a space with a rule of its own', async () => {
    expect(await firstStep('AnyText', 'click("a51")')).toMatchObject({ observation: 'Click button ONE.', reward: 1 });
  });

  it.each([
    ['Alphanumeric', 'ab', 'Click button ONE.'],
    ['Number', 0, 7],
  ])('may leave their space where nobody checks: %s', async (name, action, observation) => {
    await expect(firstStep(name, action)).rejects.toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/) });
    expect(await firstStep(name, action, { disableChecker: true })).toMatchObject({ observation });
  });

  it('keep 64-bit integers, as a bigint where a number would be rounded', async () => {
    const { observation, start } = await firstStep('Exact', 0);
    expect([...(observation as Float64Array)]).toEqual([2 ** 53 - 1, -5]);
    expect(start).toEqual({ ticks: 2n ** 53n + 1n, few: [1, 2n ** 60n + 1n] });
  });

  it('are refused where an observation would be rounded', async () => {
    const refused = firstStep('Wide', 0, { disableChecker: true });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(String(2n ** 60n + 1n)) });
    await expect(firstStep('WideNumber', 0)).rejects.toMatchObject({ code: 'INVALID_SPACE' });
  });
});
