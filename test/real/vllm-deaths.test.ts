/** A real vLLM that dies while episodes are sampled: a replica takes over, or the run waits until it is started again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, type ModelTokenCodec, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import {
  type EpisodePlayer,
  FolderBlobs,
  LedgerFile,
  MemoryQueue,
  Orchestrator,
  readLedger,
  SamplerPlayer,
} from '@vlgym/queue';
import { AdapterPublisher, adapterName, RemoteSampler, Replicas, VllmEngine } from '@vlgym/queue/engines';
import { composeConfig } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import '@vlgym/points24';
import { home, type RealServer, reason, startVllm, toyFolder } from './servers.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

const EPISODES = 1000;
const LANES = 8;
const WAIT_MS = 1_800_000;

describe.skipIf(home === undefined)(`a real vLLM that dies${reason}`, () => {
  let codec: ModelTokenCodec;
  let policy: VlmPolicy;
  let work = '';
  const servers = new Set<RealServer>();
  beforeAll(async () => {
    setNumThreads(1);
    work = mkdtempSync(join(tmpdir(), 'vlgym-real-'));
    codec = await openTokenCodec({ model: toyFolder });
    policy = await createPolicy({ model: toyFolder, train: { lora: { r: 2, alpha: 4 } } });
  });
  afterAll(async () => {
    policy?.close();
    await Promise.all([...servers].map((server) => server.stop()));
    rmSync(work, { recursive: true, force: true });
  });

  async function launch(port?: number): Promise<RealServer> {
    const server = await startVllm(toyFolder, port);
    servers.add(server);
    return server;
  }

  async function kill(server: RealServer): Promise<void> {
    servers.delete(server);
    await server.stop();
  }

  /** A run over these servers. @param onEpisode  Called before each episode with the number of those that began. */
  async function openRun(name: string, started: readonly RealServer[], onEpisode: (began: number) => void) {
    const replicas = new Replicas(
      started.map(({ url }) => new VllmEngine({ url })),
      { absentMs: WAIT_MS },
    );
    const folder = join(work, name);
    const publisher = new AdapterPublisher({ replicas, folder: join(folder, 'adapters'), absentMs: WAIT_MS });
    await publisher.publish(0, (path) => policy.saveAdapter(path));
    const restoring = setInterval(() => void publisher.restore(), 1000);
    const inner = new SamplerPlayer({
      makeEnv: () => make('vlgym/EZPoints-v1', { options: { maxSteps: 2, size: { height: 56, width: 56 } } }),
      sampler: new RemoteSampler({ replicas, codec, model: () => adapterName(0), name }),
      config: composeConfig(z.strictObject(commonOptions), { rollout: { maxNewTokens: 4 } }),
      runSeed: 1,
    });
    let began = 0;
    const player: EpisodePlayer = {
      play: (order, signal) => {
        onEpisode(++began);
        return inner.play(order, signal);
      },
      close: () => inner.close(),
    };
    const blobs = new FolderBlobs(join(folder, 'blobs'));
    const orchestrator = await Orchestrator.open({
      queue: new MemoryQueue({ player, blobs, concurrency: LANES }),
      ledger: await LedgerFile.open(folder),
      blobs,
      plan: { run: name, seed: 1 },
      maxOpen: 2 * LANES,
    });
    const close = async () => {
      clearInterval(restoring);
      await orchestrator.close();
    };
    return { replicas, orchestrator, ledger: join(folder, 'ledger.jsonl'), close };
  }

  it('leaves its episodes to another replica, which goes on in the middle of them', async () => {
    const [dying, other] = await Promise.all([launch(), launch()]);
    let death: Promise<void> | undefined;
    const run = await openRun('replicas', [dying!, other!], (began) => {
      if (began === 20) death = kill(dying!);
    });
    const records = await run.orchestrator.take(60);
    await death;
    expect(records.map(({ order }) => order)).toEqual(Array.from({ length: 60 }, (_, order) => order));
    // no episode was played a second time: its requests went elsewhere
    expect(records.filter(({ attempt, digest }) => attempt !== 1 || digest === null)).toEqual([]);
    expect(run.replicas.isServing(run.replicas.engines[1]!)).toBe(true);
    await run.close();
    await kill(other!);
  });

  it(`counts each of ${EPISODES} episodes once, with its process killed three times`, async () => {
    let server = await launch();
    const deaths: Promise<void>[] = [];
    const run = await openRun('deaths', [server], (began) => {
      if (![200, 500, 800].includes(began)) return;
      const { port } = server;
      deaths.push(
        kill(server).then(async () => {
          server = await launch(port);
        }),
      );
    });
    const records = await run.orchestrator.take(EPISODES);
    await Promise.all(deaths);
    expect(deaths).toHaveLength(3);
    expect(records.map(({ order }) => order)).toEqual(Array.from({ length: EPISODES }, (_, order) => order));
    expect(records.filter(({ digest, steps }) => digest === null || steps === 0)).toEqual([]);
    expect(run.orchestrator.counts).toMatchObject({ counted: EPISODES, abandoned: 0, duplicates: 0, open: 0 });
    await run.close();
    expect((await readLedger(run.ledger)).size).toBe(EPISODES);
  });
});
