import { expect, it } from 'vitest';
import { corridorContext } from '../../test-support/context.js';
import type { AgentContext, AnyAgent } from '../agent.js';
import { TurnBatcher } from './turn-batcher.js';

/** Records which episodes share a batch, and names each turn after its episode. */
function agent() {
  const batches: string[][] = [];
  const speak = ({ episodeId }: AgentContext) => ({ text: episodeId });
  const speaker: AnyAgent = {
    name: 'noted',
    act: speak,
    actBatch: (contexts) => {
      batches.push(contexts.map(({ episodeId }) => episodeId));
      return contexts.map(speak);
    },
  };
  return { speaker, batches };
}

const context = (seed: number) => corridorContext(seed) as unknown as AgentContext;

it('waits for every player, and orders turns by episode', async () => {
  const { speaker, batches } = agent();
  const batcher = new TurnBatcher(speaker, 3);
  const turns = [2, 0].map((order) => batcher.act(context(order), order));
  await Promise.resolve();
  expect(batches).toEqual([]);
  turns.push(batcher.act(context(1), 1));
  expect((await Promise.all(turns)).map(({ text }) => text)).toEqual(['seed-2', 'seed-0', 'seed-1']);
  expect(batches).toEqual([['seed-0', 'seed-1', 'seed-2']]);
});

it('does not wait for players that have left', async () => {
  const { speaker, batches } = agent();
  const batcher = new TurnBatcher(speaker, 2);
  const turn = batcher.act(context(0), 0);
  batcher.leave();
  expect((await turn).text).toBe('seed-0');
  expect(batches).toEqual([['seed-0']]);
});

it('rejects all turns of an aborted batch without a retry', async () => {
  let asked = 0;
  const speaker: AnyAgent = {
    name: 'broken',
    act: () => {
      asked += 1;
      return { text: '' };
    },
    actBatch: () => {
      controller.abort();
      return Promise.reject(new Error('stopped'));
    },
  };
  const controller = new AbortController();
  const batcher = new TurnBatcher(speaker, 2);
  const turns = [0, 1].map((order) => batcher.act({ ...context(order), signal: controller.signal }, order));
  for (const turn of turns) await expect(turn).rejects.toThrow('stopped');
  expect(asked).toBe(0);
});

it('starts no batch for episodes that were stopped while they waited', async () => {
  const { speaker, batches } = agent();
  const controller = new AbortController();
  const batcher = new TurnBatcher(speaker, 2);
  const turn = batcher.act({ ...context(0), signal: controller.signal }, 0);
  controller.abort(new Error('stopped'));
  batcher.leave();
  await expect(turn).rejects.toThrow('stopped');
  expect(batches).toEqual([]);
});
