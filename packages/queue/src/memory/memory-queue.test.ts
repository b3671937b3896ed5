/** The ledger, the blob store, the queue without a server, and an orchestrator that dies between every pair of steps. */
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingEnv } from '@vlgym/core/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { config, WordSampler } from '../../test/word-sampler.js';
import { FolderBlobs, MemoryBlobs } from '../blobs/blob-store.js';
import { episodeFromBytes, episodeToBytes } from '../blobs/episode-bytes.js';
import { NoHealthyReplicaError } from '../engines/errors.js';
import { MemoryLedger } from '../ledger/ledger.js';
import { LedgerFile, readLedger } from '../ledger/ledger-file.js';
import type { LedgerRecord } from '../ledger/record.js';
import type { OrchestratorEvent } from '../orchestrator/events.js';
import type { CollectorPoint } from '../orchestrator/options.js';
import { Orchestrator } from '../orchestrator/orchestrator.js';
import { planOf } from '../order.js';
import { type EpisodePlayer, SamplerPlayer } from '../worker/player.js';
import { MemoryQueue } from './memory-queue.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-queue-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const plan = { run: 'test', seed: 5 } as const;
const playerOf = () =>
  new SamplerPlayer({
    makeEnv: () => new CountingEnv({ maxTarget: 3 }),
    sampler: new WordSampler(),
    config,
    runSeed: plan.seed,
  });

async function play(order: number) {
  const player = playerOf();
  return player.play({ ...planOf(plan)(order), minVersion: 0, epoch: 1 });
}

const record = (order: number): LedgerRecord => ({
  order,
  group: order,
  index: 0,
  seed: 1,
  outcome: 'ok',
  digest: null,
  steps: 0,
  tokens: 0,
  policyVersions: [],
  attempt: 1,
  worker: 'w',
  startedAt: 0,
  endedAt: 0,
});

