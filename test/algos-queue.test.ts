/**
 * Training from a queue with a real policy: no staleness is the plain loop bit for bit, a ledger replays bit for bit, stale
 * steps are withheld from the policy loss, and learning goes on four rounds ahead (tests 22, 24, 26 and 27 of the scaling
 * plan; 23 is beside the source).
 */
import { type AnyEnv, make } from '@vlgym/core';
import { threadEnvs } from '@vlgym/core/vector';
import { mergeable } from '@vlgym/gtr-turbo';
import '@vlgym/points24';
import {
  BatchingSampler,
  generatorOf,
  MemoryBlobs,
  MemoryLedger,
  MemoryQueue,
  Orchestrator,
  planOf,
  QueueSource,
  ReplayQueue,
  SamplerPlayer,
} from '@vlgym/queue';
import {
  type Alarm,
  type AlgorithmOverrides,
  type Policy,
  type RolloutSource,
  type TrainOptions,
  train,
  type UpdateRecord,
} from '@vlgym/rl';
import { BufferBuilder, type CollectOptions, type OpenSource, playEpisode, type SourceParts } from '@vlgym/rl/rollout';
import { vlDac } from '@vlgym/vl-dac';
import { expect, it, vi } from 'vitest';
import { BanditEnv, CorridorEnv, smallPolicy, teachLetters } from './algos-tasks.js';

vi.setConfig({ testTimeout: 900_000 });

const SEED = 3;
const RUN = { run: 'test', seed: SEED } as const;
const ROUND = 4;
/** Without pictures: a queue keeps each picture of an episode once, so that their batches differ, and so does rounding. */
const makeEnv = (): AnyEnv => new CorridorEnv();

