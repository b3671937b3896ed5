/**
 * Clients of serving engines: tests 15 to 20 of the scaling plan, against a server made from recorded shapes.
 *
 * `VLGYM_TEST_VLLM=http://host:port` asks a real vLLM as well, with `VLGYM_TEST_VLLM_MODEL`, and `VLGYM_TEST_LLAMA_CPP` a
 * real server of llama.cpp.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatMessage, Generator, messageText, promptImages, type RgbImage } from '@vlgym/core';
import { resizeImage } from '@vlgym/core/images';
import {
  AdapterPublisher,
  adapterName,
  type EngineRequest,
  handshake,
  LlamaCppEngine,
  RemoteSampler,
  Replicas,
  SglangEngine,
  type TokenCodec,
  VllmEngine,
} from '@vlgym/queue/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CELL, codes, END_TOKEN, IMAGE_TOKEN, StubVllm } from './stub-vllm.js';

const picture = (height: number, width: number): RgbImage => ({
  data: Uint8Array.from({ length: height * width * 3 }, (_, index) => index % 251),
  height,
  width,
  channels: 3,
});

const codec: TokenCodec = {
  encode(messages: readonly ChatMessage[]) {
    const images = messages.flatMap((message) => promptImages([message])).map((image) => codec.resize!(image));
    const places = images.flatMap(({ height, width }) => [
      ...new Array<number>((height / CELL) * (width / CELL)).fill(IMAGE_TOKEN),
      10,
    ]);
    return { promptIds: Int32Array.from([...places, ...codes(messages.map(messageText).join(''))]), images };
  },
  decode(ids) {
    const letters = Array.from(ids).filter((id) => id !== END_TOKEN);
    const text = letters.map((id) => String.fromCharCode(id)).join('');
    return { text, tokenEnds: Int32Array.from(ids, (_, index) => Math.min(index + 1, text.length)) };
  },
  endTokens: [END_TOKEN],
  imageToken: IMAGE_TOKEN,
  resize(image) {
    const fit = (side: number) => Math.max(1, Math.round(side / CELL)) * CELL;
    return resizeImage(image, { height: fit(image.height), width: fit(image.width) });
  },
};

const prompt: ChatMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'image', image: picture(60, 90) },
      { type: 'text', text: 'go' },
    ],
  },
];
const input = codec.encode(prompt);

let stubs: StubVllm[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-engines-'));
});
afterEach(async () => {
  await Promise.all(stubs.map((stub) => stub.close()));
  stubs = [];
  await rm(folder, { recursive: true, force: true });
});

async function start(count = 1, options = {}) {
  const started = await Promise.all(Array.from({ length: count }, () => StubVllm.start()));
  stubs.push(...started);
  const engines = started.map(({ url }) => new VllmEngine({ url, limitMs: 60_000 }));
  return { stub: started[0]!, stubs: started, engine: engines[0]!, engines, replicas: new Replicas(engines, options) };
}

const samplerOf = (replicas: Replicas, model = 'base-0') =>
  new RemoteSampler({ replicas, codec, model: () => model, name: 'test' });
const sample = (sampler: RemoteSampler, options = {}) =>
  sampler.sample([input], { rng: new Generator(1), maxNewTokens: 16, ...options });

const writeAdapter = async (path: string) => writeFile(join(path, 'adapter_config.json'), '{}');

describe('15. token ids', () => {
  it('go out with one image token per picture and come back as the model read them', async () => {
    const { stub, replicas } = await start();
    const [response] = await sample(samplerOf(replicas));
    expect(stub.bodies[0]!.token_ids.filter((id) => id === IMAGE_TOKEN)).toHaveLength(1);
    expect(input.promptIds.filter((id) => id === IMAGE_TOKEN)).toHaveLength(6);
    expect(response).toMatchObject({ text: 'count', finishReason: 'stop' });
    expect(Array.from(response!.tokenIds)).toEqual([...codes('count'), END_TOKEN]);
    expect(response).not.toHaveProperty('logProbs');
  });

  it('catches a picture that the server read in another size', async () => {
    const { replicas } = await start();
    const unresized: TokenCodec = { ...codec, encode: () => ({ ...input, images: [picture(200, 200)] }) };
    const sampler = new RemoteSampler({
      replicas,
      codec: { ...unresized, resize: (image) => image },
      model: () => 'base-0',
      name: 'test',
    });
    const sampling = sampler.sample([unresized.encode(prompt)], { rng: new Generator(1) });
    await expect(sampling).rejects.toMatchObject({ code: 'PROMPT_MISMATCH' });
  });

  it('refuses prompts whose answers are constrained: the engine would draw from another distribution', async () => {
    const { stub, replicas } = await start();
    const constraint = { kind: 'actions', maxTokens: 9, without: null, endings: ['count'] } as const;
    const sampling = samplerOf(replicas).sample([{ ...input, constraint }], { rng: new Generator(1) });
    await expect(sampling).rejects.toMatchObject({ code: 'INVALID_OPTION', value: 'actions' });
    expect(stub.bodies).toHaveLength(0);
  });

  it('catches ids that were sent with expanded image tokens', async () => {
    const { engine } = await start();
    // without the token's id nothing is collapsed, as a client would that does not know better
    const request = { ...requestOf(), imageToken: undefined, images: [] };
    const { promptIds } = await engine.generate(request, AbortSignal.timeout(60_000));
    expect(Array.from(promptIds!)).toEqual(Array.from(input.promptIds)); // strays stay: no picture was read
    await expect(
      engine.generate({ ...request, images: input.images }, AbortSignal.timeout(60_000)),
    ).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  it('sends every sampling parameter, whatever the model has as its default', async () => {
    const { stub, replicas } = await start();
    await sample(samplerOf(replicas));
    expect(stub.bodies[0]!.sampling_params).toEqual({
      max_tokens: 16,
      temperature: 1,
      top_p: 1,
      top_k: -1,
      min_p: 0,
      repetition_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      seed: expect.any(Number),
      logprobs: 0,
      stop_token_ids: [END_TOKEN],
    });
  });

  it('draws its seeds from the generators of the rollout', async () => {
    const { stub, replicas } = await start();
    const seeds = async (seed: number) => {
      await samplerOf(replicas).sample([input], { rng: new Generator(seed) });
      return (stub.bodies.at(-1)!.sampling_params as { seed?: number }).seed;
    };
    expect(await seeds(1)).toBe(await seeds(1));
    expect(await seeds(1)).not.toBe(await seeds(2));
  });
});

const requestOf = (): EngineRequest => ({
  requestId: 'r',
  model: 'base-0',
  promptIds: input.promptIds,
  images: input.images,
  imageToken: IMAGE_TOKEN,
  maxNewTokens: 16,
  temperature: 1,
  topP: 1,
  topK: 0,
  seed: 1,
  stopTokenIds: [END_TOKEN],
});

describe('16 and 17. the handshake', () => {
  const greet = (engine: VllmEngine, options = {}) =>
    handshake(engine, { codec, input, model: 'base-0', constraints: true, ...options });

  it('accepts a server that does what training needs', async () => {
    const { engine } = await start();
    await greet(engine);
  });

  it('refuses log-probs of another distribution than the one sampled from', async () => {
    const { engine, stub } = await start();
    stub.logprobsMode = 'raw';
    await expect(greet(engine)).rejects.toMatchObject({
      code: 'LOGPROBS_NOT_BEHAVIOR',
      hint: expect.stringContaining('processed_logprobs'),
    });
  });

  it('refuses a server that reads other prompts, such as a picture in another size', async () => {
    const { engine } = await start();
    const unresized = { codec: { ...codec, resize: undefined }, input: { ...input, images: [picture(200, 200)] } };
    await expect(greet(engine, unresized)).rejects.toMatchObject({ code: 'PROMPT_MISMATCH' });
  });

  it('refuses a server that ignores constraints, and never sends their old names', async () => {
    const { engine, stub } = await start();
    stub.obeysConstraints = false;
    await expect(greet(engine)).rejects.toMatchObject({ code: 'CONSTRAINT_IGNORED' });
    expect(JSON.stringify(stub.bodies)).not.toContain('guided_');
  });

  it('refuses an adapter that is missing, or that comes from another folder', async () => {
    const { engine, stub } = await start();
    await expect(greet(engine, { model: 'policy-000001' })).rejects.toMatchObject({ code: 'ADAPTER_MISSING' });
    stub.adapters.set('policy-000001', '/elsewhere');
    const wrong = greet(engine, { model: 'policy-000001', adapterPath: '/here' });
    await expect(wrong).rejects.toMatchObject({ code: 'ADAPTER_WRONG', expected: '/here' });
  });

  it('refuses an engine that cannot serve training', async () => {
    const engine = new LlamaCppEngine({ url: 'http://127.0.0.1:9' });
    await expect(handshake(engine, { codec, input, model: 'm' })).rejects.toMatchObject({
      code: 'ENGINE_CANNOT_TRAIN',
    });
  });
});

describe('18. adapters', () => {
  it('are never visible half written, and loaded under a new name and folder per version', async () => {
    const { stub, replicas } = await start();
    const publisher = new AdapterPublisher({ replicas, folder });
    const torn = publisher.publish(1, async () => {
      throw new Error('disk full');
    });
    await expect(torn).rejects.toThrow('disk full');
    expect(await publisher.kept()).toEqual([]);
    expect(stub.adapters.size).toBe(0);
    for (const version of [1, 2]) {
      const { name } = await publisher.publish(version, writeAdapter);
      expect(name).toBe(adapterName(version));
    }
    expect([...stub.adapters]).toEqual(
      [1, 2].map((version) => [adapterName(version), join(folder, adapterName(version))]),
    );
  });

  it('keep their files while an order uses them, and lose them afterwards', async () => {
    const { stub, replicas } = await start();
    const publisher = new AdapterPublisher({ replicas, folder, keep: 1 });
    await publisher.publish(1, writeAdapter);
    publisher.use(1);
    for (const version of [2, 3, 4]) await publisher.publish(version, writeAdapter);
    expect(await publisher.kept()).toEqual([1, 3, 4].map(adapterName));
    await sample(samplerOf(replicas, adapterName(1)));
    await publisher.release(1);
    expect(await publisher.kept()).toEqual([3, 4].map(adapterName));
    expect([...stub.adapters.keys()]).toEqual([3, 4].map(adapterName));
  });

  it('take a replica that cannot load them out of rotation, and back in with the next version', async () => {
    const { stubs: started, replicas } = await start(2);
    started[1]!.refusesAdapters = true;
    const publisher = new AdapterPublisher({ replicas, folder });
    await publisher.publish(1, writeAdapter);
    expect(replicas.status().map(({ state }) => state)).toEqual(['healthy', 'behind']);
    for (let i = 0; i < 4; i++) await sample(samplerOf(replicas, adapterName(1)));
    expect(started.map(({ bodies }) => bodies.length)).toEqual([4, 0]);
    started[1]!.refusesAdapters = false;
    await publisher.publish(2, writeAdapter);
    expect(replicas.status().map(({ state }) => state)).toEqual(['healthy', 'healthy']);
  });
});

describe('18. adapters of a run that was cut off', () => {
  it('are published again from a new folder, which the server takes in place of the old one', async () => {
    const { stub, replicas } = await start();
    await new AdapterPublisher({ replicas, folder }).publish(1, writeAdapter);
    const resumed = new AdapterPublisher({ replicas, folder });
    const { name, path } = await resumed.publish(1, writeAdapter);
    expect(path).toBe(join(folder, `${adapterName(1)}.2`));
    expect([...stub.adapters]).toEqual([[name, path]]);
    expect(await resumed.kept()).toEqual([adapterName(1), `${adapterName(1)}.2`]);
    const sampler = samplerOf(replicas, name);
    await sample(sampler);
    expect(sampler.version).toBe(1);
  });

  it('count as loaded where the answer of the server was lost', async () => {
    const { stub, replicas } = await start();
    stub.losesAnswers = 1;
    const { name, path } = await new AdapterPublisher({ replicas, folder }).publish(1, writeAdapter);
    expect([...stub.adapters]).toEqual([[name, path]]);
    expect(replicas.status()).toMatchObject([{ state: 'healthy' }]);
  });
});

describe('19. failures', () => {
  it('waits for a server that is started again, and gives it the weights that it forgot', async () => {
    const problems: unknown[] = [];
    const { stub, replicas } = await start(1, {
      absentMs: 60_000,
      onAbsent: (problem: unknown) => problems.push(problem),
    });
    const publisher = new AdapterPublisher({ replicas, folder, absentMs: 60_000 });
    await publisher.publish(1, writeAdapter);
    await stub.close();
    const waiting = Promise.all([1, 2, 3].map(() => sample(samplerOf(replicas, adapterName(1)))));
    await publisher.restore();
    const again = await StubVllm.start(Number(new URL(stub.url).port));
    stubs.push(again);
    while (again.routes.filter((route) => route === '/inference/v1/generate').length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(again.adapters.size).toBe(0);
    await publisher.restore();
    expect((await waiting).map(([response]) => response!.text)).toEqual(['count', 'count', 'count']);
    expect([...again.adapters.keys()]).toEqual([adapterName(1)]);
    expect(problems).toHaveLength(1);
  });

  it('publishes to a server that is started again, and says at once that the first one is not there', async () => {
    const { stub, replicas } = await start();
    const publisher = new AdapterPublisher({ replicas, folder, absentMs: 60_000 });
    await publisher.publish(1, writeAdapter);
    await stub.close();
    const publishing = publisher.publish(2, writeAdapter);
    const again = await StubVllm.start(Number(new URL(stub.url).port));
    stubs.push(again);
    expect((await publishing).name).toBe(adapterName(2));
    await publisher.restore();
    expect([...again.adapters.keys()].sort()).toEqual([1, 2].map(adapterName));
    await again.close();
    const first = new AdapterPublisher({ replicas, folder, absentMs: 60_000 });
    await expect(first.publish(3, writeAdapter)).rejects.toMatchObject({ code: 'NO_HEALTHY_REPLICA' });
  });

  it('waits for a paused server, up to its limit', async () => {
    const { stub, replicas } = await start();
    stub.isPaused = true;
    const sampling = sample(samplerOf(replicas));
    while (stub.routes.length < 2) await new Promise((resolve) => setImmediate(resolve));
    stub.isPaused = false;
    expect((await sampling)[0]!.text).toBe('count');
    const impatient = await start(1, { pausedMs: 0 });
    impatient.stub.isPaused = true;
    await expect(sample(samplerOf(impatient.replicas))).rejects.toMatchObject({ code: 'NO_HEALTHY_REPLICA' });
  });

  it('asks another replica with the same ids when one dies in the middle of a response', async () => {
    const { stubs: started, replicas } = await start(2);
    started[0]!.diesInResponse = true;
    expect((await sample(samplerOf(replicas)))[0]!.text).toBe('count');
    const [dead, alive] = started.map(({ bodies }) => bodies[0]!);
    expect(alive!.token_ids).toEqual(dead!.token_ids);
    expect(alive!.request_id).not.toBe(dead!.request_id);
  });

  it('tells that no replica is left, as a failure of the model', async () => {
    const { stubs: started, replicas } = await start(2);
    await Promise.all(started.map((stub) => stub.close()));
    await expect(sample(samplerOf(replicas))).rejects.toMatchObject({ code: 'NO_HEALTHY_REPLICA', value: 2 });
  });

  it('lets a failing replica rest, and tries it again after a pause that doubles', async () => {
    let time = 0;
    const { stubs: started, replicas } = await start(2, { failures: 2, restMs: 1000, now: () => time });
    started[0]!.diesInResponse = true;
    const state = () => replicas.status()[0]!.state;
    for (let i = 0; i < 2; i++) await sample(samplerOf(replicas));
    expect(state()).toBe('resting');
    for (let i = 0; i < 5; i++) await sample(samplerOf(replicas));
    expect(started[0]!.bodies).toHaveLength(2);
    time = 1001;
    await sample(samplerOf(replicas));
    expect(started[0]!.bodies).toHaveLength(3);
    time = 2900;
    expect(state()).toBe('resting');
    time = 3100;
    started[0]!.diesInResponse = false;
    await sample(samplerOf(replicas));
    expect(state()).toBe('healthy');
  });

  it('does not ask another replica where the request itself is refused', async () => {
    const { stubs: started, replicas } = await start(2);
    for (const stub of started) stub.refusesRequests = true;
    await expect(sample(samplerOf(replicas))).rejects.toMatchObject({ code: 'MODEL_HTTP_ERROR', value: 400 });
    expect(started.map(({ bodies }) => bodies.length)).toEqual([1, 0]);
  });

  it('asks another replica where the first lacks the weights', async () => {
    const { stubs: started, replicas } = await start(2);
    started[1]!.adapters.set('policy-000009', folder);
    await writeAdapter(folder);
    expect((await sample(samplerOf(replicas, 'policy-000009')))[0]!.text).toBe('count');
    expect(started.map(({ bodies }) => bodies.length)).toEqual([1, 1]);
  });

  it('never repeats the key of a server in a message', async () => {
    const server = createServer((request, response) => {
      response.writeHead(401).end(`unknown key ${request.headers.authorization}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const engine = new VllmEngine({ url, apiKey: 'secret-key-of-the-server' });
    const error = await engine.health(AbortSignal.timeout(60_000)).catch((thrown) => thrown);
    server.close();
    expect(error).toMatchObject({ code: 'MODEL_HTTP_ERROR' });
    expect(error.message).not.toContain('secret-key');
  });
});

describe('20. weight versions', () => {
  it('land on the right tokens when weights change in the middle of a response', async () => {
    const { stub, replicas } = await start();
    stub.weightVersions = [
      { version: '4', start: 0, end: 2 },
      { version: '5', start: 2, end: 6 },
    ];
    const [response] = await sample(samplerOf(replicas));
    expect(response!.versions).toEqual([
      { version: 'base-0@4', start: 0, end: 2 },
      { version: 'base-0@5', start: 2, end: 6 },
    ]);
  });

  it('are an error where a token has none', async () => {
    const { stub, replicas } = await start();
    stub.weightVersions = [{ version: '4', start: 0, end: 2 }];
    await expect(sample(samplerOf(replicas))).rejects.toMatchObject({ code: 'TOKEN_VERSION_UNKNOWN' });
  });

  it('are the name of the adapter where only adapters change', async () => {
    const { stub, replicas } = await start();
    await new AdapterPublisher({ replicas, folder }).publish(12, writeAdapter);
    stub.weightVersions = [{ version: 'default', start: 0, end: 6 }];
    const sampler = samplerOf(replicas, adapterName(12));
    expect((await sample(sampler))[0]!.versions).toEqual([{ version: 'policy-000012', start: 0, end: 6 }]);
    expect(sampler.version).toBe(12);
  });
});

async function serveOnce(answer: unknown) {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const parts: Uint8Array[] = [];
    request
      .on('data', (part) => parts.push(part))
      .on('end', () => {
        bodies.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
        response.end(JSON.stringify(answer));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, bodies, close: () => server.close() };
}

describe('SGLang', () => {
  const recorded = {
    text: 'hi',
    output_ids: [104, 105, END_TOKEN],
    meta_info: {
      id: 'r',
      finish_reason: { type: 'stop' },
      prompt_tokens: input.promptIds.length,
      completion_tokens: 3,
      output_token_logprobs: [
        [-0.5, 104, null],
        [-0.25, 105, null],
        [-0.125, END_TOKEN, null],
      ],
      weight_version: '17',
      prompt_token_ids: Array.from(input.promptIds),
    },
  };

  it('gives ids, log-probs and the version of its weights', async () => {
    const server = await serveOnce(recorded);
    const response = await new SglangEngine({ url: server.url }).generate(requestOf(), AbortSignal.timeout(60_000));
    server.close();
    expect(Array.from(response.tokenIds)).toEqual([104, 105, END_TOKEN]);
    expect(Array.from(response.behaviorLogProbs)).toEqual([-0.5, -0.25, -0.125]);
    expect(response.versions).toEqual([{ version: 'base-0@17', start: 0, end: 3 }]);
    expect(server.bodies[0]).toMatchObject({ sampling_params: { top_k: -1, top_p: 1 }, return_logprob: true });
  });

  it('refuses cuts, whose distribution its log-probs do not describe', async () => {
    const engine = new SglangEngine({ url: 'http://127.0.0.1:9' });
    const asking = engine.generate({ ...requestOf(), topK: 5 }, AbortSignal.timeout(60_000));
    await expect(asking).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('llama.cpp', () => {
  it('gives probabilities as log-probs, with every default replaced', async () => {
    const server = await serveOnce({
      content: 'hi',
      tokens: [104, 105],
      stop_type: 'limit',
      completion_probabilities: [
        { id: 104, prob: 0.5 },
        { id: 105, prob: 0.25 },
      ],
    });
    const request = { ...requestOf(), images: [] };
    const response = await new LlamaCppEngine({ url: server.url }).generate(request, AbortSignal.timeout(60_000));
    server.close();
    expect(response).toMatchObject({ finishReason: 'length' });
    expect(Array.from(response.behaviorLogProbs)).toEqual(Array.from(Float32Array.of(Math.log(0.5), Math.log(0.25))));
    expect(server.bodies[0]).toMatchObject({ temperature: 1, top_k: 0, top_p: 1, min_p: 0, repeat_penalty: 1 });
  });

  const answer = async (body: object, request: Partial<EngineRequest> = {}) => {
    const server = await serveOnce(body);
    const asking = new LlamaCppEngine({ url: server.url });
    const asked = { ...requestOf(), images: [], ...request };
    const response = await asking
      .generate(asked, AbortSignal.timeout(60_000))
      .finally(() => server.close())
      .catch((error: unknown) => error);
    return { response: response as Awaited<ReturnType<LlamaCppEngine['generate']>>, body: server.bodies[0] };
  };

  // recorded from 11434 at temperature 2: an emoji of three tokens, and one that the limit cuts
  it('takes characters of several tokens, whose first tokens have no probability', async () => {
    const { response } = await answer({
      tokens: [104, 240, 159, 159, 105, 240],
      stop_type: 'limit',
      completion_probabilities: [
        { id: 104, prob: 0.5 },
        { id: 159, prob: 0.25 },
        { id: 105, prob: 0.125 },
      ],
    });
    expect(Array.from(response.tokenIds)).toEqual([104, 240, 159, 159, 105, 240]);
    const logs = [0.5, Number.NaN, Number.NaN, 0.25, 0.125, Number.NaN].map((prob) => Math.fround(Math.log(prob)));
    expect(Array.from(response.behaviorLogProbs)).toEqual(logs);
  });

  it.each([
    [[{ id: 105, prob: 0.5 }]],
    [
      [
        { id: 104, prob: 0.5 },
        { id: 104, prob: 0.5 },
      ],
    ],
  ])('refuses probabilities of other tokens: %j', async (completion_probabilities) => {
    const { response } = await answer({ tokens: [104, 240], stop_type: 'limit', completion_probabilities });
    expect(response).toMatchObject({ code: 'MODEL_ANSWER_INVALID' });
  });

  it('sends a choice as a grammar, and gives alternatives where asked', async () => {
    const choice = ['left', 'say "hi"\n', 'a\\b'];
    const { body, response } = await answer(
      { tokens: [104], completion_probabilities: [{ id: 104, prob: 0.5, top_probs: [{ prob: 0.5 }, { prob: 0.25 }] }] },
      { choice, alternatives: 2 },
    );
    expect(body).toMatchObject({ grammar: 'root ::= "left" | "say \\"hi\\"\\x0a" | "a\\\\b"', n_probs: 2 });
    expect(response.alternatives).toEqual([[Math.log(0.5), Math.log(0.25)]]);
  });

  it('ends at the tokens that the request names, also where the server continues', async () => {
    const completion_probabilities = [104, END_TOKEN, 105].map((id) => ({ id, prob: 0.5 }));
    const { response } = await answer({ tokens: [104, END_TOKEN, 105], stop_type: 'limit', completion_probabilities });
    expect(Array.from(response.tokenIds)).toEqual([104, END_TOKEN]);
    expect(response).toMatchObject({ finishReason: 'stop', versions: [{ start: 0, end: 2 }] });
  });

  it('refuses pictures', async () => {
    const asking = new LlamaCppEngine({ url: 'http://127.0.0.1:9' }).generate(requestOf(), AbortSignal.timeout(60_000));
    await expect(asking).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

const { VLGYM_TEST_VLLM: realUrl, VLGYM_TEST_VLLM_MODEL: realModel } = process.env;
const isReal = realUrl !== undefined && realModel !== undefined;
const why = isReal ? '' : ' (skipped: VLGYM_TEST_VLLM and VLGYM_TEST_VLLM_MODEL are not set)';
describe.skipIf(!isReal)(`a real vLLM${why}`, () => {
  it('reads our ids, gives log-probs of what it sampled, and obeys a choice', async () => {
    const engine = new VllmEngine({ url: realUrl! });
    const promptIds = Int32Array.from([9707, 11, 1879]);
    const signal = AbortSignal.timeout(120_000);
    const request = { ...requestOf(), model: realModel!, promptIds, images: [], imageToken: undefined };
    const response = await engine.generate({ ...request, temperature: 0.5, topK: 2, alternatives: 2 }, signal);
    expect(Array.from(response.promptIds!)).toEqual(Array.from(promptIds));
    const sum = response.alternatives![0]!.slice(0, 2).reduce((total, value) => total + Math.exp(value), 0);
    expect(sum).toBeCloseTo(1, 3);
    // one choice leaves nothing to draw, whatever the seed and the temperature
    const chosen = async (word: string, seed: number) => {
      const { tokenIds } = await engine.generate({ ...request, choice: [word], seed, temperature: 2 }, signal);
      return Array.from(tokenIds);
    };
    const word = await chosen('zqxvkjw', 1);
    expect(await chosen('zqxvkjw', 2)).toEqual(word);
    expect(await chosen('vkqzjxw', 1)).not.toEqual(word);
  });
});

const llamaUrl = process.env.VLGYM_TEST_LLAMA_CPP;
const whyNot = llamaUrl === undefined ? ' (skipped: VLGYM_TEST_LLAMA_CPP is not set)' : '';
describe.skipIf(llamaUrl === undefined)(`a real llama.cpp${whyNot}`, () => {
  const ask = (changes: Partial<EngineRequest>) => {
    const request = { ...requestOf(), promptIds: Int32Array.from([504, 3575, 282, 4649, 314]), images: [], ...changes };
    return new LlamaCppEngine({ url: llamaUrl! }).generate(request, AbortSignal.timeout(240_000));
  };

  it('answers at temperature 2, where characters of several tokens occur', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => ask({ maxNewTokens: 48, temperature: 2, seed, stopTokenIds: [2] })),
    );
    for (const { tokenIds, behaviorLogProbs } of answers) {
      expect(behaviorLogProbs).toHaveLength(tokenIds.length);
      expect(behaviorLogProbs.some((logProb) => logProb <= 0)).toBe(true);
    }
  });

  it('obeys a choice', async () => {
    const chosen = async (word: string, seed: number) =>
      Array.from((await ask({ choice: [word], seed, temperature: 2, maxNewTokens: 32, stopTokenIds: [2] })).tokenIds);
    const word = await chosen('zqxvkjw', 1);
    expect(await chosen('zqxvkjw', 2)).toEqual(word);
    expect(await chosen('vkqzjxw', 1)).not.toEqual(word);
  });
});
