/** A real vLLM on pretrained weights: parity, adapters, choices, seeds, and agents over its OpenAI face. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, openAICompatibleAgent } from '@vlgym/agents';
import { type ChatMessage, Generator, make } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { AdapterPublisher, handshake, RemoteSampler, Replicas, VllmEngine } from '@vlgym/queue/engines';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import '@vlgym/points24';
import { vlgym } from '../support/vlgym.js';
import { adaptedPolicy, compare, largest, peftScores, requestOf, TOLERANCE, words } from './policies.js';
import { home, modelFolder, type RealServer, reason, startVllm } from './servers.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

const picture = { data: Uint8Array.from({ length: 84 * 112 * 3 }, (_, i) => (i * 7) % 251), height: 84, width: 112 };
const aPicture: readonly ChatMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'image', image: { ...picture, channels: 3 } },
      { type: 'text', text: '\nMake 12. JSON keys: cards, formula, thoughts, action.' },
    ],
  },
];
const JSON_ANSWER = {
  type: 'object',
  properties: { thoughts: { type: 'string', maxLength: 20 }, action: { type: 'string', enum: ['+', '-'] } },
  required: ['thoughts', 'action'],
  additionalProperties: false,
};
const signal = () => AbortSignal.timeout(3_600_000);

describe.skipIf(home === undefined)(`a real vLLM${reason}`, () => {
  let server: RealServer;
  let engine: VllmEngine;
  let policy: VlmPolicy;
  let work = '';
  beforeAll(async () => {
    setNumThreads(1);
    work = mkdtempSync(join(tmpdir(), 'vlgym-real-'));
    policy = await createPolicy({ model: modelFolder });
    server = await startVllm(modelFolder);
    engine = new VllmEngine({ url: server.url, limitMs: 3_600_000 });
  });
  afterAll(async () => {
    policy?.close();
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('computes the log-probs of the base as this package does, of words', async () => {
    const { served, ours } = await compare(engine, policy);
    expect(served.length).toBeGreaterThan(3);
    // a model that is certain of everything would agree with anything
    expect(Math.min(...served)).toBeLessThan(-0.5);
    expect(largest(served, ours)).toBeLessThan(TOLERANCE);
  });

  it('computes the log-probs of the base as this package does, of a picture', async () => {
    const codec = await openTokenCodec({ model: modelFolder });
    const sampler = new RemoteSampler({
      replicas: new Replicas([engine]),
      codec,
      model: () => 'base',
      name: 'picture',
    });
    const options = { rng: [new Generator(3)], maxNewTokens: 12, temperature: 1 };
    const [response] = await sampler.sample([codec.encode(aPicture)], options);
    const { tokenIds, behaviorLogProbs } = response!;
    const { logProbs } = await policy.score([{ input: policy.encode(aPicture), responseIds: tokenIds }]);
    expect(Math.min(...behaviorLogProbs)).toBeLessThan(-0.5);
    expect(largest(behaviorLogProbs, logProbs[0]!)).toBeLessThan(TOLERANCE);
  });

  it('changes its log-probs with an adapter that is published while it runs, as peft does', async () => {
    const adapted = await adaptedPolicy();
    const replicas = new Replicas([engine]);
    const publisher = new AdapterPublisher({ replicas, folder: join(work, 'adapters') });
    const { name, path } = await publisher.publish(7, (folder) => adapted.saveAdapter(folder));
    const { input, tokenIds, served, ours } = await compare(engine, adapted, { model: name });
    adapted.close();
    const { base, adapter } = await peftScores(path, input.promptIds, tokenIds);
    expect(largest(served, ours)).toBeLessThan(TOLERANCE);
    expect(largest(served, adapter)).toBeLessThan(TOLERANCE);
    expect(largest(served, base)).toBeGreaterThan(2 * TOLERANCE);
  });

  it('passes the handshake, choices included', async () => {
    const codec = await openTokenCodec({ model: modelFolder });
    await handshake(engine, { codec, input: codec.encode(words), model: 'base', constraints: true, signal: signal() });
  });

  it('obeys a choice', async () => {
    const { decode, encode } = await openTokenCodec({ model: modelFolder });
    for (const seed of [1, 2, 3, 4]) {
      const choice = ['zqxvkjw', 'vkqzjxw'];
      const request = requestOf(encode(words), { choice, seed, temperature: 2, maxNewTokens: 32 });
      const { tokenIds } = await engine.generate({ ...request, requestId: `choice-${seed}` }, signal());
      expect(choice).toContain(decode(tokenIds).text);
    }
  });

  it('draws by the seed', async () => {
    const input = policy.encode(words);
    const draw = async (seed: number, requestId: string) =>
      (await engine.generate(requestOf(input, { seed, requestId, maxNewTokens: 24 }), signal())).tokenIds;
    const first = await draw(3, 'seed-a');
    expect(await draw(3, 'seed-b')).toEqual(first);
    expect(await draw(4, 'seed-c')).not.toEqual(first);
  });

  it('ends at a token that the request names', async () => {
    const input = policy.encode(words);
    const ask = (requestId: string, stopTokenIds: readonly number[]) =>
      engine.generate(requestOf(input, { requestId, temperature: 0, stopTokenIds }), signal());
    const greedy = await ask('stop-a', [2]);
    const stop = greedy.tokenIds[4]!;
    const { tokenIds, finishReason } = await ask('stop-b', [2, stop]);
    expect([...tokenIds]).toEqual([...greedy.tokenIds.slice(0, greedy.tokenIds.indexOf(stop) + 1)]);
    expect(finishReason).toBe('stop');
  });

  it('is judged by `vlgym eval`', async () => {
    const { code, stdout } = await vlgym([
      ...['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'base', '--base-url', `${server.url}/v1`],
      ...['--episodes', '2', '--parallel', '2', '--json', '--settings', 'maxOutputTokens=32'],
      ...['--env-options', '{"maxPosition":3}'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  it('holds the answers of an agent to a JSON schema', async () => {
    const schema = { name: 'turn', strict: true, schema: JSON_ANSWER };
    const agent = openAICompatibleAgent({
      ...{ baseURL: `${server.url}/v1`, model: 'base', timeoutMs: 3_600_000 },
      settings: {
        ...{ maxOutputTokens: 96, temperature: 1, seed: 1 },
        providerOptions: { openaiCompatible: { response_format: { type: 'json_schema', json_schema: schema } } },
      },
    });
    const env = () => make('vlgym/NumberLine-v1', { options: { maxPosition: 3 } });
    const { episodes } = await evaluate({ env, agent, seeds: [0, 1] });
    expect(episodes).toHaveLength(2);
    for (const { length, spoken, legal, counted } of episodes)
      expect({ spoken, legal, counted }).toEqual({ spoken: length, legal: length, counted: true });
  });
});
