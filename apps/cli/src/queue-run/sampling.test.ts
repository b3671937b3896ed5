/** A run whose tokens come from vLLM: `--model FOLDER --sampler URL`, against a server made from recorded shapes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator, make } from '@vlgym/core';
import { createPolicy, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { writeToyFolder } from '../../../../packages/models/scripts/toy-folder.js';
import { StubVllm } from '../../../../packages/queue/test/stub-vllm.js';
import type { CompleteTask } from '../experiment/settings.js';
import '@vlgym/points24';
import { openSampling } from './sampling.js';

let home: string;
let policy: VlmPolicy;
let stub: StubVllm;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-sampling-'));
  await writeToyFolder(join(home, 'model'));
  policy = await createPolicy({ model: join(home, 'model'), train: { lora: { r: 2, alpha: 4 } } });
});
afterAll(async () => {
  policy.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  stub = await StubVllm.start();
  stub.imageToken = (await openTokenCodec({ model: join(home, 'model') })).imageToken;
  return () => stub.close();
});

const makeEnv = () => make('vlgym/NumberLine-v1');
const sampling = (model = join(home, 'model')) =>
  openSampling({
    task: { model } as CompleteTask,
    policy,
    folder: home,
    choices: { sampler: [stub.url], adapters: join(home, `adapters-${new URL(stub.url).port}`) },
    makeEnv,
  });

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

it('refuses a server of other log-probs before the first episode, by name', async () => {
  stub.logprobsMode = 'raw';
  const { publish } = await sampling();
  await expect(publish(0)).rejects.toMatchObject({ code: 'LOGPROBS_NOT_BEHAVIOR' });
});

it('refuses a server that reads pictures in another size before the first episode', async () => {
  stub.imageToken = 1;
  const { publish } = await sampling();
  await expect(publish(0)).rejects.toMatchObject({ code: 'PROMPT_MISMATCH' });
});

it('needs a model folder, which the server serves too', async () => {
  await expect(sampling('tiny')).rejects.toThrow('--sampler goes with a model folder');
});
