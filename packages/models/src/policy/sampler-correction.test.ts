/**
 * `correction: auto` next to a sampler in fewer bytes: the weight that every sampled token has in the loss.
 *
 * A loss is read by its gradient: where the new log-probs are the old ones every ratio is 1, so with advantages of 1 the
 * gradient of a token is −its weight / responses. What the weight should be is computed from `sample` and `score` alone.
 */
import { Generator } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import { type Tensor, tensor } from '@vlgym/gpu';
import { composeConfig, MetricsTally, type RolloutBuffer } from '@vlgym/rl';
import { actorCriticOptions, stepLossOptions, tokenLossOptions } from '@vlgym/rl/config';
import { ratioOf, stepLogProb } from '@vlgym/rl/losses';
import { Collector, rescore } from '@vlgym/rl/rollout';
import { LossBatch, miniBatches, reduceLoss } from '@vlgym/rl/update';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { smallConfig, smallPolicy } from './policy.test-helper.js';
import type { SamplerDType } from './weights/sampler-weights.js';

/** A power of two, so that the mean over responses rounds nothing. */
const RESPONSES = 64;
/** `correction.cap` as documented. */
const CAP = 2;

const overrides = { rollout: { maxNewTokens: 12 }, optimizer: { batch: RESPONSES, microBatch: RESPONSES } };
const tokens = composeConfig(z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions }), overrides);
const steps = composeConfig(z.strictObject({ ...actorCriticOptions, loss: stepLossOptions }), overrides);

interface Case {
  readonly config: typeof tokens | typeof steps;
  /** What one weight belongs to. */
  readonly level: 'token' | 'sequence';
  /** −ρ·A of every token or step; with A = 1. */
  readonly lossOf: (logProbs: Tensor, batch: LossBatch) => ReturnType<typeof ratioOf>;
}
const tokenLoss: Case['lossOf'] = (logProbs, { oldLogProbs }) => ratioOf(logProbs, oldLogProbs).neg();
const stepLoss: Case['lossOf'] = (logProbs, batch) => {
  const weights = batch.spanWeights(steps.loss);
  return ratioOf(stepLogProb(logProbs, weights), batch.oldStepLogProbs(weights)).neg();
};
const bySequence = { ...tokens, correction: { ...tokens.correction, level: 'sequence' } } as const;
const cases: readonly [string, Case][] = [
  ['a token', { config: tokens, level: 'token', lossOf: tokenLoss }],
  ['a sequence', { config: bySequence, level: 'sequence', lossOf: tokenLoss }],
  ['a step', { config: steps, level: 'sequence', lossOf: stepLoss }],
];

describe.each(['bfloat16', 'int8'] as const)('with a sampler in %s', (samplerDtype) => {
  let played: Played;
  beforeAll(async () => {
    played = await play(samplerDtype);
  });

  it.each(cases)('%s weighs exp(score − sampler), at most 2', (_, each) => {
    const { scored, sampled, buffer } = played;
    const exact = scored.map((row, i) => {
      const gaps = row.map((logProb, token) => logProb - sampled[i]![token]!);
      return each.level === 'token' ? gaps.map(Math.exp) : gaps.map(() => Math.exp(gaps.reduce((a, b) => a + b, 0)));
    });
    expect(weightsInLoss(buffer, each)).toEqual(exact.map((row) => row.map((weight) => Math.min(weight, CAP))));
    const all = exact.flat();
    expect(all.some((weight) => weight > CAP)).toBe(true);
    expect(all.filter((weight) => Math.abs(weight - 1) > 0.01).length).toBeGreaterThan(all.length / 2);
  });
});

describe('with the weights that are trained', () => {
  let played: Played;
  beforeAll(async () => {
    played = await play('same');
  });

  it.each(cases)('%s weighs exactly 1', (_, each) => {
    const weights = weightsInLoss(played.buffer, each);
    expect(weights).toEqual(played.sampled.map((row) => row.map(() => 1)));
  });
});

interface Played {
  readonly buffer: RolloutBuffer;
  /** [responses][tokens] log-probs of the sampler. */
  readonly sampled: readonly number[][];
  /** The same tokens by `score`. */
  readonly scored: readonly number[][];
}

/** One buffer as an algorithm collects and scores it. */
async function play(samplerDtype: SamplerDType): Promise<Played> {
  // logits so far apart that rounded weights miss by more than the bound
  const policy = await smallPolicy({ config: { ...smallConfig, initializerRange: 1 }, samplerDtype });
  const sample = vi.spyOn(policy, 'sample');
  const environments = Array.from({ length: RESPONSES }, () => new CountingEnv());
  const collector = new Collector({ policy, environments, config: tokens, rng: new Generator(3) });
  const buffer = await collector.collectSteps({ stepsPerUpdate: RESPONSES, metrics: new MetricsTally() });
  await rescore({ policy, config: tokens }, buffer);
  const { logProbs } = await policy.score(buffer.steps);
  const completions: Awaited<ReturnType<typeof policy.sample>> = await sample.mock.results[0]!.value;
  policy.close();
  return {
    buffer,
    sampled: completions.map((completion) => [...completion.logProbs]),
    scored: logProbs.map((row) => [...row]),
  };
}

/** [responses][tokens] in the order of the buffer. */
function weightsInLoss(buffer: RolloutBuffer, { config, lossOf }: Case): number[][] {
  const targets = { advantages: new Float64Array(RESPONSES).fill(1), policyMask: new Uint8Array(RESPONSES).fill(1) };
  const weights: number[][] = [];
  for (const batch of [...miniBatches(buffer, targets, config, new Generator(1))].flatMap(
    (each) => each.microBatches,
  )) {
    const { rows, length } = batch;
    const logProbs = tensor(Float64Array.from(batch.oldLogProbs), { shape: [rows, length], requiresGrad: true });
    const perToken = lossOf(logProbs, new LossBatch(batch, logProbs));
    const averaging = { aggregation: 'seq_mean_token_sum' } as const;
    const loss = reduceLoss(perToken, batch, { averaging, corrected: true }) as Tensor;
    loss.backward();
    const slopes = Array.from(logProbs.grad!.toArray(), Number);
    for (const each of [loss, logProbs]) each.dispose();
    for (const [row, step] of batch.steps.entries()) {
      const own = slopes.slice(row * length, row * length + step.responseIds.length);
      weights[buffer.steps.indexOf(step)] = own.map((slope) => -slope * RESPONSES);
    }
  }
  return weights;
}
