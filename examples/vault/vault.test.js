import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnv, make } from '@vlgym/core';
import './index.js';

test('keeps the contract of environments', async () => {
  const { findings } = await checkEnv(() => make('example/Vault-v0'));
  assert.deepEqual(findings, []);
});

test('the expert fetches the key, opens the door and reaches the box', async () => {
  const env = await make('example/Vault-v0');
  for (let seed = 0; seed < 10; seed += 1) {
    await env.reset({ seed });
    const seen = new Set();
    for (let over = false; !over; ) {
      const action = env.oracle();
      assert.notEqual(action, undefined, `seed ${seed}: ${env.oracleReason()}`);
      const { terminated, truncated, info } = await env.step(action);
      assert.equal(truncated, false, `seed ${seed}`);
      if (info.hasKey) seen.add('key');
      if (info.doorOpen) seen.add('door');
      over = terminated;
    }
    assert.deepEqual([...seen], ['key', 'door']);
  }
  await env.close();
});

test('the door is closed without the key', async () => {
  const env = await make('example/Vault-v0');
  await env.reset({ seed: 1 });
  const { door } = { door: env.unwrapped.world.entities.find(({ label }) => label.includes('door')) };
  Object.assign(env.unwrapped.world.agent, { x: 5.9, z: 3, direction: 0 });
  const { info } = await env.step(6);
  assert.deepEqual([info.doorOpen, door.label], [false, 'a locked yellow door']);
  await env.close();
});
