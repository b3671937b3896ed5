import { expect, it, vi } from 'vitest';
import { MetricsTally } from '../diagnostics/metrics.js';
import type { Ranks } from '../training/ranks.js';
import { RelayedSource } from './relayed-source.js';
import type { RolloutSource } from './source.js';

function relay(collectSteps: RolloutSource['collectSteps'], gather: Ranks['gather']) {
  const source = { collectSteps } as RolloutSource;
  const ranks: Ranks = { rank: 0, size: 2, gather };
  return new RelayedSource({ ranks, source, dialogue: {} as never, identity: {} });
}

it('collects nothing under an aborted signal', async () => {
  const collect = vi.fn(async () => Promise.reject(new Error('nobody waits for this')));
  const relayed = relay(collect, async (value) => [value]);
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(relayed.collectSteps({ stepsPerUpdate: 1, metrics: new MetricsTally(), signal })).rejects.toThrow(
    'stopped',
  );
  expect(collect).not.toHaveBeenCalled();
});
