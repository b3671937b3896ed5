/** A real llama.cpp on pretrained weights: ids in and out, parity, adapters, choices, and evaluation by `vlgym eval`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, openAICompatibleAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { LlamaCppEngine } from '@vlgym/queue/engines';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import '@vlgym/alfworld';
import { vlgym } from '../support/vlgym.js';
import { adaptedPolicy, compare, largest, peftScores, requestOf, runPython, TOLERANCE, words } from './policies.js';
import { home, modelFolder, type RealServer, reason, startLlamaCpp } from './servers.js';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 3_600_000 });

const signal = () => AbortSignal.timeout(1_800_000);
const JSON_ANSWER = {
  type: 'object',
  properties: { thoughts: { type: 'string', maxLength: 40 }, action: { type: 'string', enum: ['look', 'inventory'] } },
  required: ['thoughts', 'action'],
  additionalProperties: false,
};

describe.skipIf(home === undefined)(`a real llama.cpp${reason}`, () => {
  let server: RealServer;
  let engine: LlamaCppEngine;
  let policy: VlmPolicy;
  let work = '';
  beforeAll(async () => {
    setNumThreads(1);
    work = mkdtempSync(join(tmpdir(), 'vlgym-real-'));
    policy = await adaptedPolicy();
    await policy.saveAdapter(join(work, 'adapter'));
    await runPython('adapter_to_gguf.py', [join(work, 'adapter'), modelFolder, join(work, 'adapter.gguf')]);
    server = await startLlamaCpp(join(work, 'adapter.gguf'));
    engine = new LlamaCppEngine({ url: server.url });
  });
  afterAll(async () => {
    policy?.close();
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  async function apply(scale: number) {
    const body = JSON.stringify([{ id: 0, scale }]);
    const answer = await fetch(`${server.url}/lora-adapters`, { method: 'POST', body, signal: signal() });
    expect(answer.status).toBe(200);
  }

  it('computes the log-probs of the base and of the adapter as peft and this package do', async () => {
    await apply(0);
    const base = await compare(engine, policy);
    await apply(1);
    const adapted = await compare(engine, policy);
    await apply(0);
    for (const { served } of [base, adapted]) expect(Math.min(...served)).toBeLessThan(-0.5);
    const ofBase = await peftScores(join(work, 'adapter'), base.input.promptIds, base.tokenIds);
    const ofAdapter = await peftScores(join(work, 'adapter'), adapted.input.promptIds, adapted.tokenIds);
    expect(largest(base.served, ofBase.base)).toBeLessThan(TOLERANCE);
    expect(largest(adapted.served, ofAdapter.adapter)).toBeLessThan(TOLERANCE);
    expect(largest(adapted.served, adapted.ours)).toBeLessThan(TOLERANCE);
  });

  it('changes its log-probs with an adapter that is put into force while it runs', async () => {
    await apply(1);
    const { input, tokenIds, served } = await compare(engine, policy);
    await apply(0);
    const { base } = await peftScores(join(work, 'adapter'), input.promptIds, tokenIds);
    expect(largest(served, base)).toBeGreaterThan(2 * TOLERANCE);
  });

  it('draws by the seed, and gives log-probs of what it drew', async () => {
    const input = policy.encode(words);
    const draw = async (seed: number) => engine.generate(requestOf(input, { seed, maxNewTokens: 24 }), signal());
    const [first, again, other] = [await draw(3), await draw(3), await draw(4)];
    expect(again!.tokenIds).toEqual(first!.tokenIds);
    expect(other!.tokenIds).not.toEqual(first!.tokenIds);
    expect(first!.behaviorLogProbs).toHaveLength(first!.tokenIds.length);
    for (const logProb of first!.behaviorLogProbs) expect(logProb).toBeLessThanOrEqual(0);
  });

  it('ends at a token that the request names', async () => {
    const input = policy.encode(words);
    const greedy = await engine.generate(requestOf(input, { temperature: 0 }), signal());
    const stop = greedy.tokenIds[4]!;
    const { tokenIds, finishReason } = await engine.generate(
      requestOf(input, { temperature: 0, stopTokenIds: [2, stop] }),
      signal(),
    );
    expect([...tokenIds]).toEqual([...greedy.tokenIds.slice(0, greedy.tokenIds.indexOf(stop) + 1)]);
    expect(finishReason).toBe('stop');
  });

  it('answers where characters are of several tokens', async () => {
    const input = policy.encode(words);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, seed) =>
        engine.generate(requestOf(input, { seed, temperature: 2, maxNewTokens: 48 }), signal()),
      ),
    );
    const parts = answers.flatMap(({ behaviorLogProbs }) => [...behaviorLogProbs].filter(Number.isNaN));
    // a token in the middle of a character has no log-prob: without one nothing was tried here
    expect(parts.length).toBeGreaterThan(0);
    for (const { tokenIds, behaviorLogProbs } of answers) expect(behaviorLogProbs).toHaveLength(tokenIds.length);
  });

  it('obeys a choice', async () => {
    const { decode, encode } = await openTokenCodec({ model: modelFolder });
    for (const seed of [1, 2, 3, 4]) {
      const choice = ['zqxvkjw', 'vkqzjxw'];
      const request = requestOf(encode(words), { choice, seed, temperature: 2, maxNewTokens: 32 });
      const { tokenIds } = await engine.generate(request, signal());
      expect(choice).toContain(decode(tokenIds).text);
    }
  });

  it('is judged by `vlgym eval`, in words', async () => {
    const { code, stdout } = await vlgym([
      ...['eval', 'vlgym/ALFWorld-v2', '--agent', 'openai', '--model', 'base', '--base-url', `${server.url}/v1`],
      ...['--episodes', '1', '--env-options', '{"maxSteps":3}', '--json', '--settings', 'maxOutputTokens=32'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  it('holds the answers of an agent to a JSON schema', async () => {
    const schema = { name: 'turn', strict: true, schema: JSON_ANSWER };
    const agent = openAICompatibleAgent({
      ...{ baseURL: `${server.url}/v1`, model: 'base', timeoutMs: 1_800_000 },
      settings: {
        ...{ maxOutputTokens: 96, temperature: 1, seed: 1 },
        providerOptions: { openaiCompatible: { response_format: { type: 'json_schema', json_schema: schema } } },
      },
    });
    const env = () => make('vlgym/ALFWorld-v2', { options: { maxSteps: 3 } });
    const { episodes } = await evaluate({ env, agent, seeds: [0] });
    expect(episodes).toMatchObject([{ length: 3, spoken: 3, formatValid: 3, legal: 3 }]);
  });

  it('refuses pictures before the first episode', async () => {
    const { code, stdout, stderr } = await vlgym([
      ...['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'base', '--base-url', `${server.url}/v1`],
      ...['--episodes', '20', '--json', '--record', join(work, 'pictures')],
    ]);
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('serve a model that reads pictures');
  });
});
