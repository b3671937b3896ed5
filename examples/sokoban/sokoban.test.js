import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnv, make } from '@vlgym/core';
import './index.js';

test('keeps the contract of environments', async () => {
  const { findings } = await checkEnv(() => make('example/Sokoban-v0'));
  assert.deepEqual(findings, []);
});

test('the expert solves every level, in every size', async () => {
  for (const options of [{}, { size: 5, boxes: 1 }, { size: 8, boxes: 3 }]) {
    const env = await make('example/Sokoban-v0', { options, maxEpisodeSteps: 500 });
    for (let seed = 0; seed < 20; seed += 1) {
      let { info } = await env.reset({ seed });
      assert.equal(info.boxesLeft, options.boxes ?? 2);
      for (let over = false; !over; ) {
        const result = await env.step(env.oracle());
        assert.equal(result.truncated, false);
        ({ info } = result);
        over = result.terminated;
      }
      assert.equal(info.boxesLeft, 0);
    }
    await env.close();
  }
});

test('a box is pushed alone, not pulled, not through a wall', async () => {
  const env = await make('example/Sokoban-v0', { renderMode: 'ansi' });
  await env.reset({ seed: 3 });
  const before = env.render();
  const snapshot = await env.snapshot();
  for (let turn = 0; turn < 40; turn += 1) await env.step(turn % 4);
  const count = (text, letters) => [...text].filter((letter) => letters.includes(letter)).length;
  assert.deepEqual(
    ['#', '$*', '@+', '.*+'].map((each) => count(env.render(), each)),
    ['#', '$*', '@+', '.*+'].map((each) => count(before, each)),
  );
  await env.restore(snapshot);
  assert.equal(env.render(), before);
  await env.close();
});
