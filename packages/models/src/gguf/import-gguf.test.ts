/**
 * Models of toy size that gguf-py wrote, as folders: names, shapes and numbers as the script knows them from the model that it
 * packed (`test/golden/make-gguf.py`).
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { safetensors } from '@vlgym/gpu';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../pretrained/load-model.js';
import { readModelFolder } from '../pretrained/model-folder.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { type GgufPlan, importGguf } from './import-gguf.js';

const golden = fileURLToPath(new URL('../../../../test/golden/gguf/', import.meta.url));
type Expected = Readonly<Record<string, { readonly shape: readonly number[]; readonly sha256: string }>>;
const expected: Readonly<Record<string, Expected>> = JSON.parse(readFileSync(join(golden, 'tensors.json'), 'utf8'));
const json = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'vlgym-gguf-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The weights of a folder: name → shape and numbers. */
function weightsOf(folder: string): Record<string, { shape: number[]; values: Float32Array }> {
  using file = new safetensors.SafetensorsFile(join(folder, 'model.safetensors'));
  return Object.fromEntries(
    file.keys().map((name) => {
      const tensor = file.get(name);
      return [
        name,
        {
          shape: [...tensor.shape],
          values: Float32Array.from(tensor.to({ dtype: 'float32' }).toArray() as Float32Array),
        },
      ];
    }),
  );
}

describe.each(['llama', 'qwen2', 'qwen3'])('a GGUF file of %s', (architecture) => {
  const file = join(golden, `${architecture}.gguf`);

  it("becomes a folder with transformers' names, shapes and numbers, equal to the bit", async () => {
    const folder = join(home, architecture);
    await importGguf(file, folder);
    const written = Object.entries(weightsOf(folder)).map(([name, { shape, values }]) => {
      return [name, { shape, sha256: createHash('sha256').update(values).digest('hex') }];
    });
    expect(Object.fromEntries(written)).toEqual(expected[architecture]);
    expect(json(folder, 'config.json')).toMatchObject({
      ...{ model_type: architecture, hidden_size: 32, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 8 },
      ...{ rms_norm_eps: 1e-6, rope_theta: 10000, vocab_size: 266, max_position_embeddings: 128 },
      ...{ tie_word_embeddings: architecture !== 'qwen2', torch_dtype: 'float32', bos_token_id: 1, eos_token_id: 2 },
    });
    expect(json(folder, 'generation_config.json')).toEqual({ bos_token_id: 1, eos_token_id: 2, pad_token_id: 2 });
    expect(json(folder, 'tokenizer_config.json')).toMatchObject({ eos_token: '<|im_end|>', bos_token: '<|im_start|>' });
  });

  it('becomes a folder that loads as a model of its family', async () => {
    const folder = join(home, `${architecture}-loaded`);
    await importGguf(file, folder);
    const loaded = await readModelFolder(folder);
    expect(loaded.modelType).toBe(architecture);
    expect(loaded.tokenizer.size).toBe(266);
    expect(loaded.chatTemplate.endTokens).toEqual(['<|im_end|>']);
    const parts = [{ type: 'text', text: 'hello' } as const, { type: 'text', text: ' 12' } as const];
    expect(loaded.chatTemplate.render([{ role: 'user', content: parts }]).text).toBe(
      '<|im_start|>user\nhello 12<|im_end|>\n<|im_start|>assistant\n',
    );
    const { model } = await loadModel(folder);
    expect(model.config.vocabSize).toBe(266);
  });

  it.each(['bfloat16', 'float16'] as const)('is rounded to %s as libtorch rounds', async (dtype) => {
    const folder = join(home, `${architecture}-${dtype}`);
    await importGguf(file, folder, { dtype });
    const exact = join(home, `${architecture}-exact-${dtype}`);
    await importGguf(file, exact);
    using narrow = new safetensors.SafetensorsFile(join(folder, 'model.safetensors'));
    using wide = new safetensors.SafetensorsFile(join(exact, 'model.safetensors'));
    expect(narrow.keys()).toEqual(wide.keys());
    for (const name of narrow.keys()) {
      expect(narrow.get(name).dtype).toBe(dtype);
      const rounded = wide.get(name).to({ dtype }).to({ dtype: 'float32' }).toArray();
      expect(narrow.get(name).to({ dtype: 'float32' }).toArray()).toEqual(rounded);
    }
    expect(json(folder, 'config.json').torch_dtype).toBe(dtype);
  });
});

describe('the folder', () => {
  const file = join(golden, 'llama.gguf');

  it('has a tokenizer that merges, splits digits, and knows its special tokens', async () => {
    const folder = join(home, 'tokenizer');
    await importGguf(file, folder);
    const tokenizer = await TextTokenizer.fromFolder(folder);
    const text = 'hello 12 héllo\n<extra>!';
    const ids = tokenizer.encode(`<|im_start|>${text}<|im_end|>`);
    expect(ids[0]).toBe(1);
    expect(ids.at(-1)).toBe(2);
    expect(tokenizer.decode(ids).text).toBe(text);
    expect(tokenizer.token(ids[1]!)).toBe('hello');
    // digits are taken one at a time before any merge
    expect([...ids].map((id) => tokenizer.token(id))).not.toContain('12');
  });

  it('is announced with its memory and its size on disk before it is written', async () => {
    const folder = join(home, 'announced');
    let seen: GgufPlan | undefined;
    await importGguf(file, folder, {
      dtype: 'bfloat16',
      onPlan(plan) {
        seen = plan;
        expect(readdirSync(home)).not.toContain('announced');
      },
    });
    expect(seen).toMatchObject({ architecture: 'llama', tokens: 266, dtype: 'bfloat16', diskBytes: 2 * 14_752 });
    expect(seen?.quantizations).toEqual({ Q4_1: 1, F32: 3, Q8_0: 3, BF16: 1, Q5_0: 1, Q5_1: 1, F16: 1 });
  });

  it('is never replaced, and never half there', async () => {
    const folder = join(home, 'once');
    await importGguf(file, folder);
    await expect(importGguf(file, folder)).rejects.toMatchObject({ code: 'FOLDER_EXISTS' });
    const broken = join(home, 'nan.gguf');
    const bytes = readFileSync(file);
    // the last tensor is F16
    bytes.writeUInt16LE(0x7e00, bytes.length - 2);
    writeFileSync(broken, bytes);
    const target = join(home, 'broken');
    await expect(importGguf(broken, target)).rejects.toMatchObject({ code: 'GGUF_UNSUPPORTED' });
    expect(readdirSync(home).filter((name) => name.includes('broken'))).toEqual([]);
  });

  it('is not written after an abort', async () => {
    const target = join(home, 'aborted');
    const stop = new AbortController();
    const working = importGguf(file, target, { signal: stop.signal, onPlan: () => stop.abort() });
    await expect(working).rejects.toMatchObject({ name: 'AbortError' });
    expect(readdirSync(home).filter((name) => name.includes('aborted'))).toEqual([]);
  });
});
