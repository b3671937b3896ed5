/** Answers held to the legal actions or to JSON: always legal, and one distribution in sampling, scoring and training. */
import { evaluate, policyAgent } from '@vlgym/agents';
import { type AnyEnv, answerConstraint, Generator, make, spaceDialogue } from '@vlgym/core';
import type { ConstraintKind } from '@vlgym/core/dialogue';
import { CountingEnv } from '@vlgym/core/testing';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, type VlmPolicy } from '@vlgym/models';
import '@vlgym/points24';
import { MetricsTally, type RolloutBuffer, type Sequence } from '@vlgym/rl';
import { Collector, rescore } from '@vlgym/rl/rollout';
import { vlDac } from '@vlgym/vl-dac';
import { afterAll, describe, expect, it } from 'vitest';
import { smallConfig } from '../src/policy/policy.test-helper.js';

setNumThreads(1);
const config = { ...smallConfig, valueHead: [12] };
const policy = await createPolicy({ config, seed: 1 });
/** Scores of a few positions at a time, as with a large vocabulary. */
const chunked = await createPolicy({ config, seed: 1, denseVocabulary: 1 });
afterAll(() => [policy, chunked].map((each) => each.close()));

const KINDS: readonly ConstraintKind[] = ['actions', 'json'];
const envOf = (id = 'vlgym/EZPoints-v1', options = {}) => make(id, { options }) as Promise<AnyEnv>;

describe.each(KINDS)('constrained to %s', (constrain) => {
  it.each([
    ['vlgym/EZPoints-v1', { dialogue: 'compact-v1' }],
    ['vlgym/Blackjack-v1', {}],
  ])('a model of random weights plays %s with legal actions alone', async (id, options) => {
    const result = await evaluate({
      env: () => envOf(id, options),
      agent: policyAgent(policy, { constrain, maxNewTokens: 56 }),
      seeds: [1, 2],
      parallel: 2,
      maxSteps: 2,
    });
    expect(result).toMatchObject({ counted: 2, legalRate: 1, fallbackRate: 0 });
    if (constrain === 'json') expect(result.formatRate).toBe(1);
  });

  it('has ratio one on the first pass, dense and in chunks', async () => {
    const buffer = await collect(policy, constrain);
    const sequences = buffer.steps.map(({ input, responseIds }): Sequence => ({ input, responseIds }));
    const run = { policy, config: configOf(constrain) };
    await rescore(run, buffer);
    const scores = [await policy.score(sequences), await chunked.score(sequences)];
    const trained = [await trainedLogProbs(policy, sequences), await trainedLogProbs(chunked, sequences)];
    for (const [i, { behaviorLogProbs, oldLogProbs, parsed, text, lengthTruncated }] of buffer.steps.entries()) {
      expect({ text, legal: parsed.legal, lengthTruncated }).toMatchObject({ legal: true, lengthTruncated: false });
      expect(Math.min(...behaviorLogProbs)).toBeGreaterThan(-30);
      for (const found of [
        oldLogProbs!,
        ...scores.map(({ logProbs }) => logProbs[i]!),
        ...trained.map((rows) => rows[i]!),
      ])
        expect(difference(behaviorLogProbs, found)).toBeLessThan(1e-4);
      expect(difference(scores[0]!.entropies[i]!, scores[1]!.entropies[i]!)).toBeLessThan(1e-4);
    }
    // tokens that the constraint leaves no choice for carry no information
    const forced = scores[0]!.entropies
      .flatMap((entropies) => Array.from(entropies))
      .filter((entropy) => entropy === 0);
    expect(forced.length).toBeGreaterThan(0);
  });

  it('counts nothing of the constraint from where a response leaves it', async () => {
    const { input } = (await collect(policy, constrain)).steps[0]!;
    const foreign = policy.encodeResponse('{"action": "dance"} and "action": "x"').ids;
    const { logProbs } = await policy.score([{ input, responseIds: foreign }]);
    const free = await policy.score([{ input: { ...input, constraint: undefined }, responseIds: foreign }]);
    expect(Math.min(...logProbs[0]!)).toBeGreaterThan(-100);
    expect(logProbs[0]!.at(-1)).toBeCloseTo(free.logProbs[0]!.at(-1)!, 5);
  });
});

it('scores the reference with its own output layer, in chunks too (it was that of the trained weights)', async () => {
  const options = { config, seed: 1, train: 'full' } as const;
  const dense = await createPolicy(options);
  const inChunks = await createPolicy({ ...options, denseVocabulary: 1 });
  const sequences = (await collect(dense, 'json')).steps.map(({ input, responseIds }) => ({ input, responseIds }));
  const scored = async (each: VlmPolicy) => {
    await each.accumulate(sequences, ({ logProbs }) => logProbs.sum());
    await each.step({ learningRate: 1e-2, maxGradNorm: 1 });
    const { logProbs } = await each.score(sequences, { weights: 'reference' });
    each.close();
    return logProbs;
  };
  const [whole, parts] = [await scored(dense), await scored(inChunks)];
  for (const [i, row] of whole.entries()) expect(difference(row, parts[i]!)).toBeLessThan(1e-4);
});

