import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate } from '@vlgym/agents';
import '@vlgym/points24';
import agent from './index.js';

test('solves most hands of EZPoints', async () => {
  const { successRate, excluded } = await evaluate({ env: 'vlgym/EZPoints-v1', agent, episodes: 20 });
  assert.equal(excluded, 0);
  assert.ok(successRate > 0.9, `success ${successRate}`);
});
