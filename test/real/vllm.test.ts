/** A real vLLM on pretrained weights: evaluation, parity, adapters, and training from a warm start. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatMessage, Generator } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, loadPolicy, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { handshake, RemoteSampler, Replicas, VllmEngine } from '@vlgym/queue';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vlgym } from '../support/vlgym.js';
import { home, modelFolder, python, type RealServer, reason, startVllm } from './servers.js';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 3_600_000 });

const TOLERANCE = 1e-2;
const RANK = 16;

const picture = { data: Uint8Array.from({ length: 84 * 112 * 3 }, (_, i) => (i * 7) % 251), height: 84, width: 112 };
const chats: Readonly<Record<string, readonly ChatMessage[]>> = {
  words: [{ role: 'user', content: [{ type: 'text', text: 'The capital of France is' }] }],
  'a picture': [
    {
      role: 'user',
      content: [
        { type: 'image', image: { ...picture, channels: 3 } },
        { type: 'text', text: '\nMake 12. JSON keys: cards, formula, thoughts, action.' },
      ],
    },
  ],
};

describe.skipIf(home === undefined)(`a real vLLM${reason}`, () => {
  let server: RealServer;
  let work = '';
  beforeAll(async () => {
    setNumThreads(1);
    work = mkdtempSync(join(tmpdir(), 'vlgym-real-'));
    server = await startVllm();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  /** Log-probs of what the server samples with these weights, by the server and by the policy. */
  async function compare(policy: VlmPolicy, messages: readonly ChatMessage[], model: string) {
    const codec = await openTokenCodec({ model: modelFolder });
    const replicas = new Replicas([new VllmEngine({ url: server.url })]);
    const sampler = new RemoteSampler({ replicas, codec, model: () => model, name: `parity-${model}` });
    const options = { rng: [new Generator(3)], maxNewTokens: 12, temperature: 1 };
    const [response] = await sampler.sample([codec.encode(messages)], options);
    const { tokenIds, behaviorLogProbs } = response!;
    const input = policy.encode(messages);
    const { logProbs } = await policy.score([{ input, responseIds: tokenIds }]);
    return { input, tokenIds, served: [...behaviorLogProbs], ours: [...logProbs[0]!] };
  }

  it.each(Object.keys(chats))('computes the log-probs of the base as this package does, of %s', async (name) => {
    const policy = await createPolicy({ model: modelFolder, train: { lora: { r: RANK, alpha: 2 * RANK } } });
    const { served, ours } = await compare(policy, chats[name]!, 'base');
    policy.close();
    expect(served.length).toBeGreaterThan(3);
    // a model that is certain of everything would agree with anything
    expect(Math.min(...served)).toBeLessThan(-0.5);
    expect(largest(served, ours)).toBeLessThan(TOLERANCE);
  });

  it('passes the handshake, choices included', async () => {
    const codec = await openTokenCodec({ model: modelFolder });
    const input = codec.encode(chats.words!);
    await handshake(new VllmEngine({ url: server.url }), { codec, input, model: 'base', constraints: true });
  });

  it('is judged by `vlgym eval`', async () => {
    const { code, stdout } = await vlgym([
      ...['eval', 'vlgym/NumberLine-v1', '--agent', 'openai', '--model', 'base', '--base-url', `${server.url}/v1`],
      ...['--episodes', '2', '--parallel', '2', '--json', '--settings', 'maxOutputTokens=32'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  describe('as the sampler of two updates of VL-DAC from a warm start', () => {
    let run = '';
    let adapters = '';
    let newest = '';
    beforeAll(async () => {
      run = join(work, 'run');
      adapters = join(work, 'adapters');
      const set = {
        value: { warmupUpdates: 0 },
        optimizer: { epochs: 1, batch: 4, microBatch: 1 },
        rollout: { maxNewTokens: 32 },
      };
      const { code, stderr } = await vlgym([
        ...['train', 'vl-dac', '--env', 'vlgym/EZPoints-v1', '--model', modelFolder, '--lora-rank', String(RANK)],
        ...['--dtype', 'float32', '--checkpoint-activations', '--num-envs', '2', '--steps-per-update', '4'],
        ...['--updates', '2', '--evaluation-episodes', '1', '--warm-start-examples', '1', '--threads', '1'],
        ...['--set', JSON.stringify(set), '--sampler', server.url, '--adapters', adapters, '--folder', run],
      ]);
      expect(stderr).toMatch(/computes the learner's policy: k3 \S+ over \d+ tokens/);
      expect(code).toBe(0);
      newest = readdirSync(adapters)
        .filter((name) => name.startsWith('policy-'))
        .sort()
        .at(-1)!;
    });

    it('has the warm start from the first token on: k3 below 1e-3', () => {
      const updates = readFileSync(join(run, 'metrics.jsonl'), 'utf8').trim().split('\n');
      const metrics = updates.map((line) => JSON.parse(line).metrics).filter((each) => 'mismatch/k3' in each);
      expect(metrics).toHaveLength(2);
      for (const each of metrics) {
        expect(each['queue/probe-k3']).toBeLessThan(1e-3);
        expect(each['mismatch/k3']).toBeLessThan(1e-3);
      }
    });

    it('serves adapters that change log-probs, and that peft computes as we do', async () => {
      const config = JSON.parse(readFileSync(join(adapters, newest, 'adapter_config.json'), 'utf8'));
      expect(config).toMatchObject({ r: 2 * RANK, base_model_name_or_path: modelFolder });
      const policy = await loadPolicy(join(run, 'checkpoint-000001', 'policy'));
      const { input, tokenIds, served, ours } = await compare(policy, chats.words!, newest);
      policy.close();
      expect(largest(served, ours)).toBeLessThan(TOLERANCE);
      const given = JSON.stringify({ prompt: [...input.promptIds], response: [...tokenIds] });
      const script = fileURLToPath(new URL('peft_scores.py', import.meta.url));
      const answer = execFileSync(python, [script, modelFolder, join(adapters, newest)], {
        input: given,
        encoding: 'utf8',
        env: { ...process.env, HF_HUB_OFFLINE: '1' },
      });
      const { base, adapter } = JSON.parse(answer) as Record<'base' | 'adapter', number[]>;
      expect(largest(ours, adapter)).toBeLessThan(TOLERANCE);
      expect(largest(base, adapter)).toBeGreaterThan(2 * TOLERANCE);
    });

    it('is stopped beyond the tolerance that is stated', async () => {
      const { code, stderr } = await vlgym([
        ...['train', 'vl-dac', '--env', 'vlgym/EZPoints-v1', '--model', modelFolder, '--lora-rank', String(RANK)],
        ...['--dtype', 'float32', '--num-envs', '2', '--steps-per-update', '4', '--updates', '1', '--threads', '1'],
        ...['--evaluation-episodes', '1', '--start', join(run, 'start'), '--probe-tolerance', '1e-20'],
        ...['--sampler', server.url, '--adapters', join(work, 'others'), '--folder', join(work, 'refused')],
      ]);
      expect(stderr).toContain('SAMPLER_DIFFERS');
      expect(code).toBe(1);
    });
  });
});

const largest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((value, index) => Math.abs(value - b[index]!)));