it('ends in time, with every action still open', async () => {
  const env = await envOf();
  const { observation, info } = await env.reset({ seed: 1 });
  const context = { observation, info, history: [] };
  const input = policy.encode(env.dialogue!.prompt(context));
  const said = new Set<unknown>();
  for (const maxTokens of [16, 24]) {
    const constraint = answerConstraint('actions', env, context, maxTokens);
    const inputs = Array<typeof input>(12).fill({ ...input, constraint });
    const responses = await policy.sample(inputs, { maxNewTokens: maxTokens, rng: new Generator(maxTokens) });
    for (const { text, finishReason } of responses) {
      expect(finishReason).toBe('stop');
      said.add(env.dialogue!.parse(text, context).action);
    }
  }
  expect(said.size).toBeGreaterThan(2);
  await env.close();
});

it('is off unless asked for, and then changes nothing', async () => {
  const env = await envOf();
  const { observation, info } = await env.reset({ seed: 1 });
  const input = policy.encode(env.dialogue!.prompt({ observation, info, history: [] }));
  const sampled = async (extra: object) =>
    (await policy.sample([{ ...input, ...extra }], { maxNewTokens: 20, rng: new Generator(1) }))[0]!;
  expect(await sampled({ constraint: undefined })).toEqual(await sampled({}));
  for (const { input: kept } of (await collect(policy)).steps) expect(kept).not.toHaveProperty('constraint');
  expect(JSON.stringify(configOf())).not.toContain('constrain');
  await env.close();
});

describe('what the environments say of their answers', () => {
  it('follows the mask of the moment', async () => {
    const env = new CountingEnv({ maxTarget: 1 }) as AnyEnv;
    const { observation, info } = await env.reset({ seed: 1 });
    const endings = (seen: unknown) => {
      const context = { observation: seen, info, history: [] };
      return answerConstraint('actions', env, context, 8);
    };
    expect(endings(observation)).toEqual({ kind: 'actions', maxTokens: 8, without: null, endings: ['stay', 'count'] });
    await env.step(1);
    expect(endings(1)).toMatchObject({ endings: ['stay'] });
  });

  it('names the dialogue that cannot be constrained', () => {
    const env = new CountingEnv();
    const dialogue = { ...env.dialogue, demonstrate: undefined };
    const silent = Object.assign(Object.create(env), { dialogue }) as AnyEnv;
    const context = { observation: 0, info: { target: 3 }, history: [] };
    const refused = expect.objectContaining({ code: 'CONSTRAINT_UNSUPPORTED', value: 'counting/plain-v1' });
    expect(() => answerConstraint('actions', silent, context, 8)).toThrow(refused);
    expect(() => answerConstraint('json', env as AnyEnv, context, 8)).toThrow(refused);
  });

  it('has the keys of the answer in their order, the actions last', () => {
    const env = new CountingEnv();
    const dialogue = spaceDialogue({
      title: 'a game',
      observationSpace: env.observationSpace,
      actionSpace: env.actionSpace,
    });
    const spoken = Object.assign(Object.create(env), { dialogue }) as AnyEnv;
    const context = { observation: 0, info: { target: 3 }, history: [] };
    expect(answerConstraint('json', spoken, context, 8)).toEqual({
      kind: 'json',
      maxTokens: 8,
      schema: { type: 'object', properties: { thoughts: { type: 'string' }, action: { enum: ['stay', 'count'] } } },
    });
  });
});

function configOf(constrain?: ConstraintKind) {
  return vlDac({ rollout: { maxNewTokens: 40, ...(constrain && { constrain }) } }).config;
}

async function collect(sampler: VlmPolicy, constrain?: ConstraintKind): Promise<RolloutBuffer> {
  const environments = [await envOf(), await envOf()];
  const collector = new Collector({
    ...{ policy: sampler, environments, config: configOf(constrain), rng: new Generator(2) },
  });
  const buffer = await collector.collectSteps({ stepsPerUpdate: 2, metrics: new MetricsTally() });
  await Promise.all(environments.map((env) => env.close()));
  return buffer;
}

/** As the losses see them. */
async function trainedLogProbs(trained: VlmPolicy, sequences: readonly Sequence[]): Promise<number[][]> {
  const rows: number[][] = [];
  for (const sequence of sequences) {
    await trained.accumulate([sequence], ({ logProbs }) => {
      rows.push((logProbs as unknown as { toNumbers(): number[] }).toNumbers());
      return logProbs.sum().mul(0);
    });
  }
  return rows;
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]!)));
}
