/**
 * A worker outlives the learner that samples for it: one that is started again listens on another port, and the worker
 * follows it there (a real Redis; skipped visibly without it).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make } from '@vlgym/core';
import { openTokenCodec } from '@vlgym/models';
import { LedgerFile, Orchestrator, RedisQueue, SamplingServer } from '@vlgym/queue';
import { definitionToJson } from '@vlgym/queue/redis';
import type { RolloutSampler } from '@vlgym/rl/rollout';
import { afterEach, describe, expect, it } from 'vitest';
import { hasRedis, RedisServer, reason } from '../../../../packages/queue/test/redis-server.js';
import '@vlgym/points24';
import { openWorker } from './worker-of-run.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Answers every prompt with two tokens, and counts. */
class CountingPolicy implements RolloutSampler {
  readonly version = 0;
  requests = 0;
  encode(): never {
    throw new Error('prompts come over HTTP');
  }
  async sample(inputs: Parameters<RolloutSampler['sample']>[0]) {
    this.requests += inputs.length;
    return inputs.map(({ promptIds }) => ({
      text: '',
      tokenIds: Int32Array.of(5, 6),
      behaviorLogProbs: Float32Array.of(-1, -1),
      tokenEnds: Int32Array.of(0, 0),
      finishReason: 'stop' as const,
      promptTokenIds: promptIds,
    }));
  }
}

describe.skipIf(!hasRedis)(`a worker of a run${reason}`, () => {
  it('plays with the learner that was started again, which listens on another port', async () => {
    const home = await mkdtemp(join(tmpdir(), 'vlgym-worker-'));
    cleanups.push(() => rm(home, { recursive: true, force: true }));
    const redis = await RedisServer.start();
    cleanups.push(() => redis.stop());
    const { url } = redis;
    const codec = await openTokenCodec({ preset: 'tiny' });
    const env = await make('vlgym/NumberLine-v1');
    const { spec } = env;
    await env.close();
    const run = 'restarted';

    /** A learner until `stop`. */
    const learner = async () => {
      const policy = new CountingPolicy();
      const server = await SamplingServer.start({ policy, tokens: codec });
      const sampler = {
        engine: 'vllm' as const,
        urls: [server.urlFor()],
        preset: 'tiny',
        tokenizerSha256: codec.tokenizerSha256,
        rollout: {},
        reward: {},
        stateKeys: false,
      };
      const definition = definitionToJson({ env: spec!, seed: 1, player: { sampler } });
      const ledger = await LedgerFile.open(home);
      const queue = new RedisQueue({ url, run, owner: ledger.id, definition });
      const orchestrator = await Orchestrator.open({ queue, ledger, plan: { run, seed: 1 }, maxOpen: 1 });
      await orchestrator.publish(0);
      const stop = async () => {
        await orchestrator.close();
        await server.close();
      };
      return { policy, orchestrator, stop };
    };

    const first = await learner();
    const worker = await openWorker({
      ...{ url, run, blobs: join(home, 'blobs'), name: 'w', concurrency: 1, say: () => {} },
      ...{ graceSeconds: 1, waitSeconds: 10, leaseSeconds: 30 },
    });
    cleanups.push(() => worker.drain());
    expect(await first.orchestrator.take(1)).toMatchObject([
      { order: 0, outcome: expect.stringMatching(/ok|truncated/) },
    ]);
    await first.stop();
    const asked = first.policy.requests;
    expect(asked).toBeGreaterThan(0);

    const second = await learner();
    cleanups.push(() => second.stop());
    second.orchestrator.resume(1);
    const records = await second.orchestrator.take(1);
    expect(records).toMatchObject([{ order: 1, outcome: expect.stringMatching(/ok|truncated/) }]);
    expect(second.policy.requests).toBeGreaterThan(0);
    expect(first.policy.requests).toBe(asked);
  }, 240_000);
});
