/** The targets that presets learn from, on buffers small enough to follow. */
import { Generator } from '@vlgym/core';
import {
  MetricsTally,
  type RolloutBuffer,
  type Run,
  type StepRecord,
  type TargetsOfUpdate,
  type Tensor,
} from '@vlgym/rl';
import type { LossBatch } from '@vlgym/rl/update';
import { expect, it } from 'vitest';
import { archer } from './critics/archer.js';
import { episodeWeights, weighted } from './groups/loop.js';
import { keepSuccesses, spear } from './groups/spear.js';
import { SuccessReplay } from './groups/spear-replay.js';
import { vinePpo } from './vineppo.js';

const LENGTH = 2;

function step(episodeId: string, more: Partial<StepRecord> = {}): StepRecord {
  return {
    environment: 0,
    episodeId,
    stepIndex: 0,
    policyVersion: 0,
    input: { promptIds: Int32Array.of(1, 2), images: [] },
    text: 'xA',
    responseIds: new Int32Array(LENGTH),
    tokenEnds: Int32Array.of(1, 2),
    thoughtMask: Uint8Array.of(1, 0),
    actionMask: Uint8Array.of(0, 1),
    behaviorLogProbs: new Float32Array(LENGTH),
    entropies: new Float32Array(LENGTH),
    parsed: { thought: 'x', actionText: 'A', legal: true, formatValid: true, spans: { action: [1, 2] } },
    fallback: false,
    lengthTruncated: false,
    reward: { environment: 0, format: 0 },
    terminated: true,
    truncated: false,
    value: 0,
    nextValue: 0,
    ...more,
  };
}

const bufferOf = (steps: readonly StepRecord[]): RolloutBuffer => ({
  steps,
  trajectories: steps.map((_, row) => [row]),
  episodes: [],
  taskKeys: [],
});

/** A model of numbers alone: every log-probability is 0. */
const policy = {
  version: 0,
  score: async (sequences: readonly { responseIds: Int32Array }[]) => ({
    logProbs: sequences.map(({ responseIds }) => new Float32Array(responseIds.length)),
    entropies: sequences.map(({ responseIds }) => new Float32Array(responseIds.length)),
    values: new Float32Array(sequences.length),
    states: sequences.map((_, i) => Float32Array.of(i, 1)),
  }),
  sample: async (inputs: readonly unknown[]) =>
    inputs.map(() => ({
      text: 'xA',
      tokenIds: new Int32Array(LENGTH),
      tokenEnds: Int32Array.of(1, 2),
      behaviorLogProbs: new Float32Array(LENGTH),
      finishReason: 'stop',
      value: 0,
    })),
  encodeResponse: () => ({ ids: new Int32Array(LENGTH), tokenEnds: Int32Array.of(1, 2) }),
};

const SEEN = new Error('seen');

/** The targets of an update, which ends before any weight moves. */
async function targetsOf(
  algorithm: { config: unknown; open?: unknown; update: (run: never) => Promise<unknown> },
  buffer: RolloutBuffer,
  more: object = {},
): Promise<Omit<TargetsOfUpdate, 'update'>> {
  let found: Omit<TargetsOfUpdate, 'update'> | undefined;
  const collect = async () => buffer;
  const run = {
    policy: { ...policy, ...more },
    config: algorithm.config,
    updateIndex: 0,
    collector: { collectSteps: collect, collectEpisodes: collect, dialogue: { parse: () => step('').parsed } },
    stepsPerUpdate: buffer.steps.length,
    rng: new Generator(1),
    state: (algorithm.open as ((context: object) => unknown) | undefined)?.({ policy, config: algorithm.config }),
    metrics: new MetricsTally(),
    signal: undefined,
    onTargets: (learned: RolloutBuffer, targets: TargetsOfUpdate['targets']) => {
      found = { buffer: learned, targets };
      throw SEEN;
    },
  } as unknown as Run;
  await expect(algorithm.update(run as never)).rejects.toBe(SEEN);
  return found!;
}

