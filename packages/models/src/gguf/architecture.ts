/**
 * The model of a GGUF file as transformers knows it: `config.json`, and the name and shape of every tensor in both.
 *
 * Names in the file: `gguf-py/gguf/constants.py` and `tensor_mapping.py` of ggml-org/llama.cpp; the keys of `config.json` and the
 * names of weights: `modeling_{llama,qwen2,qwen3}.py` of huggingface/transformers.
 */
import { show } from '@vlgym/core';
import { GgufUnsupportedError } from './errors.js';
import type { Fields } from './fields.js';

interface Architecture {
  readonly className: string;
  /** Are rows of q and k in the order of interleaved rotary pairs? transformers rotates halves. */
  readonly isPermuted: boolean;
  readonly hasHeadNorms: boolean;
  /** Biases of q, k and v; `optional` ones are those of all four projections. */
  readonly biases: 'always' | 'optional' | 'never';
  /** More keys of `config.json`. */
  readonly config: Readonly<Record<string, unknown>>;
}

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  llama: {
    className: 'LlamaForCausalLM',
    isPermuted: true,
    hasHeadNorms: false,
    biases: 'optional',
    config: { mlp_bias: false },
  },
  qwen2: {
    className: 'Qwen2ForCausalLM',
    isPermuted: false,
    hasHeadNorms: false,
    biases: 'always',
    config: { use_sliding_window: false },
  },
  qwen3: {
    className: 'Qwen3ForCausalLM',
    isPermuted: false,
    hasHeadNorms: true,
    biases: 'never',
    config: { use_sliding_window: false, attention_bias: false },
  },
};

/** Keys below the name of the architecture that `config.json` holds, or that say what is so anyway. */
const KNOWN_KEYS = new Set([
  ...['block_count', 'context_length', 'embedding_length', 'feed_forward_length', 'vocab_size'],
  ...['attention.head_count', 'attention.head_count_kv', 'attention.key_length', 'attention.value_length'],
  ...['attention.layer_norm_rms_epsilon', 'rope.freq_base', 'rope.dimension_count'],
]);
/** The default of llama.cpp. */
const DEFAULT_ROPE_THETA = 10_000;

/** A tensor that the file must have, and what it becomes. */
export interface MappedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Heads whose rows are to be put in order; 0 for none. */
  readonly permutedHeads: number;
}

export interface Model {
  /** `model_type` of `config.json`. */
  readonly architecture: string;
  /** Without the ids of tokens and the dtype. */
  readonly config: Readonly<Record<string, unknown>>;
  /** By the name in the file. */
  readonly tensors: ReadonlyMap<string, MappedTensor>;
}

/**
 * @param names       Names of the tensors in the file.
 * @param vocabulary  Rows of the embedding.
 * @throws {GgufUnsupportedError} Another architecture, or a setting that `config.json` cannot hold.
 * @throws {GgufInvalidError}
 */
export function readModel(fields: Fields, names: ReadonlySet<string>, vocabulary: number): Model {
  const architecture = fields.text('general.architecture') ?? '';
  const known = Object.hasOwn(ARCHITECTURES, architecture) ? ARCHITECTURES[architecture] : undefined;
  if (!known) {
    throw new GgufUnsupportedError(fields.path, `its architecture is ${show(architecture)}`, {
      value: architecture,
      expected: Object.keys(ARCHITECTURES).join(', '),
      hint: 'choose a model of one of these architectures',
    });
  }
  checkKeys(fields, architecture);
  const sizes = readSizes(fields, architecture, { vocabulary, tensors: names.size });
  const hasBias = known.biases === 'always' || (known.biases === 'optional' && names.has('blk.0.attn_q.bias'));
  const isTied = !names.has('output.weight');
  const config = {
    architectures: [known.className],
    model_type: architecture,
    hidden_size: sizes.hidden,
    intermediate_size: sizes.inner,
    num_hidden_layers: sizes.layers,
    num_attention_heads: sizes.heads,
    num_key_value_heads: sizes.keys,
    head_dim: sizes.head,
    hidden_act: 'silu',
    max_position_embeddings: fields.size(`${architecture}.context_length`),
    rms_norm_eps: sizes.epsilon,
    rope_theta: fields.positive(`${architecture}.rope.freq_base`) ?? DEFAULT_ROPE_THETA,
    rope_scaling: null,
    tie_word_embeddings: isTied,
    vocab_size: vocabulary,
    ...(known.biases === 'optional' ? { attention_bias: hasBias } : {}),
    ...known.config,
    use_cache: true,
  };
  return { architecture, config, tensors: mappedTensors(sizes, { ...known, hasBias, isTied }) };
}

/** A setting that is not known may change what the model computes. */
function checkKeys(fields: Fields, architecture: string): void {
  const prefix = `${architecture}.`;
  for (const key of fields.keys()) {
    if (!key.startsWith(prefix) || KNOWN_KEYS.has(key.slice(prefix.length))) continue;
    const value = fields.get(key);
    if (key === `${prefix}rope.scaling.type` && value === 'none') continue;
    throw new GgufUnsupportedError(fields.path, `it sets ${key} to ${show(value)}`, {
      value: key,
      expected: `of ${prefix}* only ${[...KNOWN_KEYS].join(', ')}`,
    });
  }
}

