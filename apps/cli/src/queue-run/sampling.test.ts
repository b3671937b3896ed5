/** A run whose tokens come from vLLM: `--model FOLDER --sampler URL`, against a server made from recorded shapes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator, make } from '@vlgym/core';
import { createPolicy, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeToyFolder } from '../../../../packages/models/scripts/toy-folder.js';
import { type Served, StubVllm } from '../../../../packages/queue/test/stub-vllm.js';
import type { CompleteTask } from '../experiment/settings/settings.js';
import '@vlgym/points24';
import type { QueueChoices } from './options.js';
import { openSampling } from './sampling.js';

let home: string;
let policy: VlmPolicy;
let stub: StubVllm;
/** After a warm start: its adapter is more than what training moves. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-sampling-'));
  await writeToyFolder(join(home, 'model'));
  policy = await createPolicy({ model: join(home, 'model'), train: { lora: { r: 2, alpha: 4 } } });
  const sequences = [{ input: policy.encode([{ role: 'user', content: 'Where?' }]), responseIds: Int32Array.of(9, 8) }];
  for (let step = 0; step < 2; step++) {
    await policy.accumulate(sequences, ({ logProbs }) => logProbs.sum().neg());
    await policy.step({ learningRate: 0.05, maxGradNorm: 1 });
  }
  policy.foldIntoReference();
});
afterAll(async () => {
  policy.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  stub = await StubVllm.start();
  stub.imageToken = (await openTokenCodec({ model: join(home, 'model') })).imageToken;
  stub.score = (served) => scoreOf(join(home, 'model'), served);
  return () => stub.close();
});

/** The score of a server of this folder, with the given adapter. */
async function scoreOf(model: string, { path: adapter, promptIds, images, tokenIds: responseIds }: Served) {
  const served = await createPolicy({ model, ...(adapter !== undefined && { adapter }) });
  try {
    return (await served.score([{ input: { promptIds, images }, responseIds }])).logProbs[0]!;
  } finally {
    served.close();
  }
}

const makeEnv = () => make('vlgym/NumberLine-v1');
const sampling = (model = join(home, 'model'), choices: QueueChoices = {}) =>
  openSampling({
    task: { model } as CompleteTask,
    policy,
    folder: home,
    choices: { sampler: [stub.url], adapters: join(home, `adapters-${new URL(stub.url).port}`), ...choices },
    makeEnv,
    say: (line) => said.push(line),
  });
const said: string[] = [];

it('gives every version to the server under a name and a folder of its own, and samples from the newest', async () => {
  const { publish, sampler, codec } = await sampling();
  await publish(0);
  await publish(1);
  await publish(1);
  expect([...stub.adapters.keys()]).toEqual(['policy-000000', 'policy-000001']);
  expect(new Set(stub.adapters.values()).size).toBe(2);
  const env = await makeEnv();
  const { observation, info } = await env.reset({ seed: 1 });
  const input = codec.encode(env.dialogue!.prompt({ observation, info, history: [] }));
  const [response] = await sampler.sample([input], { rng: [new Generator(1)], maxNewTokens: 4 });
  expect(response!.versions).toEqual([{ version: 'policy-000001', start: 0, end: response!.tokenIds.length }]);
  expect(stub.bodies.at(-1)!.model).toBe('policy-000001');
  await env.close();
});

it('takes a server over that another run used before, and publishes again what a run that was cut off published', async () => {
  await (await sampling()).publish(0);
  const other = await sampling(undefined, { adapters: join(home, 'adapters-of-another-run') });
  await other.publish(0);
  expect([...stub.adapters]).toEqual([['policy-000000', join(home, 'adapters-of-another-run', 'policy-000000')]]);
  const resumed = await sampling(undefined, { adapters: join(home, 'adapters-of-another-run') });
  await resumed.publish(0);
  expect([...stub.adapters]).toEqual([['policy-000000', join(home, 'adapters-of-another-run', 'policy-000000.2')]]);
});

describe('a probe after every publication', () => {
  it('finds the warm start on the server, and says how near the two are', async () => {
    const { publish } = await sampling();
    const measured = await publish(0);
    expect(measured!['queue/probe-k3']).toBeLessThan(1e-9);
    expect(said.at(-1)).toMatch(/computes the learner's policy: k3 \S+ over \d+ tokens/);
    stub.bodies.length = 0;
    expect(await publish(1)).toHaveProperty(['queue/probe-k3']);
    expect(new Set(stub.bodies.map(({ model }) => model))).toEqual(new Set(['policy-000001']));
  });

  it('refuses a server that does not apply the adapter, and so lacks the warm start', async () => {
    stub.score = (served) => scoreOf(join(home, 'model'), { ...served, path: undefined });
    const { publish } = await sampling();
    await expect(publish(0)).rejects.toMatchObject({
      code: 'SAMPLER_DIFFERS',
      expected: expect.stringMatching('0.001'),
    });
  });

  it('refuses a server of another base, at any version', async () => {
    await writeToyFolder(join(home, 'other'), { seed: 3 });
    const { publish } = await sampling();
    await publish(0);
    stub.score = (served) => scoreOf(join(home, 'other'), { ...served, path: undefined });
    await expect(publish(1)).rejects.toMatchObject({ code: 'SAMPLER_DIFFERS' });
  });

  it('takes the tolerance that is stated', async () => {
    stub.score = (served) => scoreOf(join(home, 'model'), { ...served, path: undefined });
    const { publish } = await sampling(undefined, { probeTolerance: 1e3 });
    expect((await publish(0))!['queue/probe-k3']).toBeGreaterThan(1e-3);
  });
});

it('says why no server took the adapter', async () => {
  stub.refusesAdapters = true;
  const { publish } = await sampling();
  await expect(publish(0)).rejects.toMatchObject({
    code: 'NO_HEALTHY_REPLICA',
    cause: { message: expect.stringContaining('bad adapter') },
  });
});

it('refuses a server of other log-probs before the first episode, by name', async () => {
  stub.logprobsMode = 'raw';
  const { publish } = await sampling();
  await expect(publish(0)).rejects.toMatchObject({ code: 'LOGPROBS_NOT_BEHAVIOR' });
});

it('refuses a server that reads pictures in another size before the first episode', async () => {
  stub.imageToken = 1;
  stub.score = undefined;
  const { publish } = await sampling();
  await expect(publish(0)).rejects.toMatchObject({ code: 'PROMPT_MISMATCH' });
});

it('needs a model folder, which the server serves too', async () => {
  await expect(sampling('tiny')).rejects.toThrow('--sampler needs a model folder');
});
