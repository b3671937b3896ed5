import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnv, make } from '@vlgym/core';
import './index.js';

test('keeps the contract of environments', async () => {
  const { findings } = await checkEnv(() => make('my/MyName-v0'));
  assert.deepEqual(findings, []);
});

test('is solved by its expert, on every seed', async () => {
  const env = await make('my/MyName-v0');
  for (let seed = 0; seed < 10; seed += 1) {
    await env.reset({ seed });
    const { reward, terminated } = await env.step(env.oracle());
    assert.deepEqual({ reward, terminated }, { reward: 1, terminated: true });
  }
  await env.close();
});
