/** The learner's policy behind HTTP, and the batches that its requests become. */
import type { GenerateOptions } from '@vlgym/agents/model';
import { type ChatMessage, Generator } from '@vlgym/core';
import type { ModelInput } from '@vlgym/rl';
import { afterEach, describe, expect, it } from 'vitest';
import { WordSampler } from '../../test/word-sampler.js';
import { RemoteSampler } from '../engines/remote-sampler.js';
import { Replicas } from '../engines/replicas.js';
import { VllmEngine } from '../engines/vllm.js';
import { HealthServer } from '../worker/health-server.js';
import { BatchingSampler } from './batching-sampler.js';
import { SamplingServer } from './sampling-server.js';

const IMAGE = 7;
const prompt: ChatMessage[] = [{ role: 'user', content: 'now' }];
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of closing.splice(0)) await server.close();
});

/** Notes how its requests came. */
class NotingSampler extends WordSampler {
  readonly batches: (readonly ModelInput[])[] = [];
  override async sample(inputs: readonly ModelInput[], options: GenerateOptions) {
    this.batches.push(inputs);
    const responses = await super.sample(inputs, options);
    // as an optimizer step that happens while a batch is sampled
    this.version += 1;
    return responses;
  }
}

async function served(policy: NotingSampler, token?: string) {
  const tokens = { imageToken: IMAGE, imageTokens: ({ width }: { width: number }) => width / 28 };
  const server = await SamplingServer.start({ policy, tokens, token });
  closing.push(server);
  const codec = {
    encode: (messages: readonly ChatMessage[]) => policy.encode(messages),
    decode: (ids: Int32Array) => ({
      text: String.fromCharCode(...ids),
      tokenEnds: Int32Array.from(ids, (_, index) => index + 1),
    }),
    endTokens: [],
    imageToken: IMAGE,
  };
  const remote = (apiKey = token) => {
    const replicas = new Replicas([new VllmEngine({ url: server.urlFor(), apiKey })]);
    return new RemoteSampler({ replicas, codec, model: () => 'policy-000000', name: 'w' });
  };
  return { server, remote };
}

const options = () => ({ rng: [new Generator(1)], maxNewTokens: 8, temperature: 0.5 });

describe('the policy of the learner as a server', () => {
  it('gives the tokens and log-probs of the policy, and names the weights that sampled them', async () => {
    const policy = new NotingSampler();
    const { remote } = await served(policy);
    const input = policy.encode(prompt);
    const [response] = await remote().sample([input], options());
    const rng = [new Generator(new Generator(1).integers(0, 2 ** 31))];
    const [expected] = await new WordSampler().sample([input], { rng });
    expect(response).toMatchObject({
      text: expected!.text,
      tokenIds: expected!.tokenIds,
      behaviorLogProbs: expected!.behaviorLogProbs,
      versions: [{ version: 'policy-000000@0', start: 0, end: expected!.tokenIds.length }],
    });
    const [next] = await remote().sample([input], options());
    expect(next!.versions![0]!.version).toBe('policy-000000@1');
  });

  it('expands the place of a picture as the model does, and reads its pixels', async () => {
    const policy = new NotingSampler();
    const { remote } = await served(policy);
    const image = { data: new Uint8Array(28 * 56 * 3).fill(9), height: 28, width: 56, channels: 3 as const };
    const input = { promptIds: Int32Array.of(1, IMAGE, IMAGE, 2), images: [image] };
    await remote().sample([input], options());
    expect(policy.batches[0]![0]).toEqual(input);
  });

  it('refuses constraints, other bodies, foreign hosts and wrong keys', async () => {
    const { server, remote } = await served(new NotingSampler(), 'a key of sixteen');
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${server.urlFor()}/inference/v1/generate`, { method: 'POST', body: JSON.stringify(body), headers });
    expect((await post({})).status).toBe(401);
    const key = { authorization: 'Bearer a key of sixteen' };
    expect((await post({ token_ids: [] }, key)).status).toBe(400);
    expect((await fetch(`${server.urlFor()}/health`)).status).toBe(200);
    expect((await fetch(`${server.urlFor()}/v1/other`, { headers: key })).status).toBe(404);
    const [, port] = /:(\d+)$/.exec(server.urlFor())!;
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    const input = { promptIds: Int32Array.of(1), images: [] };
    await expect(remote('another key......').sample([input], options())).rejects.toMatchObject({ value: 401 });
    await expect(
      SamplingServer.start({ policy: new WordSampler(), tokens: {} as never, host: '0.0.0.0' }),
    ).rejects.toMatchObject({ code: 'TOKEN_NEEDED' });
  });
});

describe('batches', () => {
  it('hold what waits when the model is free, up to a limit', async () => {
    const policy = new NotingSampler(5);
    const sampler = new BatchingSampler(policy, { maxRows: 3 });
    const input = policy.encode(prompt);
    const ask = () => sampler.sample([input], options());
    await Promise.all(Array.from({ length: 7 }, ask));
    expect(policy.batches.map(({ length }) => length)).toEqual([3, 3, 1]);
    const other = sampler.sample([input], { ...options(), temperature: 1 });
    await Promise.all([ask(), other]);
    expect(policy.batches.slice(3).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('tell a failure to all of their requests, and continue', async () => {
    const policy = new NotingSampler();
    const sampler = new BatchingSampler(policy);
    const input = policy.encode(prompt);
    const abort = new AbortController();
    abort.abort(new Error('gone'));
    await expect(sampler.sample([input], { ...options(), signal: abort.signal })).rejects.toThrow('gone');
    expect((await sampler.sample([input], options())).length).toBe(1);
    expect(() => new BatchingSampler(policy, { maxRows: 0 })).toThrow('Invalid maxRows: 0.');
  });
});

it('health tells whether a worker answers and whether it takes orders', async () => {
  let isReady = false;
  const server = await HealthServer.listen(0, () => isReady, '127.0.0.1');
  closing.push(server);
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
  expect([await status('/health'), await status('/ready'), await status('/else')]).toEqual([200, 503, 404]);
  isReady = true;
  expect(await status('/ready')).toBe(200);
});
