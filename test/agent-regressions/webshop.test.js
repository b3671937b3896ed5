import { cassetteMiddleware } from '@vlgym/agents/cassette';
import { make } from '@vlgym/core';
import { expect, test } from 'vitest';
import '@vlgym/vitest';
import '@vlgym/webshop';
import { shopper } from './agents.mjs';

const agent = shopper(cassetteMiddleware('webshop.jsonl'));
const env = () => make('vlgym/WebShop-v1', { options: { dialogue: 'tools-v1', catalog: { products: 100 } } });

test('shops as well as it did', async () => {
  await expect(agent).toSolveAtLeastAsWellAs('recorded/webshop', { env, maxSteps: 10 });
});
