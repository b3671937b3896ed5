import { readFileSync } from 'node:fs';
import { Generator, noGrad, randn, tensor, tidy } from '@vlgym/gpu';
import { describe, expect, it } from 'vitest';
import { Projection, type WeightInit } from '../layers/projection.js';
import { TinyModel } from '../models/tiny/model.js';
import { largestDifference, smallConfig } from '../policy/policy.test-helper.js';
import { attachAdapters, NoAdapterTargetError } from './attach-adapters.js';
import { LoraAdapter } from './lora.js';
import { publishedWeights } from './published-weights.js';

const golden = JSON.parse(
  readFileSync(new URL('../../../../test/golden/algos/lora_merge.json', import.meta.url), 'utf8'),
) as {
  cases: {
    name: string;
    params: { scaling_alpha_over_r: number };
    inputs: { lora_A: number[][][]; lora_B: number[][][] };
    expected: { delta_weights: number[][][] };
  }[];
};

const init: WeightInit = { std: 0.5, generator: new Generator(2), dtype: 'float64', device: 'cpu' };

describe('a low-rank adapter', () => {
  it.each(golden.cases)('computes (alpha / r) B A x as in the reference: $name', ({ params, inputs, expected }) => {
    for (const [i, a] of inputs.lora_A.entries()) {
      const b = inputs.lora_B[i]!;
      const r = a.length;
      const adapter = new LoraAdapter(a[0]!.length, b.length, { r, alpha: params.scaling_alpha_over_r * r }, init);
      noGrad(() =>
        tidy(() => {
          adapter.lora_A.copy_(tensor(a, { dtype: 'float64' }));
          adapter.lora_B.copy_(tensor(b, { dtype: 'float64' }));
          const x = randn([5, a[0]!.length], { dtype: 'float64' });
          const wanted = x.matmul(tensor(expected.delta_weights[i]!, { dtype: 'float64' }).t());
          expect(largestDifference(adapter.forward(x).toNumbers(), wanted.toNumbers())).toBeLessThan(1e-10);
        }),
      );
      adapter.dispose();
    }
  });

  it('changes nothing before it is trained', () => {
    const projection = new Projection(6, { q_proj: 4, k_proj: 2 }, { ...init, bias: true });
    tidy(() => {
      const x = randn([3, 6], { dtype: 'float64' });
      const before = projection.forward(x).toNumbers();
      projection.adapters.push(new LoraAdapter(6, 4, { r: 2, alpha: 4 }, init), null);
      projection.adapted = 'all';
      expect(projection.forward(x).toNumbers()).toEqual(before);
    });
    projection.dispose();
  });

  it('drops inputs only while training', () => {
    const adapter = new LoraAdapter(8, 3, { r: 2, alpha: 2, dropout: 0.5 }, init);
    tidy(() => {
      noGrad(() => adapter.lora_B.fill_(1));
      const x = randn([4, 8], { dtype: 'float64' });
      const numbers = () => adapter.forward(x).toNumbers();
      expect(numbers()).not.toEqual(numbers());
      adapter.eval();
      expect(numbers()).toEqual(numbers());
    });
    adapter.dispose();
  });
});

describe('published weights', () => {
  const model = new TinyModel(smallConfig, { generator: new Generator(1), dtype: 'float32', device: 'cpu' });
  const weights = new Map(publishedWeights(model).map((weight) => [weight.name, weight]));

  it('have the names and shapes of Qwen2-VL', () => {
    const shapes = Object.fromEntries([...weights].map(([name, { shape }]) => [name, shape]));
    expect(shapes).toMatchObject({
      'visual.patch_embed.proj.weight': [16, 3, 1, 14, 14],
      'visual.blocks.1.attn.qkv.bias': [48],
      'visual.merger.mlp.2.weight': [16, 64],
      'model.embed_tokens.weight': [1024, 16],
      'model.layers.0.self_attn.q_proj.weight': [32, 16],
      'model.layers.0.self_attn.k_proj.bias': [16],
      'model.layers.1.mlp.up_proj.weight': [24, 16],
      'model.norm.weight': [16],
    });
    expect([...weights.keys()].filter((name) => /qkv_proj|gate_up_proj/.test(name))).toEqual([]);
  });

  it('cover every parameter exactly once', () => {
    const covered = [...weights.values()].reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
    expect(covered).toBe(model.parameters().reduce((sum, parameter) => sum + parameter.numel, 0));
  });

  it('take adapters by name, and say so when none fits', () => {
    const lora = { r: 2, alpha: 4 };
    const { length } = attachAdapters(model, lora, model.adapterTargets, { ...init, dtype: 'float32' });
    expect(length).toBe(2 * 7);
    expect(() => attachAdapters(model, lora, /nothing/, init)).toThrow(NoAdapterTargetError);
  });
});
