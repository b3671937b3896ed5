/** Adapters in peft's layout: names, patterns, what is written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator, noGrad, safetensors, tensor, tidy } from '@vlgym/gpu';
import { afterAll, describe, expect, it } from 'vitest';
import { internalName } from '../../models/shared/weight-names.js';
import { TinyModel } from '../../models/tiny/model.js';
import { smallConfig } from '../../policy/policy.test-helper.js';
import { attachAdapters } from '../attach-adapters.js';
import { adapterSize, type LoraOptions } from '../lora.js';
import { loadFactors, readPeftAdapter } from './read-adapter.js';
import { writePeftAdapter } from './write-adapter.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-peft-'));
afterAll(() => rmSync(home, { recursive: true }));

const init = { generator: new Generator(1), dtype: 'float32', device: 'cpu' } as const;

describe('rank and scale of a matrix', () => {
  const lora: LoraOptions = {
    r: 8,
    alpha: 16,
    rankPattern: { 'layers.0.self_attn.q_proj': 4, 'mlp.*': 2 },
    alphaPattern: { down_proj: 10 },
  };
  // `re.match(rf"(.*\.)?({key})$", name)` of peft
  it.each([
    ['model.layers.0.self_attn.q_proj', 4, 16 / 4],
    ['model.layers.10.self_attn.q_proj', 8, 16 / 8],
    ['model.layers.1.mlp.up_proj', 2, 16 / 2],
    ['model.layers.1.mlp.down_proj', 2, 10 / 2],
    ['model.layers.1.not_down_proj', 8, 16 / 8],
  ])('of %s follows the first pattern that its name ends with', (name, r, scaling) => {
    expect(adapterSize(lora, name)).toEqual({ r, scaling });
  });

  it('is alpha / sqrt(r) where it is rank-stabilized', () => {
    expect(adapterSize({ r: 16, alpha: 8, rankStabilized: true }, 'x').scaling).toBe(2);
  });
});

it('what is written is read back exactly, patterns included', async () => {
  const model = new TinyModel(smallConfig, init);
  const lora = { r: 3, alpha: 6, rankPattern: { 'self_attn.k_proj': 1 }, alphaPattern: { v_proj: 5 } };
  const adapted = attachAdapters(model, lora, model.adapterTargets, init);
  noGrad(() => {
    for (const { adapter } of adapted) adapter.lora_B.normal_(0, 1, init.generator);
  });
  await writePeftAdapter(home, { model, adapted, lora, baseModel: 'tiny', baseSha256: 'abc' });
  const adapter = await readPeftAdapter(home);
  expect(adapter).toMatchObject({ baseSha256: 'abc', baseModel: 'tiny' });
  expect(adapter.lora).toMatchObject({ ...lora, dropout: 0 });

  const other = new TinyModel(smallConfig, init);
  const again = attachAdapters(other, adapter.lora, adapter.lora.targets, init);
  loadFactors(adapter, again);
  expect(again.map(({ weight }) => weight.name)).toEqual(adapted.map(({ weight }) => weight.name));
  for (const [i, { adapter: loaded }] of again.entries()) {
    expect(loaded.lora_A.equal(adapted[i]!.adapter.lora_A)).toBe(true);
    expect(loaded.lora_B.equal(adapted[i]!.adapter.lora_B)).toBe(true);
    expect(loaded.scaling).toBe(adapted[i]!.adapter.scaling);
  }
  const config = JSON.parse(readFileSync(join(home, 'adapter_config.json'), 'utf8')) as { target_modules: string[] };
  expect(config.target_modules).toEqual(['down_proj', 'gate_proj', 'k_proj', 'o_proj', 'q_proj', 'up_proj', 'v_proj']);
});

it('adapters from before transformers 4.52 have the names of published files', async () => {
  const names = {
    'base_model.model.model.layers.0.self_attn.q_proj': 'model.language_model.layers.0.self_attn.q_proj',
    'base_model.model.visual.blocks.0.attn.qkv': 'model.visual.blocks.0.attn.qkv',
    'base_model.model.model.language_model.layers.1.mlp.up_proj': 'model.language_model.layers.1.mlp.up_proj',
  };
  const factor = () => tensor([[1, 2]]);
  tidy(() =>
    safetensors.saveSync(
      join(home, 'adapter_model.safetensors'),
      new Map(
        Object.keys(names).flatMap((name) =>
          ['A', 'B'].map((side) => [`${name}.lora_${side}.weight`, factor()] as const),
        ),
      ),
    ),
  );
  const { factors, lora } = await readPeftAdapter(home, internalName);
  for (const name of Object.values(names)) {
    expect(factors.has(`${name}.lora_A.weight`)).toBe(true);
    expect(lora.targets.test(name)).toBe(true);
  }
});

it.each(['(a+)+$', 'x*y*z*', '(a|b)*', '['])('the pattern %s of a file is refused', async (key) => {
  const path = join(home, 'adapter_config.json');
  writeFileSync(path, JSON.stringify({ peft_type: 'LORA', r: 2, lora_alpha: 2, rank_pattern: { [key]: 4 } }));
  await expect(readPeftAdapter(home)).rejects.toMatchObject({ code: 'ADAPTER_FOLDER' });
});