interface Sizes {
  readonly hidden: number;
  readonly inner: number;
  readonly layers: number;
  readonly heads: number;
  readonly keys: number;
  readonly head: number;
  readonly vocabulary: number;
  readonly epsilon: number;
}

function readSizes(
  fields: Fields,
  architecture: string,
  { vocabulary, tensors }: { readonly vocabulary: number; readonly tensors: number },
): Sizes {
  const size = (key: string) => fields.size(`${architecture}.${key}`);
  const optional = (key: string) => fields.optionalSize(`${architecture}.${key}`);
  const hidden = size('embedding_length');
  const heads = size('attention.head_count');
  const keys = optional('attention.head_count_kv') ?? heads;
  const head = optional('attention.key_length') ?? hidden / heads;
  const layers = size('block_count');
  const refuse = (problem: string, value: unknown, expected: string) => {
    throw new GgufUnsupportedError(fields.path, problem, { value, expected });
  };
  // each layer has tensors of its own: the loops below are bounded by the file
  if (layers > tensors)
    refuse(`it announces ${layers} layers and has ${tensors} tensors`, layers, `at most ${tensors}`);
  if (heads % keys !== 0) refuse(`${heads} heads share ${keys} heads of keys`, keys, `a divisor of ${heads}`);
  if (!Number.isInteger(head) || head % 2 !== 0) refuse(`a head has the width ${head}`, head, 'an even integer');
  for (const key of ['attention.value_length', 'rope.dimension_count']) {
    const width = optional(key) ?? head;
    if (width !== head) refuse(`${key} is ${width}, the width of a head ${head}`, width, `${head}`);
  }
  const epsilon = fields.positive(`${architecture}.attention.layer_norm_rms_epsilon`);
  if (epsilon === undefined) {
    return refuse('it has no epsilon', undefined, `${architecture}.attention.layer_norm_rms_epsilon`) as never;
  }
  return { hidden, inner: size('feed_forward_length'), layers, heads, keys, head, vocabulary, epsilon };
}

interface Parts extends Architecture {
  readonly hasBias: boolean;
  readonly isTied: boolean;
}

function mappedTensors(sizes: Sizes, parts: Parts): Map<string, MappedTensor> {
  const { hidden, inner, layers, heads, keys, head, vocabulary } = sizes;
  const tensors = new Map<string, MappedTensor>();
  const add = (from: string, name: string, shape: readonly number[], permutedHeads = 0) =>
    tensors.set(from, { name, shape, permutedHeads });
  add('token_embd.weight', 'model.embed_tokens.weight', [vocabulary, hidden]);
  add('output_norm.weight', 'model.norm.weight', [hidden]);
  if (!parts.isTied) add('output.weight', 'lm_head.weight', [vocabulary, hidden]);
  const projections = [
    { from: 'attn_q', to: 'q_proj', out: heads * head, into: hidden, permuted: parts.isPermuted ? heads : 0 },
    { from: 'attn_k', to: 'k_proj', out: keys * head, into: hidden, permuted: parts.isPermuted ? keys : 0 },
    { from: 'attn_v', to: 'v_proj', out: keys * head, into: hidden, permuted: 0 },
    { from: 'attn_output', to: 'o_proj', out: hidden, into: heads * head, permuted: 0 },
  ];
  for (let layer = 0; layer < layers; layer += 1) {
    const from = `blk.${layer}`;
    const to = `model.layers.${layer}`;
    add(`${from}.attn_norm.weight`, `${to}.input_layernorm.weight`, [hidden]);
    add(`${from}.ffn_norm.weight`, `${to}.post_attention_layernorm.weight`, [hidden]);
    for (const { from: part, to: name, out, into, permuted } of projections) {
      add(`${from}.${part}.weight`, `${to}.self_attn.${name}.weight`, [out, into], permuted);
      if (parts.hasBias && (part !== 'attn_output' || parts.biases === 'optional')) {
        add(`${from}.${part}.bias`, `${to}.self_attn.${name}.bias`, [out], permuted);
      }
    }
    if (parts.hasHeadNorms) {
      add(`${from}.attn_q_norm.weight`, `${to}.self_attn.q_norm.weight`, [head]);
      add(`${from}.attn_k_norm.weight`, `${to}.self_attn.k_norm.weight`, [head]);
    }
    add(`${from}.ffn_gate.weight`, `${to}.mlp.gate_proj.weight`, [inner, hidden]);
    add(`${from}.ffn_up.weight`, `${to}.mlp.up_proj.weight`, [inner, hidden]);
    add(`${from}.ffn_down.weight`, `${to}.mlp.down_proj.weight`, [hidden, inner]);
  }
  return tensors;
}
