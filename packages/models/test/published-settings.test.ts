/** Settings that transformers reads in its own order: those of rotary positions, and the output layer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safetensors, setNumThreads } from '@vlgym/gpu';
import { loadModel, readModelFolder } from '@vlgym/models';
import { afterAll, describe, expect, it } from 'vitest';
import { type ToyType, writeToyFolder } from '../scripts/toy-folder.js';

setNumThreads(1);

const home = mkdtempSync(join(tmpdir(), 'vlgym-settings-'));
afterAll(() => rmSync(home, { recursive: true }));

let folders = 0;
async function toy(type: ToyType, config: Readonly<Record<string, unknown>> = {}): Promise<string> {
  folders += 1;
  const folder = join(home, `folder-${folders}`);
  await writeToyFolder(folder, { type, config });
  return folder;
}

const llama3 = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 };

describe('rotary positions', () => {
  it('are those of rope_scaling where rope_parameters stand beside it', async () => {
    const rope_parameters = { rope_type: 'default', rope_theta: 1e4 };
    const folder = await toy('llama', { rope_parameters, rope_scaling: { rope_type: 'linear', factor: 4 } });
    expect((await readModelFolder(folder)).config).toMatchObject({
      ropeTheta: 1e6,
      ropeScaling: { type: 'linear', factor: 4 },
    });
  });

  it('are those of rope_parameters where rope_scaling is empty', async () => {
    const folder = await toy('llama', {
      rope_parameters: { rope_type: 'linear', factor: 2, rope_theta: 1e4 },
      rope_scaling: {},
    });
    expect((await readModelFolder(folder)).config).toMatchObject({ ropeTheta: 1e4, ropeScaling: { factor: 2 } });
  });

  it('take the length of the first training from beside the settings, then from them, then the whole length', async () => {
    const lengthOf = async (config: Readonly<Record<string, unknown>>) => {
      const folder = await toy('qwen3', { max_position_embeddings: 99, ...config });
      const { ropeScaling } = (await readModelFolder(folder)).config as never as { ropeScaling: object };
      return (ropeScaling as { originalMaxPositionEmbeddings: number }).originalMaxPositionEmbeddings;
    };
    const rope_scaling = { ...llama3, original_max_position_embeddings: 64 };
    expect(await lengthOf({ rope_scaling, original_max_position_embeddings: 32 })).toBe(32);
    expect(await lengthOf({ rope_scaling })).toBe(64);
    expect(await lengthOf({ rope_scaling: llama3 })).toBe(99);
  });
});

it('windows of Qwen2 have 4096 tokens where the file turns them on and gives no size', async () => {
  const folder = await toy('qwen2', { use_sliding_window: true, sliding_window: undefined, max_window_layers: 1 });
  expect((await readModelFolder(folder)).config).toMatchObject({ windows: [null, 4096] });
});

describe('an output layer that is stored beside tied embeddings', () => {
  async function withOutput(change: (value: number) => number): Promise<string> {
    const folder = await toy('qwen2');
    const path = join(folder, 'model.safetensors');
    const weights = safetensors.load(path);
    const table = weights.get('model.embed_tokens.weight')!;
    weights.set('lm_head.weight', table.newTensor(table.toNumbers().map(change)).view(table.shape));
    safetensors.saveSync(path, weights);
    expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toMatchObject({ tie_word_embeddings: true });
    return folder;
  }

  it('is left out if it has the same numbers', async () => {
    const { model } = await loadModel(await withOutput((value) => value));
    expect(model).toMatchObject({ lm_head: null, config: { tieWordEmbeddings: true } });
    model.dispose();
  });

  it('is read if it has others, as transformers 5 does', async () => {
    const { model } = await loadModel(await withOutput((value) => 2 * value));
    expect(model).toMatchObject({ config: { tieWordEmbeddings: false } });
    const { embed_tokens } = (model as never as { model: { embed_tokens: { weight: { toNumbers(): number[] } } } })
      .model;
    const [output, table] = [model.outputWeight!()!.toNumbers(), embed_tokens.weight.toNumbers()];
    expect(output).toEqual(table.map((value) => 2 * value));
    model.dispose();
  });
});

it('embeddings of Qwen2.5-VL are tied where only the decoder says so', async () => {
  const folder = await toy('qwen2_5_vl');
  const path = join(folder, 'config.json');
  const { vision_config, model_type, image_token_id, ...text } = JSON.parse(readFileSync(path, 'utf8'));
  const text_config = { ...text, tie_word_embeddings: true };
  const whole = { model_type, image_token_id, vision_config, text_config, tie_word_embeddings: false };
  writeFileSync(path, JSON.stringify(whole));
  expect((await readModelFolder(folder)).config).toMatchObject({ tieWordEmbeddings: true });
});

describe('a folder of Qwen2.5-VL', () => {
  it('with one file of weights and a stale index is read from the file', async () => {
    const folder = await toy('qwen2_5_vl');
    const stale = { weight_map: { 'model.norm.weight': 'model-00001-of-00002.safetensors' } };
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify(stale));
    const { model } = await loadModel(folder);
    model.dispose();
  });

  it.each<[string, object]>([
    ['preprocessor size', { size: { height: 16, width: 16 } }],
    ['preprocessor size', { size: { longest_edge: 900 } }],
    ['preprocessor size', { size: [2, 0] }],
    ['preprocessor rescale_factor', { rescale_factor: { height: 16 } }],
  ])('whose %s is %j is refused', async (key, preprocessor) => {
    const folder = await toy('qwen2_5_vl');
    writeFileSync(join(folder, 'preprocessor_config.json'), JSON.stringify(preprocessor));
    await expect(readModelFolder(folder)).rejects.toMatchObject({ code: 'MODEL_CONFIG_UNSUPPORTED', key });
  });
});
