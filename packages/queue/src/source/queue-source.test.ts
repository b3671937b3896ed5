/** A queue as the source of training: ragged batches in the order of the numbers, groups, resuming, and its replay. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingEnv } from '@vlgym/core/testing';
import { MetricsTally } from '@vlgym/rl';
import { tokenVersions } from '@vlgym/rl/rollout';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config, WordSampler } from '../../test/word-sampler.js';
import { FolderBlobs } from '../blobs/blob-store.js';
import { MemoryLedger } from '../ledger/ledger.js';
import { LedgerFile, readLedger } from '../ledger/ledger-file.js';
import { MemoryQueue } from '../memory/memory-queue.js';
import { ReplayQueue } from '../memory/replay-queue.js';
import type { OrchestratorEvent } from '../orchestrator/events.js';
import { Orchestrator } from '../orchestrator/orchestrator.js';
import { type EpisodePlayer, SamplerPlayer } from '../worker/player.js';
import { QueueSource } from './queue-source.js';

vi.setConfig({ testTimeout: 240_000 });

let folder: string;
let open: QueueSource[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-source-'));
});
afterEach(async () => {
  await Promise.all(open.map((source) => source.close()));
  open = [];
  await rm(folder, { recursive: true, force: true });
});

const makeEnv = () => new CountingEnv({ maxTarget: 5 });

interface Options {
  readonly policy?: { version: number };
  readonly groupSize?: number;
  readonly maxStaleness?: number;
  readonly wrap?: (player: EpisodePlayer) => EpisodePlayer;
  readonly home?: string;
  readonly onEvent?: (event: OrchestratorEvent) => void;
}

async function sourceOf({
  policy,
  groupSize = 1,
  maxStaleness = 0,
  wrap = (player) => player,
  home,
  onEvent,
}: Options = {}) {
  const blobs = new FolderBlobs(join(home ?? folder, 'blobs'));
  const sampler = new WordSampler();
  const player = wrap(new SamplerPlayer({ makeEnv, sampler, config, runSeed: 3 }));
  const orchestrator = await Orchestrator.open({
    queue: new MemoryQueue({ player, blobs, concurrency: 3 }),
    ledger: await LedgerFile.open(home ?? folder),
    plan: { run: 'source', seed: 3, groupSize },
    blobs,
    reconcileMs: 0,
    maxStaleness,
    onEvent,
  });
  const { dialogue } = makeEnv();
  const source = new QueueSource({
    orchestrator,
    blobs,
    dialogue,
    groupSize,
    episodesPerRound: 4,
    policy: policy ?? { version: 0 },
  });
  open.push(source);
  return source;
}

const collect = (source: QueueSource, stepsPerUpdate = 20) =>
  source.collectSteps({ stepsPerUpdate, metrics: new MetricsTally() });

describe('a source behind a queue', () => {
  it('gives whole episodes, marked as sampled elsewhere, and leaves old log-probs to the learner', async () => {
    const { steps, trajectories, episodes, sampler } = await collect(await sourceOf());
    expect(sampler).toBe('remote');
    expect(steps.length).toBeGreaterThanOrEqual(20);
    expect(trajectories.flat().toSorted((a, b) => a - b)).toEqual(steps.map((_, row) => row));
    expect(new Set(trajectories.map(({ length }) => length)).size).toBeGreaterThan(1);
    for (const rows of trajectories) {
      expect(rows.map((row) => steps[row]!.stepIndex)).toEqual(rows.map((_, index) => index));
      expect(steps[rows.at(-1)!]!.terminated).toBe(true);
    }
    expect(episodes.map(({ id }) => id)).toEqual(episodes.map((_, order) => `order-${order}`));
    for (const step of steps) {
      expect(step.oldLogProbs).toBeUndefined();
      expect(tokenVersions(step)).toEqual([{ version: '0', start: 0, end: step.responseIds.length }]);
    }
  });

  it('gives groups of one seed, and refuses a group size other than that of its plan', async () => {
    const source = await sourceOf({ groupSize: 2 });
    const metrics = new MetricsTally();
    const { steps, episodes } = await source.collectEpisodes({ groupSize: 2, stepsPerUpdate: 20, metrics });
    const seeds = new Map(episodes.map(({ id, seed }) => [id, seed]));
    for (const group of new Set(steps.map((step) => step.group))) {
      const members = new Set(steps.filter((step) => step.group === group).map(({ episodeId }) => episodeId));
      expect(members.size).toBe(2);
      expect(new Set([...members].map((id) => seeds.get(id))).size).toBe(1);
    }
    const other = source.collectEpisodes({ groupSize: 4, stepsPerUpdate: 20, metrics });
    await expect(other).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  it('refuses an algorithm that takes part in episodes', async () => {
    const source = await sourceOf({});
    const hooks = { onTurn: () => [] };
    const collecting = source.collectEpisodes({ groupSize: 1, stepsPerUpdate: 20, metrics: new MetricsTally(), hooks });
    await expect(collecting).rejects.toMatchObject({ code: 'HOOKS_UNSUPPORTED', value: ['onTurn'] });
  });

  it('26. gives a resumed run the same batches from its ledger, without playing again', async () => {
    const first = await sourceOf();
    await collect(first);
    const saved = JSON.parse(JSON.stringify(first.save()));
    const expected = [await collect(first), await collect(first)];
    await first.close();
    open = [];
    const played: number[] = [];
    const wrap = (player: EpisodePlayer): EpisodePlayer => ({
      play: (order) => {
        played.push(order.order);
        return player.play(order);
      },
    });
    const second = await sourceOf({ wrap });
    second.load(saved);
    expect([await collect(second), await collect(second)]).toEqual(expected);
    expect(played).toEqual([]);
  });

  it('plays an order again whose trajectory is gone when a run is resumed, instead of ending with BLOB_MISSING on every resume', async () => {
    const first = await sourceOf();
    await collect(first);
    const saved = JSON.parse(JSON.stringify(first.save()));
    const expected = await collect(first);
    await first.close();
    open = [];
    const path = join(folder, 'ledger.jsonl');
    const before = [...(await readLedger(path)).values()];
    const digests = new Map(before.map(({ order, digest }) => [order, digest!]));
    const blobs = new FolderBlobs(join(folder, 'blobs'));
    const lost = before.map(({ order }) => order).filter((order) => order >= saved.position && order % 2 === 0);
    const files = (await readdir(blobs.folder, { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
    for (const order of lost) {
      const { parentPath, name } = files.find((file) => digests.get(order) === `sha256:${file.name}`)!;
      await rm(join(parentPath, name));
    }
    const played: number[] = [];
    const events: OrchestratorEvent[] = [];
    const wrap = (player: EpisodePlayer): EpisodePlayer => ({
      play: (order, signal) => {
        played.push(order.order);
        return player.play(order, signal);
      },
    });
    const second = await sourceOf({ wrap, onEvent: (event) => events.push(event) });
    second.load(saved);
    expect(await collect(second)).toEqual(expected);
    expect(played.toSorted((a, b) => a - b)).toEqual(lost.toSorted((a, b) => a - b));
    expect(events.map(({ type }) => type)).toEqual(events.map(() => 'BLOB_MISSING'));
    expect(events.flatMap((event) => ('orders' in event ? event.orders : [])).toSorted((a, b) => a - b)).toEqual(
      lost.toSorted((a, b) => a - b),
    );
    expect(events[0]).toMatchObject({ problem: expect.stringMatching(/issued again.*--blobs/) });
    // each order once, and all of them readable: the next resume has nothing to mend
    const after = [...(await readLedger(path)).values()];
    expect(after.map(({ order }) => order)).toEqual(before.map(({ order }) => order));
    for (const { digest } of after) await blobs.get(digest!);
  });

  it('plays an order again whose trajectory was damaged when a run is resumed, instead of ending with BLOB_DAMAGED', async () => {
    const first = await sourceOf();
    await collect(first);
    const saved = JSON.parse(JSON.stringify(first.save()));
    const expected = await collect(first);
    await first.close();
    open = [];
    const damage = async (order: number, content: string) => {
      const { digest } = (await readLedger(join(folder, 'ledger.jsonl'))).get(order)!;
      const name = digest!.slice('sha256:'.length);
      await writeFile(join(folder, 'blobs', name.slice(0, 2), name), content);
    };
    const orders = [...(await readLedger(join(folder, 'ledger.jsonl'))).keys()].filter(
      (order) => order >= saved.position,
    );
    await damage(orders[0]!, 'flipped');
    await damage(orders.at(-1)!, '');
    const events: OrchestratorEvent[] = [];
    const metrics = new MetricsTally();
    const second = await sourceOf({ onEvent: (event) => events.push(event) });
    second.load(saved);
    const again = await second.collectSteps({ stepsPerUpdate: 20, metrics });
    expect(again).toEqual(expected);
    expect(events.map(({ type }) => type)).toEqual(events.map(() => 'BLOB_DAMAGED'));
    expect(events.flatMap((event) => ('orders' in event ? event.orders : []))).toEqual([orders[0], orders.at(-1)]);
    expect(events[0]).toMatchObject({ problem: expect.stringMatching(/issued again.*--blobs/) });
    expect(metrics.toMetrics()).toMatchObject({ 'queue/unreadable-orders': 2, 'queue/refused-entries': 0 });
    const blobs = new FolderBlobs(join(folder, 'blobs'));
    for (const { digest } of (await readLedger(join(folder, 'ledger.jsonl'))).values()) await blobs.get(digest!);
  });

  it('plays an order again whose trajectory cannot be parsed, and ends if no try helps', async () => {
    const swapped = new Set<number>();
    const wrap =
      (always: boolean) =>
      (player: EpisodePlayer): EpisodePlayer => ({
        play: async (order, signal) => {
          const episode = await player.play(order, signal);
          if (order.order !== 1 || (!always && swapped.has(1))) return episode;
          swapped.add(1);
          return { ...episode, steps: episode.steps.map((step) => ({ ...step, thoughtMask: new Uint8Array(999) })) };
        },
      });
    const events: OrchestratorEvent[] = [];
    const source = await sourceOf({ wrap: wrap(false), onEvent: (event) => events.push(event) });
    const plain = await sourceOf({ home: join(folder, 'plain') });
    expect(await collect(source)).toEqual(await collect(plain));
    expect(events).toEqual([
      { type: 'EPISODE_INVALID', orders: [1], problem: expect.stringContaining('same version of @vlgym/queue') },
    ]);
    const hopeless = await sourceOf({ wrap: wrap(true), home: join(folder, 'hopeless') });
    await expect(collect(hopeless)).rejects.toMatchObject({ code: 'EPISODE_INVALID' });
  });

  it('says that a replay is incomplete where a trajectory of its ledger is damaged, and what to do', async () => {
    const first = await sourceOf();
    await collect(first);
    await first.close();
    open = [];
    const blobs = new FolderBlobs(join(folder, 'blobs'));
    const ledger = new MemoryLedger();
    for (const record of (await readLedger(join(folder, 'ledger.jsonl'))).values()) await ledger.append(record);
    const name = ledger.get(2)!.digest!.slice('sha256:'.length);
    await writeFile(join(blobs.folder, name.slice(0, 2), name), 'flipped');
    const plan = { run: 'source', seed: 3 };
    const orchestrator = await Orchestrator.open({ queue: new ReplayQueue(), ledger, plan });
    const { dialogue } = makeEnv();
    const source = new QueueSource({ orchestrator, blobs, dialogue, episodesPerRound: 4, policy: { version: 0 } });
    open.push(source);
    await expect(collect(source)).rejects.toMatchObject({
      code: 'REPLAY_INCOMPLETE',
      message: expect.stringMatching(/order 2 .*BLOB_DAMAGED/),
      hint: expect.stringMatching(/--blobs.*--resume/),
    });
  });

  it('23. never gives an order that is staler than the bound, whatever the delays', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3 }),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 40 }),
        async (maxStaleness, delays) => {
          const policy = { version: 0 };
          const issued = new Map<number, number>();
          const wrap = (player: EpisodePlayer): EpisodePlayer => ({
            play: async (order, signal) => {
              issued.set(order.order, order.minVersion);
              for (let turn = delays[order.order % delays.length]!; turn > 0; turn--) {
                await new Promise((resolve) => setImmediate(resolve));
              }
              return player.play(order, signal);
            },
          });
          const home = join(folder, String(runs++));
          const source = await sourceOf({ policy, maxStaleness, wrap, home });
          // one round per batch, so that a batch is one update
          for (let update = 0; update < 6; update++) {
            policy.version = update;
            const { episodes } = await collect(source, 1);
            for (const { id } of episodes) {
              const version = issued.get(Number(id.slice('order-'.length)))!;
              expect(update - version).toBeLessThanOrEqual(maxStaleness);
            }
          }
        },
      ),
      { numRuns: 12, seed: 1 },
    );
  });

  it('ends when every order of several rounds was abandoned', async () => {
    const wrap = (): EpisodePlayer => ({ play: () => Promise.reject(new Error('BROKEN')) });
    const source = await sourceOf({ wrap });
    const orchestrated = collect(source);
    await expect(orchestrated).rejects.toMatchObject({ code: 'NO_EPISODES' });
  });
});
