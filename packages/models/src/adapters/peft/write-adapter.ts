/** An adapter in the layout that peft loads: `PeftModel.from_pretrained(model, folder)`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import { type Module, noGrad, safetensors, type Tensor, tidyAsync } from '@vlgym/gpu';
import { Projection } from '../../layers/projection.js';
import { type AdaptedWeight, adapterNames } from '../attach-adapters.js';
import type { LoraOptions } from '../lora.js';
import { projectionWeights } from '../published-weights.js';
import { CONFIG_FILE } from './config.js';
import { BASE_KEY, PREFIX, TENSOR_FILE } from './read-adapter.js';

/** Beside the adapter: peft does not know it. */
export const VALUE_HEAD_FILE = 'value_head.safetensors';
const WEIGHT = '.weight';

export interface AdapterToWrite {
  readonly model: Module;
  readonly adapted: readonly AdaptedWeight[];
  readonly lora: LoraOptions;
  /** Folder or hub name of the base model. */
  readonly baseModel: string;
  readonly baseSha256: string | undefined;
}

/** Files are replaced one after the other, each whole; the tensors come first. */
export async function writePeftAdapter(folder: string, given: AdapterToWrite): Promise<void> {
  const { model, adapted, lora, baseModel, baseSha256 } = given;
  await mkdir(folder, { recursive: true });
  const metadata = { format: 'pt', ...(baseSha256 !== undefined && { [BASE_KEY]: baseSha256 }) };
  await tidyAsync(() =>
    safetensors.save(
      join(folder, TENSOR_FILE),
      noGrad(() => factorsOf(adapted)),
      { metadata },
    ),
  );
  const names = adapted.map(({ weight }) => weight.name.slice(0, -WEIGHT.length));
  const config = {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: baseModel,
    inference_mode: true,
    ...sizesOf(adapted, lora),
    lora_dropout: lora.dropout ?? 0,
    use_dora: false,
    bias: 'none',
    fan_in_fan_out: false,
    target_modules: targetModules(names, model),
  };
  await writeFileAtomic(join(folder, CONFIG_FILE), `${JSON.stringify(config, null, 2)}\n`);
}

function factorsOf(adapted: readonly AdaptedWeight[]): Map<string, Tensor> {
  const tensors = new Map<string, Tensor>();
  for (const weight of adapted) {
    const names = adapterNames(weight);
    const { a, b } = weight.adapter.joined();
    tensors.set(PREFIX + names.a, a).set(PREFIX + names.b, b);
  }
  return tensors;
}

/** Ranks and scales as peft reads them: those of the options, or, next to start factors, those of both together. */
function sizesOf(adapted: readonly AdaptedWeight[], lora: LoraOptions) {
  if (!adapted.some(({ adapter }) => adapter.start)) {
    return {
      r: lora.r,
      lora_alpha: lora.alpha,
      rank_pattern: lora.rankPattern ?? {},
      alpha_pattern: lora.alphaPattern ?? {},
      use_rslora: lora.rankStabilized ?? false,
    };
  }
  const sizes = adapted.map(({ weight, adapter }) => {
    const rank = adapter.lora_A.shape[0]! + (adapter.start?.a.shape[0] ?? 0);
    return { name: weight.name.slice(0, -WEIGHT.length), rank, alpha: adapter.scaling * rank };
  });
  const { rank: r, alpha } = sizes[0]!;
  const others = (size: 'rank' | 'alpha', common: number) =>
    Object.fromEntries(sizes.flatMap((each) => (each[size] === common ? [] : [[each.name, each[size]]])));
  return {
    r,
    lora_alpha: alpha,
    rank_pattern: others('rank', r),
    alpha_pattern: others('alpha', alpha),
    use_rslora: false,
  };
}

/**
 * Names by which peft matches matrices: the last words of names if exactly these matrices end with them, otherwise whole
 * names.
 * The last words alone would also hit the gate of Qwen2.5-VL's vision encoder when only the language model is adapted.
 */
function targetModules(names: readonly string[], model: Module): string[] {
  const all = [...model.namedModules()].flatMap(([path, projection]) =>
    projection instanceof Projection
      ? projectionWeights(path, projection).flatMap(({ name }) =>
          name.endsWith(WEIGHT) ? [name.slice(0, -WEIGHT.length)] : [],
        )
      : [],
  );
  // peft also finds the convolution of the patches, which is not a projection here
  all.push('model.visual.patch_embed.proj');
  const chosen = new Set(names);
  const suffixes = [...new Set(names.map((name) => name.split('.').at(-1)!))];
  const hit = all.filter((name) => suffixes.some((suffix) => name.endsWith(`.${suffix}`)));
  return (hit.length === chosen.size && hit.every((name) => chosen.has(name)) ? suffixes : [...chosen]).sort();
}
