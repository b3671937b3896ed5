import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnv, make } from '@vlgym/core';
import './dist/index.js';

test('keeps the contract of environments', async () => {
  const { findings } = await checkEnv(() => make('example/Flag-v0'));
  assert.deepEqual(findings, []);
});

test('the expert reaches the flag, by the shortest way', async () => {
  const env = await make('example/Flag-v0');
  for (let seed = 0; seed < 20; seed += 1) {
    await env.reset({ seed });
    let steps = 0;
    for (let over = false; !over; steps += 1) over = (await env.step(env.oracle())).terminated;
    assert.ok(steps <= 12, `seed ${seed}: ${steps} steps`);
  }
  await env.close();
});
