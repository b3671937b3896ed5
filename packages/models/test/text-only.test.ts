/** Families that read text only: policies from their folders, and what those folders may ask for. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { evaluate, policyAgent } from '@vlgym/agents';
import { Generator } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, inspectModel, loadPolicy, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { NumberLineEnv } from '@vlgym/points24';
import { train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

setNumThreads(1);
const golden = (name: string) =>
  fileURLToPath(new URL(`../../../test/golden/text-models/${name}/model`, import.meta.url));
const FOLDERS = ['llama', 'llama_scaled', 'qwen2', 'qwen3', 'gemma3_text'] as const;
const CHATS = ['Which way?', 'And now, with a question that is longer than the first?'] as const;
const picture = { data: new Uint8Array(12), height: 2, width: 2, channels: 3 } as const;
const withPicture = [{ role: 'user', content: [{ type: 'image', image: picture }] }] as const;

let folder: string;
const open: VlmPolicy[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-text-'));
});
afterEach(async () => {
  for (const policy of open.splice(0)) policy.close();
  await rm(folder, { recursive: true });
});

async function policyOf(model: string, options: Parameters<typeof createPolicy>[0] = {}): Promise<VlmPolicy> {
  const train = { lora: { r: 2, alpha: 4 } };
  const policy = await createPolicy({ model, dtype: 'float32', config: { valueHead: [4] }, train, ...options });
  open.push(policy);
  return policy;
}

/** A copy of a golden folder with other keys in `config.json`. */
async function changed(name: string, keys: Readonly<Record<string, unknown>>): Promise<string> {
  await cp(golden(name), folder, { recursive: true });
  const path = join(folder, 'config.json');
  const config = { ...JSON.parse(await readFile(path, 'utf8')), ...keys };
  await writeFile(path, JSON.stringify(config));
  return folder;
}

describe.each(FOLDERS)('a policy from a folder of %s', (name) => {
  it('samples what scoring then finds as likely, with prompts of unequal length', async () => {
    const policy = await policyOf(golden(name));
    const inputs = CHATS.map((content) => policy.encode([{ role: 'user', content }]));
    const sampled = await policy.sample(inputs, { maxNewTokens: 12, rng: new Generator(3) });
    const { logProbs } = await policy.score(
      sampled.map(({ tokenIds }, i) => ({ input: inputs[i]!, responseIds: tokenIds })),
    );
    for (const [i, completion] of sampled.entries())
      for (const [t, logProb] of completion.logProbs.entries()) expect(logProb).toBeCloseTo(logProbs[i]![t]!, 4);
  });

  it('learns with adapters, with checkpointed activations as without, and comes back from a checkpoint', async () => {
    const losses = await Promise.all(
      [false, true].map(async (checkpointActivations) => {
        const policy = await policyOf(golden(name), { checkpointActivations });
        const input = policy.encode([{ role: 'user', content: CHATS[1] }]);
        const { ids: responseIds } = policy.encodeResponse('left');
        const loss = () => policy.accumulate([{ input, responseIds }], ({ logProbs }) => logProbs.sum().neg());
        const before = await loss();
        await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
        const after = await loss();
        expect(after).toBeLessThan(before);
        return after;
      }),
    );
    expect(losses[1]).toBeCloseTo(losses[0]!, 3);
    await open[0]!.save(folder);
    const loaded = await loadPolicy(folder, { model: golden(name) });
    open.push(loaded);
    expect(await loaded.weightsDigest()).toBe(await open[0]!.weightsDigest());
  });

  it('refuses pictures, and so does its codec', async () => {
    const codec = await openTokenCodec({ model: golden(name) });
    const policy = await policyOf(golden(name));
    const messages = [{ role: 'user', content: CHATS[0] }] as const;
    expect(codec.encode(messages).promptIds).toEqual(policy.encode(messages).promptIds);
    for (const reader of [codec, policy]) {
      expect(() => reader.encode(withPicture)).toThrow(expect.objectContaining({ code: 'MODEL_TEXT_ONLY', value: 1 }));
    }
    expect(() => codec.resize(picture)).toThrow(expect.objectContaining({ code: 'MODEL_TEXT_ONLY' }));
  });

  it('is inspected without its weights', async () => {
    const inspected = await inspectModel(golden(name), { lora: { r: 2, alpha: 4 } });
    expect(inspected).toMatchObject({ visionParameters: 0, modelType: name.replace('_scaled', '') });
    expect(inspected.adapterParameters).toBeGreaterThan(0);
    expect(inspected.samplerCopies.int8).toBeGreaterThan(inspected.parameters / 2);
  });
});

