/** Values and advantages of tokens with a real policy: what scoring and training see is one, and what does not fit is refused. */
import { ppoToken, vagen } from '@vlgym/baselines';
import { type Algorithm, defineAlgorithm, type PolicyOutputs, type RolloutBuffer, train } from '@vlgym/rl';
import { type Targets, targetsFrom, tokenRewards } from '@vlgym/rl/advantages';
import { clipOptions, commonOptions } from '@vlgym/rl/config';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CorridorEnv, colorPicture, smallPolicy } from './algos-tasks.js';

vi.setConfig({ testTimeout: 120_000 });

const QUICK = {
  rollout: { maxNewTokens: 4 },
  optimizer: { epochs: 1, batch: 8, microBatch: 3, learningRate: { initial: 1e-3, final: 1e-3 } },
};

it.each([
  ['as one distribution', {}],
  ['in chunks of a large vocabulary', { denseVocabulary: 1 }],
])(
  'the value of a token is the same when scored and when trained, %s; the first is that of the step',
  async (_, options) => {
    const policy = await smallPolicy({ seed: 1, ...options });
    const input = policy.encode([{ role: 'user', content: 'A' }]);
    const sequences = [
      { input, responseIds: Int32Array.of(65, 66, 67) },
      { input, responseIds: Int32Array.of(68) },
    ];
    const { values, tokenValues } = await policy.score(sequences, { tokenValues: true });
    expect(tokenValues!.map(({ length }) => length)).toEqual([3, 1]);
    expect(tokenValues!.map(([first]) => first)).toEqual([...values].map((value) => expect.closeTo(value, 6)));
    let trained: number[] = [];
    await policy.accumulate(sequences, (outputs: PolicyOutputs) => {
      trained = Array.from(outputs.tokenValues.toArray(), Number);
      return outputs.tokenValues.mul(outputs.mask).sum();
    });
    expect(trained.slice(0, 4)).toEqual([...tokenValues![0]!, tokenValues![1]![0]!].map((v) => expect.closeTo(v, 5)));
    policy.close();
  },
);

it('a critic of tokens on a stopped gradient leaves the backbone alone', async () => {
  const policy = await smallPolicy({ seed: 1 });
  const input = policy.encode([{ role: 'user', content: 'A' }]);
  const sequences = [{ input, responseIds: Int32Array.of(65, 66) }];
  const logProbs = async () => (await policy.score(sequences)).logProbs;
  const before = await logProbs();
  const loss = ({ tokenValues }: PolicyOutputs) => tokenValues.sub(3).abs().sum();
  await policy.accumulate(sequences, loss, { stopGradient: true });
  await policy.step({ learningRate: 1, maxGradNorm: 1 });
  expect(await logProbs()).toEqual(before);
  await policy.accumulate(sequences, loss, { stopGradient: false });
  await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
  expect(await logProbs()).not.toEqual(before);
  policy.close();
});

it.each([
  ['ppo-token', ppoToken],
  ['vagen', vagen],
])('%s learns from one advantage per token; those of a response differ', async (_, preset) => {
  const policy = await smallPolicy({ seed: 1 });
  const seen: { buffer: RolloutBuffer; targets: Targets }[] = [];
  await train({
    policy,
    algorithm: preset({ ...QUICK, value: { warmupUpdates: 0 } }),
    makeEnv: () => new CorridorEnv({ picture: colorPicture }),
    updates: 1,
    stepsPerUpdate: 16,
    numEnvs: 4,
    seed: 1,
    onTargets: (update) => void seen.push(update),
  });
  const [{ buffer, targets }] = seen as [(typeof seen)[number]];
  const lengths = buffer.steps.map(({ responseIds }) => responseIds.length);
  for (const perToken of [targets.advantages, targets.returns]) {
    expect((perToken as readonly Float64Array[]).map(({ length }) => length)).toEqual(lengths);
  }
  expect((targets.advantages as readonly Float64Array[]).some((each) => new Set(each).size > 1)).toBe(true);
  policy.close();
});

const play = async (algorithm: Algorithm) => {
  const policy = await smallPolicy({ seed: 1 });
  const makeEnv = () => new CorridorEnv();
  return train({ policy, algorithm, makeEnv, updates: 1, stepsPerUpdate: 8, numEnvs: 4, seed: 1 });
};

it('a critic of tokens with epochs of its own is refused: the hidden states of tokens are not kept', async () => {
  const apart = ppoToken({ ...QUICK, value: { epochs: 2 } });
  await expect(play(apart)).rejects.toMatchObject({ code: 'TOKEN_CRITIC_APART', value: 2 });
});

it('a loss per step is refused where advantages are per token', async () => {
  const mixed = defineAlgorithm({
    name: 'mixed',
    title: 'Mixed',
    options: z.strictObject({ ...commonOptions, loss: clipOptions }),
    async update(run) {
      const buffer = await run.collector.collectSteps(run);
      await rescore(run, buffer);
      const targets = targetsFrom(buffer, tokenRewards(buffer), run.config, run.metrics);
      await optimize(run, buffer, targets, { actor: (_, batch) => ({ loss: batch.stepAdvantages }) });
      return buffer;
    },
  });
  await expect(play(mixed(QUICK))).rejects.toMatchObject({ code: 'TOKEN_ADVANTAGES' });
});
