/** Model folders that are damaged, or that describe what is not computed here: each is an error with a next step. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safetensors, setNumThreads, type Tensor, tensor } from '@vlgym/gpu';
import { createPolicy, inspectModel, loadModel, readModelFolder, type VlmPolicy } from '@vlgym/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeToyFolder } from '../scripts/toy-folder.js';

setNumThreads(1);

const home = mkdtempSync(join(tmpdir(), 'vlgym-folder-'));
const good = join(home, 'good');
beforeAll(() => writeToyFolder(good, { shards: 2 }));
afterAll(() => rmSync(home, { recursive: true }));

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

let copies = 0;
/** A copy of the good folder, changed. */
function damaged(change: (folder: string) => void): string {
  copies += 1;
  const folder = join(home, `copy-${copies}`);
  cpSync(good, folder, { recursive: true });
  change(folder);
  return folder;
}

type Json = Record<string, unknown>;

function editJson(folder: string, name: string, change: (json: Json) => void): void {
  const path = join(folder, name);
  const json = JSON.parse(readFileSync(path, 'utf8')) as Json;
  change(json);
  writeFileSync(path, JSON.stringify(json));
}

const SHARD = 'model-00002-of-00002.safetensors';

function editShard(folder: string, change: (weights: Map<string, Tensor>) => void): void {
  const path = join(folder, SHARD);
  const weights = safetensors.load(path);
  change(weights);
  safetensors.saveSync(path, weights);
}

const withConfig = (changes: Json) =>
  damaged((folder) => editJson(folder, 'config.json', (json) => Object.assign(json, changes)));

