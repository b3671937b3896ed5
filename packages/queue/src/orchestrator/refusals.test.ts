/** Entries of a queue that cannot count: they are named and dropped, and their orders are played again. */
import { CountingEnv } from '@vlgym/core/testing';
import { expect, it } from 'vitest';
import { config, WordSampler } from '../../test/word-sampler.js';
import { MemoryBlobs } from '../blobs/blob-store.js';
import { MemoryLedger } from '../ledger/ledger.js';
import { MemoryQueue } from '../memory/memory-queue.js';
import type { Delivery, Refusal } from '../rollout-queue.js';
import { SamplerPlayer } from '../worker/player.js';
import type { OrchestratorEvent } from './events.js';
import { Orchestrator } from './orchestrator.js';

const plan = { run: 'test', seed: 5 } as const;

/** Changes what it delivers, once per entry. */
class ChangingQueue extends MemoryQueue {
  readonly #seen = new Set<string>();

  constructor(
    blobs: MemoryBlobs,
    readonly change: (entry: Delivery) => Delivery | Refusal,
  ) {
    const makeEnv = () => new CountingEnv({ maxTarget: 3 });
    const player = new SamplerPlayer({ makeEnv, sampler: new WordSampler(), config, runSeed: plan.seed });
    super({ player, blobs, concurrency: 2 });
  }

  override async receive(limit: { readonly max: number; readonly waitMs: number }): Promise<(Delivery | Refusal)[]> {
    const entries = (await super.receive(limit)) as Delivery[];
    return entries.map((entry) => {
      if (this.#seen.has(entry.id)) return entry;
      this.#seen.add(entry.id);
      return this.change(entry);
    });
  }
}

async function playAll(change: (entry: Delivery) => Delivery | Refusal) {
  const blobs = new MemoryBlobs();
  const events: OrchestratorEvent[] = [];
  const orchestrator = await Orchestrator.open({
    queue: new ChangingQueue(blobs, change),
    ledger: new MemoryLedger(),
    plan,
    blobs,
    onEvent: (event) => events.push(event),
  });
  const records = await orchestrator.take(6);
  expect(records.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5]);
  for (const { digest } of records) await blobs.get(digest!);
  await orchestrator.close();
  return events.filter(({ type }) => type === 'REFUSED');
}

it('a trajectory that the learner cannot see does not count: its order is played again', async () => {
  const missing = `sha256:${'0'.repeat(64)}` as const;
  const refused = await playAll((entry) => ({
    ...entry,
    record: { ...entry.record, digest: missing, worker: 'lost' },
  }));
  expect(refused).toHaveLength(6);
  expect(refused[0]).toMatchObject({ problem: expect.stringMatching(/BLOB_MISSING.*worker lost/) });
});

it('a record of another run does not count', async () => {
  const refused = await playAll((entry) => ({ ...entry, record: { ...entry.record, seed: 1 } }));
  expect(refused).toHaveLength(6);
});

it('an entry that is not a record is named and dropped', async () => {
  const refused = await playAll(({ id, record }) =>
    record.order === 2 ? { id, order: 2, problem: 'it is not a record' } : { id, record },
  );
  expect(refused).toEqual([{ type: 'REFUSED', id: '2', order: 2, problem: 'it is not a record' }]);
});