describe('an environment of pictures', () => {
  it('is refused before its first step, in an evaluation as in training', async () => {
    const policy = await policyOf(golden('llama'));
    const step = vi.spyOn(NumberLineEnv.prototype, 'step');
    const makeEnv = () => new NumberLineEnv({ size: { height: 84, width: 112 } });
    const refused = expect.objectContaining({ code: 'MODEL_TEXT_ONLY', hint: expect.stringContaining('in words') });
    await expect(evaluate({ env: async () => makeEnv(), agent: policyAgent(policy), seeds: [1] })).rejects.toEqual(
      refused,
    );
    await expect(
      train({ policy, algorithm: vlDac(), makeEnv, seed: 1, updates: 1, stepsPerUpdate: 1, numEnvs: 1 }),
    ).rejects.toEqual(refused);
    expect(step).not.toHaveBeenCalled();
  });
});

describe('an environment in words', () => {
  it('is played and learned from', async () => {
    const policy = await policyOf(golden('llama'));
    const makeEnv = () => new NumberLineEnv({ observation: 'text', dialogue: 'compact-v1', actionOnly: true });
    const agent = policyAgent(policy, { maxNewTokens: 4 });
    const { counted, excluded } = await evaluate({ env: async () => makeEnv(), agent, seeds: [1, 2] });
    expect([counted, excluded]).toEqual([2, 0]);
    const before = await policy.weightsDigest();
    const algorithm = vlDac({ rollout: { maxNewTokens: 4 } });
    await train({ policy, algorithm, makeEnv, seed: 1, updates: 1, stepsPerUpdate: 4, numEnvs: 2 });
    expect(await policy.weightsDigest()).not.toBe(before);
  });
});

describe('settings that are not computed are refused with their key:', () => {
  it.each([
    ['llama', { rope_parameters: { rope_type: 'dynamic', factor: 2, rope_theta: 1e4 } }, 'rope_scaling.rope_type'],
    ['llama', { rope_parameters: null, rope_scaling: { type: 'yarn', factor: 4 } }, 'rope_scaling.rope_type'],
    ['llama', { rope_parameters: { rope_type: 'longrope' } }, 'rope_scaling.rope_type'],
    ['qwen3', { rope_parameters: { full_attention: { rope_theta: 1e4 } } }, 'rope_parameters.full_attention'],
    ['llama', { hidden_act: 'gelu' }, 'hidden_act'],
    ['llama', { partial_rotary_factor: 0.5 }, 'partial_rotary_factor'],
    ['llama', { quantization_config: { bits: 4 } }, 'quantization_config'],
    ['qwen2', { use_sliding_window: false }, 'layer_types'],
    ['mistral', { layer_types: ['sliding_attention', 'full_attention'] }, 'layer_types'],
    ['qwen3', { layer_types: ['full_attention', 'chunked_attention'] }, 'layer_types'],
    ['qwen3', { layer_types: ['full_attention'] }, 'layer_types'],
    ['gemma3_text', { final_logit_softcapping: 30 }, 'final_logit_softcapping'],
    ['gemma3_text', { attn_logit_softcapping: 50 }, 'attn_logit_softcapping'],
    ['gemma3_text', { use_bidirectional_attention: true }, 'use_bidirectional_attention'],
  ] as const)('%s with %j', async (name, keys, key) => {
    await expect(inspectModel(await changed(name, keys))).rejects.toMatchObject({
      code: 'MODEL_CONFIG_UNSUPPORTED',
      key,
    });
  });

  it.each([
    ['llama', { num_key_value_heads: 3 }],
    ['llama', { rope_parameters: { rope_type: 'linear' } }],
    ['llama_scaled', { head_dim: 7 }],
    ['qwen2', { sliding_window: 0 }],
    ['gemma3_text', { query_pre_attn_scalar: -1 }],
  ] as const)('%s with %j describes no model', async (name, keys) => {
    await expect(inspectModel(await changed(name, keys))).rejects.toMatchObject({ code: 'MODEL_CONFIG_INVALID' });
  });
});
