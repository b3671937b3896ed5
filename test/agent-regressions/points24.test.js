import { cassetteMiddleware } from '@vlgym/agents/cassette';
import { make } from '@vlgym/core';
import { expect, test } from 'vitest';
import '@vlgym/points24';
import '@vlgym/vitest';
import { cardPlayer } from './agents.mjs';

const agent = cardPlayer(cassetteMiddleware('points24.jsonl'));
const env = () => make('vlgym/Points24-v1', { options: { solvableOnly: true, size: { height: 60, width: 60 } } });

test('plays Points24 as well as it did', async () => {
  await expect(agent).toSolveAtLeastAsWellAs('recorded/points24', { env });
});
