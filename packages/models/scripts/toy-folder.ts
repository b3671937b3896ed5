/**
 * Writes a model folder of toy size with random weights, in the layout of the published ones, for tests:
 *
 *     npx tsx packages/models/scripts/toy-folder.ts FOLDER [qwen2_vl|qwen2_5_vl|qwen3_vl|llama|qwen2|qwen3|gemma3_text|mistral] [SEED]
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Generator, safetensors, type Tensor, tidy } from '@vlgym/gpu';
import { publishedWeights } from '../src/adapters/published-weights.js';
import { publishedFamily } from '../src/families.js';
import { TextTokenizer } from '../src/tokenizer/tokenizer.js';

const TEXT_TYPES = ['llama', 'qwen2', 'qwen3', 'gemma3_text', 'mistral'] as const;
export type ToyTextType = (typeof TEXT_TYPES)[number];
export type ToyType = 'qwen2_vl' | 'qwen2_5_vl' | 'qwen3_vl' | ToyTextType;

/** Does a model of this type read text only? */
export const readsTextOnly = (type: ToyType): type is ToyTextType => TEXT_TYPES.some((known) => known === type);

const TOKENIZER = fileURLToPath(new URL('../assets/tiny-tokenizer.json', import.meta.url));

/** ChatML with pictures as parts, without a default system message. */
const TEMPLATE = `{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' }}{%- if message.content is string %}{{- message.content }}{%- else %}{%- for part in message.content %}{%- if part.type == 'image' %}{{- '<|vision_start|><|image_pad|><|vision_end|>' }}{%- else %}{{- part.text }}{%- endif %}{%- endfor %}{%- endif %}{{- '<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

const text = {
  hidden_act: 'silu',
  vocab_size: 1024,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 48,
  rms_norm_eps: 1e-6,
  max_position_embeddings: 4096,
  rope_theta: 1e6,
};
const rope = { type: 'mrope', mrope_section: [2, 1, 1] };
const vision = {
  depth: 2,
  num_heads: 2,
  patch_size: 14,
  spatial_merge_size: 2,
  temporal_patch_size: 2,
  in_channels: 3,
};

const SHAPES: Readonly<Record<ToyType, object>> = {
  qwen2_vl: { ...text, rope_scaling: rope, vision_config: { ...vision, embed_dim: 32, mlp_ratio: 2, hidden_size: 32 } },
  qwen2_5_vl: {
    ...text,
    rope_scaling: rope,
    tie_word_embeddings: true,
    vision_config: {
      ...vision,
      hidden_size: 32,
      intermediate_size: 48,
      out_hidden_size: 32,
      window_size: 56,
      fullatt_block_indexes: [1],
    },
  },
  qwen3_vl: {
    text_config: {
      ...text,
      head_dim: 12,
      rope_scaling: { rope_type: 'default', mrope_interleaved: true, mrope_section: [2, 2, 2] },
    },
    tie_word_embeddings: true,
    vision_config: {
      ...vision,
      hidden_size: 32,
      intermediate_size: 48,
      out_hidden_size: 32,
      num_position_embeddings: 16,
      deepstack_visual_indexes: [0],
    },
  },
  llama: {
    ...text,
    attention_bias: true,
    mlp_bias: true,
    rope_scaling: {
      rope_type: 'llama3',
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 64,
    },
  },
  qwen2: { ...text, tie_word_embeddings: true, use_sliding_window: true, sliding_window: 9, max_window_layers: 1 },
  qwen3: { ...text, head_dim: 12, attention_bias: true },
  mistral: { ...text, sliding_window: 9 },
  gemma3_text: {
    ...text,
    hidden_act: undefined,
    hidden_activation: 'gelu_pytorch_tanh',
    head_dim: 12,
    query_pre_attn_scalar: 20,
    sliding_window: 9,
    sliding_window_pattern: 2,
    rope_local_base_freq: 1e4,
    tie_word_embeddings: true,
  },
};

export interface ToyOptions {
  readonly type?: ToyType;
  readonly seed?: number;
  /** Number of safetensors files; with more than one an index says what is where. */
  readonly shards?: number;
  /** Keys of `config.json` that weights follow, for models of a different size. */
  readonly sizes?: Readonly<Record<string, unknown>>;
  /** Keys that replace those of `config.json` when the weights are there. */
  readonly config?: Readonly<Record<string, unknown>>;
}

export async function writeToyFolder(
  folder: string,
  { type = 'qwen2_5_vl', seed = 0, shards = 1, sizes = {}, config: changes = {} }: ToyOptions = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(TOKENIZER, join(folder, 'tokenizer.json'));
  const tokenizer = await TextTokenizer.fromFolder(folder);
  const config = {
    model_type: type,
    ...(readsTextOnly(type)
      ? {}
      : {
          image_token_id: tokenizer.id('<|image_pad|>'),
          video_token_id: tokenizer.id('<|video_pad|>'),
          vision_start_token_id: tokenizer.id('<|vision_start|>'),
          vision_end_token_id: tokenizer.id('<|vision_end|>'),
        }),
    bos_token_id: tokenizer.id('<|endoftext|>'),
    eos_token_id: tokenizer.id('<|im_end|>'),
    pad_token_id: tokenizer.id('<|endoftext|>'),
    torch_dtype: 'float32',
    ...SHAPES[type],
    ...sizes,
  };
  const preprocessor = {
    min_pixels: 28 * 28,
    max_pixels: 84 * 112,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  };
  const ends = ['<|im_end|>', '<|endoftext|>'];
  const json = {
    'config.json': { ...config, ...changes },
    ...(readsTextOnly(type) ? {} : { 'preprocessor_config.json': preprocessor }),
    'generation_config.json': {
      do_sample: true,
      temperature: 0.7,
      eos_token_id: ends.map((token) => tokenizer.id(token)),
    },
    'tokenizer_config.json': { eos_token: ends[0], pad_token: ends[1] },
    'chat_template.json': { chat_template: TEMPLATE },
  };
  for (const [name, value] of Object.entries(json)) {
    await writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  }
  await writeWeights(folder, { config, preprocessor }, { type, seed, shards });
}

async function writeWeights(
  folder: string,
  files: { config: Record<string, unknown>; preprocessor: Record<string, unknown> },
  { type, seed, shards }: Required<Pick<ToyOptions, 'type' | 'seed' | 'shards'>>,
): Promise<void> {
  const family = publishedFamily(type)!;
  // far from uniform distributions, so that a wrong one shows
  const config = { ...family.published!.readConfig(files), initializerRange: 0.15 };
  const model = family.create(config, { generator: new Generator(seed), dtype: 'float32', device: 'cpu' });
  const weights = publishedWeights(model);
  const parts = Array.from({ length: shards }, () => new Map<string, Tensor>());
  const map: Record<string, string> = {};
  const file = (i: number) =>
    shards === 1
      ? 'model.safetensors'
      : `model-${String(i + 1).padStart(5, '0')}-of-${String(shards).padStart(5, '0')}.safetensors`;
  tidy(() => {
    for (const [i, weight] of weights.entries()) {
      const shard = Math.floor((i * shards) / weights.length);
      const name = publishedName(weight.name, type);
      parts[shard]!.set(name, weight.in(weight.parameter).contiguous());
      map[name] = file(shard);
    }
    for (const [i, tensors] of parts.entries())
      safetensors.saveSync(join(folder, file(i)), tensors, { metadata: { format: 'pt' } });
  });
  model.dispose();
  if (shards === 1) return;
  await writeFile(join(folder, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map: map }));
}

/** Qwen2-VL and Qwen2.5-VL were published before both sides moved into `model`. */
function publishedName(name: string, type: ToyType): string {
  return type === 'qwen3_vl' || readsTextOnly(type)
    ? name
    : name.replace(/^model\.visual\./, 'visual.').replace(/^model\.language_model\./, 'model.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, type, seed] = process.argv.slice(2);
  if (folder === undefined) throw new TypeError('expected a folder');
  await writeToyFolder(folder, { type: (type ?? 'qwen2_5_vl') as ToyType, seed: Number(seed ?? 0) });
}
