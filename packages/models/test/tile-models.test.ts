/** Families that read pictures as tiles: policies from their folders, and what those folders may ask for. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatMessage, Generator } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, inspectModel, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

setNumThreads(1);
const golden = (name: string) =>
  fileURLToPath(new URL(`../../../test/golden/tile-models/${name}/model`, import.meta.url));
const FOLDERS = ['idefics3', 'smolvlm', 'llava_next', 'gemma3'] as const;

/** A picture of noise. */
function noise(height: number, width: number, channels: 1 | 3 | 4 = 3) {
  const rng = new Generator(height * width);
  const data = Uint8Array.from({ length: height * width * channels }, () => rng.integers(256));
  return { data, height, width, channels } as const;
}

function chat(...parts: (string | ReturnType<typeof noise>)[]): ChatMessage[] {
  const content = parts.map((part) =>
    typeof part === 'string' ? ({ type: 'text', text: part } as const) : ({ type: 'image', image: part } as const),
  );
  return [{ role: 'user', content }];
}

let folder: string;
const open: VlmPolicy[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-tiles-'));
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

describe.each(FOLDERS)('a policy from a folder of %s', (name) => {
  it('samples what scoring then finds as likely, with pictures of any shape, cached or not', async () => {
    const chats = [chat(noise(20, 90), 'Which way?', noise(31, 24, 4)), chat('the'), chat(noise(1, 3, 1), 'And?')];
    const found = [];
    for (const imageCacheBytes of [0, 2 ** 20]) {
      const policy = await policyOf(golden(name), { imageCacheBytes });
      const inputs = chats.map((messages) => policy.encode(messages));
      const sampled = await policy.sample(inputs, { maxNewTokens: 5, rng: new Generator(3) });
      const { logProbs } = await policy.score(
        sampled.map(({ tokenIds }, i) => ({ input: inputs[i]!, responseIds: tokenIds })),
      );
      for (const [i, { logProbs: own }] of sampled.entries())
        for (const [t, logProb] of own.entries()) expect(logProb).toBeCloseTo(logProbs[i]![t]!, 4);
      found.push(sampled.map(({ tokenIds }) => [...tokenIds]));
    }
    expect(found[1]).toEqual(found[0]);
  });

  it('has a codec that encodes as it does, without its weights', async () => {
    const policy = await policyOf(golden(name));
    const codec = await openTokenCodec({ model: golden(name) });
    const messages = chat(noise(24, 36), 'Which way?');
    expect(codec.encode(messages).promptIds).toEqual(policy.encode(messages).promptIds);
    expect([...codec.encode(messages).promptIds].filter((id) => id === codec.imageToken)).toHaveLength(
      codec.imageTokens({ height: 24, width: 36 }),
    );
  });

  it('refuses a text with the token of a picture, and a picture without pixels', async () => {
    const codec = await openTokenCodec({ model: golden(name) });
    const text = name === 'gemma3' ? '<image_soft_token>' : '<image>';
    expect(() => codec.encode(chat(noise(9, 9), text))).toThrow(expect.objectContaining({ code: 'IMAGE_MISSING' }));
    expect(() => codec.imageTokens({ height: 0, width: 9 })).toThrow(expect.objectContaining({ code: 'IMAGE_SIZE' }));
  });
});

/** A copy of a golden folder with other keys in `config.json`, or in the picture processor's part of `processor_config.json`. */
async function changed(
  name: string,
  keys: object,
  file: 'config' | 'pictures' | 'processor' = 'config',
  copies = true,
) {
  if (copies) await cp(golden(name), folder, { recursive: true });
  const path = join(folder, file === 'config' ? 'config.json' : 'processor_config.json');
  const json = JSON.parse(await readFile(path, 'utf8'));
  Object.assign(file === 'pictures' ? json.image_processor : json, keys);
  await writeFile(path, JSON.stringify(json));
  return folder;
}

describe('settings that are not computed are refused with their key:', () => {
  it.each([
    ['idefics3', { text_config: { model_type: 'phi3' } }, 'text_config.model_type'],
    ['idefics3', { vision_config: { image_size: [24, 36] } }, 'vision_config.image_size'],
    ['idefics3', { vision_config: { hidden_act: 'relu' } }, 'vision_config.hidden_act'],
    ['llava_next', { vision_config: { model_type: 'vit' } }, 'vision_config.model_type'],
    ['llava_next', { vision_feature_select_strategy: 'full' }, 'vision_feature_select_strategy'],
    ['llava_next', { image_grid_pinpoints: [[16, 16]] }, 'preprocessor image_grid_pinpoints'],
    ['llava_next', { projector_hidden_act: 'relu' }, 'projector_hidden_act'],
    ['gemma3', { quantization_config: { bits: 4 } }, 'quantization_config'],
  ] as const)('%s with %j', async (name, keys, key) => {
    const opened = inspectModel(await changed(name, keys));
    await expect(opened).rejects.toMatchObject({ code: 'MODEL_CONFIG_UNSUPPORTED', key });
  });

  it.each([
    ['idefics3', 'processor', { image_seq_len: 9 }, 'processor image_seq_len'],
    ['idefics3', 'pictures', { size: { shortest_edge: 20 } }, 'preprocessor size'],
    ['smolvlm', 'pictures', { resample: 0 }, 'preprocessor resample'],
    ['llava_next', 'pictures', { size: { shortest_edge: 20 } }, 'preprocessor size'],
    ['llava_next', 'processor', { patch_size: 8 }, 'processor patch_size'],
    ['gemma3', 'pictures', { size: { height: 24, width: 30 } }, 'preprocessor size.width'],
    ['gemma3', 'processor', { image_seq_length: 4 }, 'processor image_seq_length'],
  ] as const)('%s whose %s settings have %j', async (name, file, keys, key) => {
    const opened = inspectModel(await changed(name, keys, file));
    await expect(opened).rejects.toMatchObject({ code: 'MODEL_CONFIG_UNSUPPORTED', key });
  });

  it.each([
    ['idefics3', { scale_factor: 3 }],
    ['llava_next', { vision_feature_layer: 9 }],
    ['gemma3', { mm_tokens_per_image: 5 }],
  ] as const)('%s with %j describes no model', async (name, keys) => {
    const tokens = name === 'gemma3' ? { image_seq_length: 5 } : {};
    await changed(name, tokens, 'processor');
    await expect(inspectModel(await changed(name, keys, 'config', false))).rejects.toMatchObject({
      code: 'MODEL_CONFIG_INVALID',
    });
  });

  it('a tokenizer whose token of pictures has another id', async () => {
    await expect(inspectModel(await changed('llava_next', { image_token_index: 3 }))).rejects.toMatchObject({
      code: 'TOKENIZER_MISMATCH',
    });
  });
});
