import assert from 'node:assert/strict';
import { test } from 'node:test';
import algorithm from './index.js';

test('has its own defaults, and takes options over them', () => {
  assert.equal(algorithm().config.optimizer.epochs, 1);
  assert.equal(algorithm({ optimizer: { epochs: 3 } }).config.optimizer.epochs, 3);
});

test('refuses what it has no option for', () => {
  assert.throws(() => algorithm({ value: { coefficient: 1 } }), { code: 'INVALID_CONFIG' });
});
