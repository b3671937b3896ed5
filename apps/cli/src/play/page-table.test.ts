import { type AgentContext, evaluate } from '@vlgym/agents';
import { turnFromAction } from '@vlgym/agents/model';
import { CountingEnv } from '@vlgym/core/testing';
import { expect, it } from 'vitest';
import { PageTable } from './page-table.js';
import { deferred } from './table.js';

it('lets the player act once, where two pages ask for the same turn', async () => {
  const thought = deferred<void>();
  let calls = 0;
  const act = async (context: AgentContext) => {
    calls += 1;
    await thought.promise;
    return turnFromAction(context, 0);
  };
  const table = new PageTable({ title: 'Counting', stage: {} }, { name: 'slow', act });
  table.begin(1);
  const stop = new AbortController();
  const { signal } = stop;
  const over = evaluate({ env: new CountingEnv(), agent: table.agent, episodes: 1, signal }).catch(() => undefined);
  const { turn } = await table.current();
  const asked = [table.move(turn, 'next'), table.move(turn, 'next')];
  thought.resolve();
  for (const shown of await Promise.all(asked)) {
    expect(shown).toMatchObject({ turn: turn + 1, view: { step: 1, past: [expect.anything()] } });
  }
  expect(calls).toBe(1);
  stop.abort();
  await over;
});