/** Samplers that are faster than the learner: what was issued ahead is played before the learner begins. */
class EagerQueue extends MemoryQueue {
  override async status() {
    for (;;) {
      const status = await super.status();
      if (status.waiting + status.active === 0) return status;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

interface QueueOptions {
  readonly maxStaleness?: number;
  /** Limit of the source alone; default that of the orchestrator. */
  readonly allowed?: number;
  readonly maxRows?: number;
  readonly ledger?: MemoryLedger;
  readonly blobs?: MemoryBlobs;
  readonly replay?: boolean;
  readonly round?: number;
  readonly env?: () => AnyEnv;
}

/** The queue of one process. */
function queueSource(options: QueueOptions = {}): OpenSource {
  const { maxStaleness = 0, allowed = maxStaleness, maxRows = 1, round = ROUND, env = makeEnv } = options;
  const { ledger = new MemoryLedger(), blobs = new MemoryBlobs(), replay = false } = options;
  return async ({ policy, config }: SourceParts) => {
    const sampler = new BatchingSampler(policy, { maxRows });
    const player = new SamplerPlayer({ makeEnv: env, sampler, config, runSeed: SEED });
    const queue = replay ? new ReplayQueue() : new EagerQueue({ player, blobs, concurrency: 3 });
    const pace = replay ? 0 : maxStaleness;
    const orchestrator = await Orchestrator.open({ queue, ledger, plan: RUN, maxStaleness: pace });
    return new QueueSource({
      ...{ orchestrator, blobs, policy },
      dialogue: env().dialogue!,
      episodesPerRound: round,
      maxStaleness: allowed,
      sampler: maxStaleness > 0 ? 'remote' : 'in-process',
    });
  };
}

/** The same orders without a queue: one after the other, each played to its end. */
class PlainSource implements RolloutSource {
  readonly dialogue = makeEnv().dialogue!;
  #order = 0;
  constructor(readonly parts: SourceParts) {}

  async collectSteps({ stepsPerUpdate }: CollectOptions) {
    const { policy: sampler, config } = this.parts;
    const buffer = new BufferBuilder();
    while (buffer.size < stepsPerUpdate) {
      for (let index = 0; index < ROUND; index++) {
        const order = this.#order++;
        const { seed } = planOf(RUN)(order);
        const rng = generatorOf(SEED, order);
        const { steps, summary } = await playEpisode({ env: makeEnv(), sampler, config, seed, rng });
        for (const step of steps) buffer.add(order, { ...step, episodeId: `order-${order}` }, summary.taskKey);
        buffer.addEpisode(summary);
      }
    }
    return buffer.build();
  }

  collectEpisodes(options: CollectOptions) {
    return this.collectSteps(options);
  }

  save() {
    return {};
  }

  load() {}
}

const QUICK: AlgorithmOverrides = {
  rollout: { maxNewTokens: 4 },
  value: { warmupUpdates: 0 },
  optimizer: { epochs: 2, batch: 8, microBatch: 3, learningRate: { initial: 1e-3, final: 1e-3 } },
};

async function run(openSource: OpenSource, options: Partial<TrainOptions> = {}) {
  const policy = options.policy ?? (await smallPolicy({ seed: 1 }));
  const records: UpdateRecord[] = [];
  const alarms: Alarm[] = [];
  await train({
    algorithm: vlDac(QUICK),
    makeEnv,
    updates: 3,
    stepsPerUpdate: 24,
    numEnvs: ROUND,
    seed: SEED,
    openSource,
    onMetrics: (record) => records.push(record),
    onAlarm: (alarm) => alarms.push(alarm),
    ...options,
    policy,
  });
  return { records, alarms, policy };
}

/** Without what is measured. */
const lasting = (records: readonly UpdateRecord[], others = /^$/) =>
  records.map(({ metrics, ...record }) => {
    const isLasting = ([name]: [string, number]) => !/^(time|queue)\//.test(name) && !others.test(name);
    return { ...record, metrics: Object.fromEntries(Object.entries(metrics).filter(isLasting)) };
  });

it('22. without staleness gives the metrics of the plain loop, bit for bit', async () => {
  const plain = await run((parts) => new PlainSource(parts));
  const queued = await run(queueSource());
  expect(lasting(queued.records, /^async\//)).toEqual(lasting(plain.records));
  expect(queued.records.map(({ metrics }) => metrics['async/staleness-max'])).toEqual([0, 0, 0]);
  expect(await queued.policy.weightsDigest!()).toBe(await plain.policy.weightsDigest!());
  queued.policy.close();
  plain.policy.close();
});

it('26. learns from a ledger again with the same metrics and weights, bit for bit', async () => {
  const ledger = new MemoryLedger();
  const blobs = new MemoryBlobs();
  const common = { maxStaleness: 1, maxRows: 64, ledger, blobs };
  const first = await run(queueSource(common));
  expect(Math.max(...first.records.map(({ metrics }) => metrics['async/staleness-max']!))).toBe(1);
  const second = await run(queueSource({ ...common, replay: true }));
  expect(lasting(second.records)).toEqual(lasting(first.records));
  expect(await second.policy.weightsDigest!()).toBe(await first.policy.weightsDigest!());
  first.policy.close();
  second.policy.close();
  // an update more than was learned needs orders that nobody played
  const policy = await smallPolicy({ seed: 1 });
  const longer = run(queueSource({ ...common, replay: true }), { policy, updates: 20 });
  await expect(longer).rejects.toMatchObject({ code: 'REPLAY_ENDED' });
  policy.close();
});

it('24. withholds steps beyond the bound from the policy loss, counts them, and trains the critic on them', async () => {
  const before = await smallPolicy({ seed: 1 });
  const start = bytesOf(before);
  before.close();
  const { records, alarms, policy } = await run(queueSource({ maxStaleness: 1, allowed: 0 }), { updates: 1 });
  expect(records[0]!.metrics).toMatchObject({ 'async/withheld-share': 0, 'advantage/trained-share': 1 });
  expect(alarms.map(({ code }) => code)).not.toContain('STALE_WITHHELD');
  expect(bytesOf(policy)).not.toEqual(start);
  policy.close();
  const later = await run(queueSource({ maxStaleness: 1, allowed: 0 }), { updates: 2 });
  const { metrics } = later.records[1]!;
  expect(metrics['async/withheld-share']).toBeGreaterThan(0.1);
  expect(metrics['advantage/trained-share']).toBeCloseTo(1 - metrics['async/withheld-share']!, 12);
  expect(later.alarms.map(({ code }) => code)).toContain('STALE_WITHHELD');
  expect(metrics['loss/value']).toBeGreaterThan(0);
  later.policy.close();
});

function bytesOf(policy: Policy): unknown {
  const state = mergeable(policy).adapterState();
  const data = [...state].map(([name, tensor]) => [name, tensor.toArray()]);
  for (const tensor of state.values()) tensor.dispose();
  return data;
}

it('27. learns four rounds ahead with truncated weights; without them and without a clip it raises an alarm', async () => {
  const env = () => new BanditEnv();
  const lesson = { contexts: 4, actions: 4, right: (context: number) => context, hint: 0.5, steps: 100 };
  const course = async (overrides: AlgorithmOverrides, rate: number, updates: number) => {
    const policy = await smallPolicy({ seed: 0 });
    await teachLetters(policy, { ...lesson, env: env() });
    const learningRate = { initial: rate, final: rate / 4, period: updates };
    const result = await run(queueSource({ maxStaleness: 4, maxRows: 64, round: 64, env }), {
      policy,
      algorithm: vlDac({
        rollout: { maxNewTokens: 3 },
        value: { warmupUpdates: 1 },
        optimizer: { epochs: 4, batch: 128, microBatch: 128, learningRate },
        ...overrides,
      }),
      makeEnv: env,
      updates,
      stepsPerUpdate: 128,
      numEnvs: 64,
    });
    policy.close();
    return result;
  };
  const corrected = await course({}, 4e-3, 20);
  const rewards = corrected.records.map(({ metrics }) => metrics['rollout/reward-mean']!);
  expect(Math.max(...corrected.records.map(({ metrics }) => metrics['async/staleness-max']!))).toBeGreaterThan(1);
  expect(rewards[0]).toBeLessThan(0.75);
  expect(rewards.slice(-3).reduce((sum, reward) => sum + reward, 0) / 3).toBeGreaterThan(0.9);
  const loose = { correction: { kind: 'none' }, loss: { clipLow: 1e3, clipHigh: 1e3 } };
  const uncorrected = await course(loose, 2e-2, 6);
  expect(uncorrected.alarms.map(({ code }) => code)).toContain('WEIGHTS_UNEVEN');
});

it('environments in threads give the metrics of environments in this process, bit for bit', async () => {
  const env = 'vlgym/NumberLine-v1';
  const logs = [];
  for (const makeSome of [async () => (await make(env)) as AnyEnv, threadEnvs(env, { threads: 2 })]) {
    const policy = await smallPolicy({ seed: 1 });
    const records: UpdateRecord[] = [];
    await train({
      policy,
      algorithm: vlDac(QUICK),
      makeEnv: makeSome,
      updates: 1,
      stepsPerUpdate: 8,
      numEnvs: 4,
      seed: SEED,
      onMetrics: (record) => records.push(record),
    });
    logs.push([lasting(records), await policy.weightsDigest()]);
    policy.close();
  }
  expect(logs[1]).toEqual(logs[0]);
});