describe('orders', () => {
  it('mean the same on every machine, and groups share a seed', () => {
    const grouped = planOf({ ...plan, groupSize: 4 });
    const orders = Array.from({ length: 12 }, (_, order) => grouped(order));
    expect(orders).toEqual(Array.from({ length: 12 }, (_, order) => planOf({ ...plan, groupSize: 4 })(order)));
    expect(orders.map(({ group }) => group)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    expect(new Set(orders.map(({ seed }) => seed)).size).toBe(3);
  });

  it.each(['', 'a:b', 'ä', '-a', 'a'.repeat(65)])('refuse the run name %j, which cannot be part of a key', (run) => {
    expect(() => planOf({ run, seed: 1 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('episodes as bytes', () => {
  it('come back exactly, log-probs in every bit', async () => {
    const episode = await play(3);
    const place = { id: episode.summary.id, environment: 0 };
    const back = episodeFromBytes(episodeToBytes(episode), place);
    expect(back).toEqual(episode);
    const constraint = { kind: 'actions', maxTokens: 9, without: null, endings: ['count'] } as const;
    const steps = episode.steps.map((step) => ({ ...step, input: { ...step.input, constraint } }));
    expect(episodeFromBytes(episodeToBytes({ ...episode, steps }), place).steps).toEqual(steps);
  });

  it('are equal for equal orders and named by their content', async () => {
    const store = new MemoryBlobs();
    const [a, b, other] = [await play(3), await play(3), await play(4)];
    const names = await Promise.all([a, b, other].map((episode) => store.put(episodeToBytes(episode))));
    expect(names[0]).toBe(names[1]);
    expect(names[0]).not.toBe(names[2]);
  });

  it('are refused whatever was done to them, with a stable code', async () => {
    const bytes = episodeToBytes(await play(1));
    const codes = new Set<string>();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const damaged = bytes.slice(0, bytes.length);
        damaged[at] = value;
        try {
          episodeFromBytes(damaged, { id: 'x', environment: 0 });
        } catch (error) {
          codes.add((error as { code: string }).code);
        }
      }),
      { numRuns: 300, seed: 1 },
    );
    expect([...codes]).toEqual(['EPISODE_INVALID']);
  });
});

describe('the blob store', () => {
  it('notices that a trajectory was changed or is missing', async () => {
    const store = new FolderBlobs(folder);
    const digest = await store.put(new TextEncoder().encode('episode'));
    expect(new TextDecoder().decode(await store.get(digest))).toBe('episode');
    const name = digest.slice(7);
    await writeFile(join(folder, name.slice(0, 2), name), 'other');
    await expect(store.get(digest)).rejects.toMatchObject({ code: 'BLOB_DAMAGED' });
    await expect(store.get(`sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
  });

  it('removes old blobs that no ledger names, and no others', async () => {
    const store = new FolderBlobs(folder);
    const [used, orphan] = await Promise.all(['a', 'b'].map((text) => store.put(new TextEncoder().encode(text))));
    const later = Date.now() + 1000;
    expect(await store.removeOrphans(new Set([used!]), 10_000, later)).toBe(0);
    expect(await store.removeOrphans(new Set([used!]), 500, later)).toBe(1);
    await store.get(used!);
    await expect(store.get(orphan!)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
  });
});

describe('the ledger file', () => {
  it('counts an order once, also after it was opened again', async () => {
    const first = await LedgerFile.open(folder);
    expect(await first.append(record(0))).toBe(true);
    expect(await first.append(record(0))).toBe(false);
    await first.close();
    const second = await LedgerFile.open(folder);
    expect(await second.append(record(0))).toBe(false);
    expect(await second.append(record(1))).toBe(true);
    await second.close();
    expect([...(await readLedger(join(folder, 'ledger.jsonl'))).keys()]).toEqual([0, 1]);
  });

  it('refuses the folder of another run', async () => {
    await (await LedgerFile.open(folder, { run: 'a', seed: 1 })).close();
    await (await LedgerFile.open(folder, { seed: 1, run: 'a' })).close();
    await expect(LedgerFile.open(folder, { run: 'a', seed: 2 })).rejects.toMatchObject({ code: 'LEDGER_MISMATCH' });
  });

  it('repairs a torn last line, and refuses an order that occurs twice', async () => {
    const ledger = await LedgerFile.open(folder);
    await ledger.append(record(0));
    await ledger.append(record(1));
    await ledger.close();
    const path = join(folder, 'ledger.jsonl');
    const text = await readFile(path, 'utf8');
    await truncate(path, text.length - 10);
    const repaired = await LedgerFile.open(folder);
    expect(repaired.size).toBe(1);
    await repaired.close();
    await writeFile(path, text.split('\n')[0]!.concat('\n').repeat(2));
    await expect(LedgerFile.open(folder)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
  });
});

async function orchestrate({
  player = playerOf(),
  onPoint,
  events = [],
}: {
  player?: EpisodePlayer;
  onPoint?: (point: CollectorPoint) => void;
  events?: OrchestratorEvent[];
} = {}) {
  const blobs = new FolderBlobs(join(folder, 'blobs'));
  const queue = new MemoryQueue({ player, blobs, concurrency: 4 });
  const ledger = await LedgerFile.open(folder);
  const orchestrator = await Orchestrator.open({
    queue,
    ledger,
    plan,
    reconcileMs: 0,
    onEvent: (event) => events.push(event),
    ...(onPoint && { onPoint }),
  });
  return { orchestrator, ledger, blobs };
}

describe('the orchestrator', () => {
  it('gives batches in the order of the numbers, whoever finished first', async () => {
    const inner = playerOf();
    const started: number[] = [];
    let release = () => {};
    const others = new Promise<void>((resolve) => {
      release = resolve;
    });
    const player: EpisodePlayer = {
      play: async (order) => {
        started.push(order.order);
        if (order.order === 0) await others;
        if (order.order === 7) release();
        return inner.play(order);
      },
    };
    const { orchestrator } = await orchestrate({ player });
    expect((await orchestrator.take(8)).map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(started).toHaveLength(8);
    expect(orchestrator.counts).toMatchObject({ issued: 8, counted: 8, open: 0, duplicates: 0 });
    await orchestrator.close();
  });

  it('gives an order up that always fails, says why, and finishes the others', async () => {
    const inner = playerOf();
    const player: EpisodePlayer = {
      play: (order) => (order.order === 2 ? Promise.reject(new Error('BROKEN: no wall')) : inner.play(order)),
    };
    const events: OrchestratorEvent[] = [];
    const { orchestrator } = await orchestrate({ player, events });
    const records = await orchestrator.take(4);
    expect(records.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'abandoned', 'ok']);
    expect(records[2]).toMatchObject({ reason: 'BROKEN: no wall', seed: planOf(plan)(2).seed });
    expect(events).toContainEqual(expect.objectContaining({ type: 'ABANDONED' }));
    await orchestrator.close();
  });

  it('ends a run whose samplers are all down instead of learning from nothing', async () => {
    const player: EpisodePlayer = { play: () => Promise.reject(new Error('NO_HEALTHY_REPLICA: none answered')) };
    const { orchestrator } = await orchestrate({ player });
    await expect(orchestrator.take(3)).rejects.toMatchObject({ code: 'NO_HEALTHY_SAMPLER' });
    await orchestrator.close();
  });

  it('plays what no sampler could play when the run is started again', async () => {
    const down: EpisodePlayer = { play: () => Promise.reject(new Error('NO_HEALTHY_REPLICA: none answered')) };
    const first = await orchestrate({ player: down });
    await expect(first.orchestrator.take(3)).rejects.toMatchObject({ code: 'NO_HEALTHY_SAMPLER' });
    await first.orchestrator.close();
    const second = await orchestrate();
    expect((await second.orchestrator.take(3)).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    await second.orchestrator.close();
  });

  it('ends a run whose samplers die in the middle of a batch, and plays the rest of it when started again', async () => {
    const inner = playerOf();
    const absent = new NoHealthyReplicaError(['vllm http://127.0.0.1:8000'], new Error('fetch failed'));
    const player: EpisodePlayer = {
      play: (order) => (order.order > 0 ? Promise.reject(absent) : inner.play(order)),
    };
    const first = await orchestrate({ player });
    await expect(first.orchestrator.take(4)).rejects.toMatchObject({ code: 'NO_HEALTHY_SAMPLER' });
    expect(first.orchestrator.counts).toMatchObject({ counted: 1, abandoned: 0 });
    await first.orchestrator.close();
    const second = await orchestrate();
    expect((await second.orchestrator.take(4)).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
    await second.orchestrator.close();
  });

  it('gives up a single order that a sampler refuses', async () => {
    const inner = playerOf();
    const refused = new Error('MODEL_HTTP_ERROR: the prompt is too long');
    const player: EpisodePlayer = {
      play: (order) => (order.order === 1 ? Promise.reject(refused) : inner.play(order)),
    };
    const { orchestrator } = await orchestrate({ player });
    expect((await orchestrator.take(3)).map(({ outcome }) => outcome)).toEqual(['ok', 'model-error', 'ok']);
    await orchestrator.close();
  });

  describe.each(['received', 'appended', 'acknowledged'] as const)('13. that dies when it has %s', (point) => {
    it.each([1, 2, 5])('loses nothing and counts nothing twice (death %i)', async (nth) => {
      let seen = 0;
      const dies = (at: CollectorPoint) => {
        if (at === point && ++seen === nth) throw Object.assign(new Error('dead'), { code: 'DEAD' });
      };
      const first = await orchestrate({ onPoint: dies });
      const outcome = await first.orchestrator.take(12).catch((error) => error.message);
      await first.orchestrator.close();
      const second = await orchestrate();
      const records = await second.orchestrator.take(12);
      expect(records.map(({ order }) => order)).toEqual(Array.from({ length: 12 }, (_, order) => order));
      for (const { digest } of records) await second.blobs.get(digest as never);
      await second.orchestrator.close();
      expect((await readLedger(join(folder, 'ledger.jsonl'))).size).toBe(12);
      if (nth === 1) expect(outcome).toBe('dead');
    });
  });

  it('22. issues no order of the next batch before this one is taken', async () => {
    const versions: number[] = [];
    const inner = playerOf();
    const player: EpisodePlayer = {
      play: (order) => {
        versions.push(order.minVersion);
        return inner.play(order);
      },
    };
    const queue = new MemoryQueue({ player, blobs: new MemoryBlobs(), concurrency: 3 });
    const orchestrator = await Orchestrator.open({ queue, ledger: new MemoryLedger(), plan });
    for (let version = 0; version < 4; version++) {
      await orchestrator.publish(version);
      await orchestrator.take(5);
    }
    expect(versions).toEqual([0, 1, 2, 3].flatMap((version) => Array(5).fill(version)));
    await orchestrator.close();
  });
});