describe('a folder', () => {
  it('whose shard is missing says which', async () => {
    const folder = damaged((path) => rmSync(join(path, SHARD)));
    await expect(loadModel(folder)).rejects.toMatchObject({
      code: 'MODEL_FOLDER',
      message: expect.stringContaining(SHARD),
    });
  });

  it('whose shard is cut short is refused before a tensor is read', async () => {
    const folder = damaged((path) => truncateSync(join(path, SHARD), 20_000));
    await expect(loadModel(folder)).rejects.toMatchObject({ code: 'SAFETENSORS_INVALID' });
  });

  it('with a tensor of the wrong shape, a missing one and an unknown one names all three', async () => {
    const folder = damaged((path) =>
      editShard(path, (weights) => {
        weights.set('model.norm.weight', tensor([1, 2, 3]));
        weights.delete('model.layers.1.mlp.down_proj.weight');
        weights.set('model.layers.7.mlp.down_proj.weight', tensor([1]));
      }),
    );
    const error = await loadModel(folder).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'MODEL_WEIGHTS' });
    const { problems } = error as { problems: string[] };
    expect(problems).toEqual([
      'model.norm.weight is [3], not [32]',
      'unknown model.layers.7.mlp.down_proj.weight',
      'missing model.language_model.layers.1.mlp.down_proj.weight',
    ]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('with a weight of %d is refused', async (value) => {
    const folder = damaged((path) =>
      editShard(path, (weights) =>
        weights.get('model.layers.1.mlp.down_proj.weight')!.select(0, 0).select(0, 3).fill_(value),
      ),
    );
    await expect(loadModel(folder)).rejects.toMatchObject({
      code: 'MODEL_WEIGHTS',
      message: expect.stringContaining('model.layers.1.mlp.down_proj.weight holds NaN or infinity'),
    });
  });

  it('of an unknown model type names the known ones', async () => {
    await expect(readModelFolder(withConfig({ model_type: 'llava' }))).rejects.toMatchObject({
      code: 'MODEL_TYPE_UNSUPPORTED',
      expected:
        'qwen2_vl, qwen2_5_vl, qwen3_vl, llama, qwen2, qwen3, gemma3_text, mistral, idefics3, smolvlm, llava_next, gemma3, vlgym_composed',
    });
  });

  it('without a config.json, or with one that is not JSON, says so', async () => {
    await expect(readModelFolder(home)).rejects.toMatchObject({ code: 'MODEL_FOLDER' });
    const folder = damaged((path) => writeFileSync(join(path, 'config.json'), '{"model_type"'));
    await expect(readModelFolder(folder)).rejects.toMatchObject({ code: 'MODEL_FOLDER' });
  });

  it('whose index points outside of it is refused', async () => {
    const folder = damaged((path) =>
      editJson(path, 'model.safetensors.index.json', (json) => {
        (json.weight_map as Json)['model.norm.weight'] = '../good/model-00002-of-00002.safetensors';
      }),
    );
    await expect(readModelFolder(folder)).rejects.toMatchObject({ code: 'MODEL_FOLDER' });
  });

  it.each<[string, Json]>([
    ['vocab_size', { vocab_size: 1000, image_token_id: 999 }],
    ['image_token_id', { image_token_id: 5 }],
    ['vision_start_token_id', { vision_start_token_id: 1022 }],
  ])('whose tokenizer disagrees with %s is refused', async (_, changes) => {
    await expect(readModelFolder(withConfig(changes))).rejects.toMatchObject({ code: 'TOKENIZER_MISMATCH' });
  });

  it.each<[string, Json]>([
    ['rope_scaling.type', { rope_scaling: { type: 'yarn', factor: 4, mrope_section: [2, 1, 1] } }],
    ['use_sliding_window', { use_sliding_window: true, max_window_layers: 1 }],
    ['quantization_config', { quantization_config: { bits: 4 } }],
    ['hidden_act', { hidden_act: 'gelu' }],
    ['layer_types', { layer_types: ['full_attention', 'sliding_attention'] }],
  ])('whose %s changes the result is refused', async (key, changes) => {
    await expect(readModelFolder(withConfig(changes))).rejects.toMatchObject({ code: 'MODEL_CONFIG_UNSUPPORTED', key });
  });

  it('whose sizes contradict each other is refused', async () => {
    await expect(readModelFolder(withConfig({ num_key_value_heads: 3 }))).rejects.toMatchObject({
      code: 'MODEL_CONFIG_INVALID',
    });
  });

  it('too large for the memory of the machine is refused before it is read', async () => {
    const folder = damaged((path) => {
      rmSync(join(path, 'model.safetensors.index.json'));
      // 4 TB that take no room on the disk: a header, and a file that is as long as it says
      const bytes = 4e12;
      const header = JSON.stringify({
        'model.norm.weight': { dtype: 'F32', shape: [bytes / 4], data_offsets: [0, bytes] },
      });
      const prefix = Buffer.alloc(8);
      prefix.writeBigUInt64LE(BigInt(header.length));
      writeFileSync(join(path, 'model.safetensors'), Buffer.concat([prefix, Buffer.from(header)]));
      truncateSync(join(path, 'model.safetensors'), 8 + header.length + bytes);
    });
    await expect(createPolicy({ model: folder })).rejects.toMatchObject({ code: 'MODEL_TOO_LARGE', value: 4e12 });
    const { memory, available } = await inspectModel(folder);
    expect(memory.every(({ weights }) => weights > available)).toBe(true);
  });
});

describe('an adapter', () => {
  async function trained(model: string): Promise<VlmPolicy> {
    const policy = await createPolicy({ model, train: { lora: { r: 2, alpha: 4 } }, config: { valueHead: [4] } });
    open.push(policy);
    return policy;
  }

  it('for another base is refused, by its digest or by its shapes', async () => {
    const folder = join(home, 'adapter');
    await (await trained(good)).saveAdapter(folder);
    const other = join(home, 'other');
    await writeToyFolder(other, { seed: 7 });
    const policy = await trained(other);
    await expect(policy.loadAdapter(folder)).rejects.toMatchObject({ code: 'ADAPTER_MISMATCH' });
    const third = join(home, 'third');
    await writeToyFolder(third, { type: 'qwen3_vl' });
    await expect((await trained(third)).loadAdapter(folder)).rejects.toMatchObject({ code: 'ADAPTER_MISMATCH' });
  });

  it.each<[string, Json, string]>([
    ['of another rank', { r: 3 }, 'ADAPTER_MISMATCH'],
    ['with DoRA', { use_dora: true }, 'ADAPTER_UNSUPPORTED'],
    ['with more trained modules', { modules_to_save: ['lm_head'] }, 'ADAPTER_UNSUPPORTED'],
    ['of another kind', { peft_type: 'IA3' }, 'ADAPTER_FOLDER'],
  ])('%s is refused', async (_, changes, code) => {
    const folder = join(home, 'adapter-changed');
    const policy = await trained(good);
    await policy.saveAdapter(folder);
    editJson(folder, 'adapter_config.json', (json) => Object.assign(json, changes));
    await expect(policy.loadAdapter(folder)).rejects.toMatchObject({ code });
  });

  it('of a policy without adapters is an error', async () => {
    const policy = await createPolicy();
    open.push(policy);
    await expect(policy.saveAdapter(join(home, 'none'))).rejects.toMatchObject({ code: 'NO_ADAPTER' });
  });
});

it('a prompt with more image tokens than its pictures make is refused', async () => {
  const policy = await createPolicy({ model: good, config: { valueHead: [4] } });
  open.push(policy);
  const image = { data: new Uint8Array(28 * 28 * 3), height: 28, width: 28, channels: 3 } as const;
  const input = policy.encode([{ role: 'user', content: [{ type: 'image', image }] }]);
  const wrong = { ...input, promptIds: Int32Array.of(...input.promptIds, 1022) };
  const scored = policy.score([{ input: wrong, responseIds: Int32Array.of(1) }]);
  await expect(scored).rejects.toMatchObject({ code: 'IMAGE_MISSING' });
});