it('VinePPO normalizes over the steps whose action the agent chose, unless the others are kept', async () => {
  const rewards = [1, 3, 100];
  const steps = rewards.map((environment, i) =>
    step(`e${i}`, { reward: { environment, format: 0 }, fallback: i === 2 }),
  );
  const forks = steps.map(({ episodeId }) => ({
    parent: episodeId,
    at: 0,
    steps: [step(`${episodeId}+`)],
    summary: {} as never,
  }));
  const advantages = async (fallbackLoss: 'mask' | 'keep') => {
    const { targets } = await targetsOf(vinePpo({ rollout: { fallbackLoss } }), { ...bufferOf(steps), forks });
    return Array.from(targets.advantages as Float64Array);
  };
  const [low, high] = await advantages('mask');
  expect([low, high]).toEqual([-Math.SQRT1_2, Math.SQRT1_2].map((each) => expect.closeTo(each, 6)));
  const kept = await advantages('keep');
  expect(kept.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 9);
});

it('ArCHer corrects for a sampler that computes in fewer bytes than scoring', async () => {
  const steps = [step('a', { reward: { environment: 1, format: 0 } }), step('b')];
  const overrides = { critic: { warmupUpdates: 0, steps: 1, batch: 2, width: 2 }, replay: { states: 2 } };
  const origin = async (hasSamplingMismatch: boolean) =>
    (await targetsOf(archer(overrides), bufferOf(steps), { hasSamplingMismatch })).buffer.sampler;
  expect(await origin(true)).toBe('remote');
  expect(await origin(false)).toBeUndefined();
});

it('SPEAR corrects replayed tokens where another program samples', () => {
  const replay = new SuccessReplay({ capacity: 8, maxAge: 1, means: 8 });
  replay.addMeans([0]);
  replay.addEpisode([step('a', { oldLogProbs: new Float32Array(LENGTH) })], 1, 0);
  expect(replay.better('remote').buffer).toMatchObject({ sampler: 'remote', steps: [{ episodeId: 'replay' }] });
  expect(replay.better(undefined).buffer.sampler).toBeUndefined();
  replay.dispose();
});

it('LOOP as published: of steps that are left out neither their tokens nor their episode count', () => {
  const lengths = [1, 3, 2, 4];
  const steps = lengths.map((length, i) => step(`${i}`, { responseIds: new Int32Array(length) }));
  const trajectories = [[0, 1], [2], [3]];
  const policyMask = [1, 1, 1, 0];
  const weights = episodeWeights({ steps, trajectories }, policyMask);
  const sums = [1, 2 + 3 + 4, 5 + 7, 11 * 4];
  const meanOverTrainedSteps = sums.reduce((sum, each, row) => sum + each * weights[row]!, 0) / 3;
  expect(meanOverTrainedSteps).toBeCloseTo(((1 + 2 + 3 + 4) / 4 + (5 + 7) / 2) / 2, 12);
  expect([...episodeWeights({ steps, trajectories }, [0, 0, 0, 0])]).toEqual([0, 0, 0, 0]);
});

it('SPEAR holds replayed returns against means without the bonus for activity, as they are', () => {
  const { config } = spear({ exploration: { bonus: 10 } });
  const state = new SuccessReplay(config.replay);
  const steps = [1, 0].map((environment, i) =>
    step(`e${i}`, { group: 0, reward: { environment, format: 0 }, oldLogProbs: new Float32Array(LENGTH) }),
  );
  keepSuccesses({ config, state, updateIndex: 0 } as never, bufferOf(steps), Float64Array.of(1, -1));
  expect(state.baseline).toBe(0.5);
  expect(Array.from(state.better(undefined).advantages)).toEqual([0.5]);
  state.dispose();
});

it('LOOP as published: a KL has the weights of the advantages, in the rows of its batch', () => {
  const steps = ['a', 'b', 'c'].map((id) => step(id));
  const seen: { values?: readonly number[]; shape?: readonly number[] } = {};
  const like = {
    newTensor: (values: readonly number[], shape: readonly number[]) => Object.assign(seen, { values, shape }),
  };
  const perToken = { mul: (other: unknown) => other } as unknown as Tensor;
  const batch = { data: { steps: [steps[2]!, steps[0]!] }, like } as unknown as LossBatch;
  const terms = weighted({ kl: { perToken, coefficient: 0.1 } }, { steps }, batch, Float64Array.of(2, 3, 4));
  expect(seen).toEqual({ values: [4, 2], shape: [2, 1] });
  expect(terms).toEqual({ kl: { perToken: seen, coefficient: 0.1 } });
});
