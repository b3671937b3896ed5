/** Policies from a preset, a configuration, or a model folder. */
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, type Given, names, withDefaults } from '@vlgym/core/internal';
import { type DType, Generator, getDefaultDevice } from '@vlgym/gpu';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
import { readPeftAdapter } from '../adapters/peft/read-adapter.js';
import { modelPreset } from '../families.js';
import type { LanguageModel, ModelInit } from '../language-model.js';
import { ActorCritic } from '../layers/actor-critic.js';
import { baseDigest } from '../pretrained/digest.js';
import { checkMemory, modelOf } from '../pretrained/load-model.js';
import { readModelFolder } from '../pretrained/model-folder.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { DataParallelPolicy } from './data-parallel-policy.js';
import { defaultOptimizer, OPTIMIZER_OPTIONS, type OptimizerOptions } from './policy-optimizer.js';
import { checkTraining, type Training } from './training.js';
import { VlmPolicy } from './vlm-policy.js';
import type { VlmPolicyOptions } from './vlm-policy-options.js';
import { type Autocast, checkAutocast } from './weights/autocast.js';
import { checkSamplerDtype, type SamplerDType } from './weights/sampler-weights.js';

export interface CreatePolicyOptions {
  /** A named configuration of a registered family; default the first of the family, which is `tiny` without `family`. */
  readonly preset?: string | undefined;
  /** A registered family of models (`registerModelFamily`); default the family of the preset. */
  readonly family?: string | undefined;
  /** A folder of Qwen2-VL, Qwen2.5-VL, Qwen3-VL, Llama, Qwen2, Qwen3 or Gemma 3 text, in place of preset and family. */
  readonly model?: string | undefined;
  /** An adapter of peft to start from; its rank and matrices are what `train` says otherwise. Needs `model`. */
  readonly adapter?: string | undefined;
  /** Another shape than the preset's: the fields that the family defines. With `model`, single fields replace those of the folder. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Folder with a `tokenizer.json`, or the name of a preset; default is the tokenizer of the preset or folder. */
  readonly tokenizer?: string | undefined;
  /** Seed for initial weights and adapters. */
  readonly seed?: number | undefined;
  /** Every weight (default), or low-rank adapters on frozen weights. */
  readonly train?: Training | undefined;
  /** Default: Adam as in the published runs, betas 0.9 and 0.999, eps 1e-7, no weight decay. */
  readonly optimizer?: Given<OptimizerOptions> | undefined;
  /** Default float32, or what the folder of `model` names. */
  readonly dtype?: Extract<DType, 'float32' | 'float64' | 'bfloat16' | 'float16'> | undefined;
  /** Default: that of `setDefaultDevice`, the CPU unless it was called. */
  readonly device?: string | undefined;
  /** Tokens of one forward when scoring, padding included; default 2048 on a CPU, 8192 elsewhere. */
  readonly batchTokens?: number | undefined;
  readonly name?: string | undefined;
  /**
   * Largest vocabulary whose distributions are kept for all positions at once, default 8192. Above it log-probabilities
   * are computed for some positions at a time, which takes less memory and a little more time.
   */
  readonly denseVocabulary?: number | undefined;
  /**
   * Keep the inputs of layers alone for a backward pass and compute the rest again: a small part of the memory, a third
   * more time. Gradients are the same. Default false.
   */
  readonly checkpointActivations?: boolean | undefined;
  /**
   * Bytes of encoded pictures that are kept, so that a picture is encoded once for sampling, scoring and all epochs. Only
   * where the vision encoder is frozen, as with adapters. Default 512 MiB; 0 keeps none.
   */
  readonly imageCacheBytes?: number | undefined;
  /**
   * Bytes of keys and values that `sample` keeps from one call to the next, so that the next turn of a conversation in words
   * reads only what is new; until the weights change. Answers are then those of a whole prompt up to rounding, which may
   * depend on what was sampled before. Default 0: every prompt is read whole.
   */
  readonly promptCacheBytes?: number | undefined;
  /**
   * Weights of sampling: those that are trained (`same`, the default), or a copy of the decoder's in fewer bytes, which is
   * faster on a CPU. Adapters compute next to the copy as they are. `logProbs` of responses are then those of the copy, and
   * algorithms weight what they learn from (`correction`).
   */
  readonly samplerDtype?: SamplerDType | undefined;
  /**
   * `bfloat16`: products of the decoder's layers in bfloat16 where responses are scored and gradients computed, next to weights
   * and an optimizer in float32, as `torch.autocast` does. Faster where the processor multiplies bfloat16 (AVX-512 BF16, AMX,
   * a GPU) and many times slower elsewhere. Sampling stays in float32, and algorithms weight what they learn from
   * (`correction`). Default `none`.
   */
  readonly autocast?: Autocast | undefined;
  /**
   * Keep the weights that training started with (θ_0), for the sets `reference` and `teacher`: a whole copy where all weights
   * are trained, nothing with adapters. Default true; supervised training needs none.
   */
  readonly keepReference?: boolean | undefined;
  /** Processes that train this policy together; every rank makes it with equal options. */
  readonly group?: ProcessGroup | undefined;
  /**
   * Each process of `group` keeps a part of the optimizer's state instead of all of it; weights and checkpoints are the same.
   * Default false.
   */
  readonly shardOptimizer?: boolean | undefined;
}

/** A language model before it becomes a policy. */
interface Source extends Pick<VlmPolicyOptions, 'name' | 'family' | 'chatTemplate' | 'tokenizerSource' | 'base'> {
  readonly tokenizer: TextTokenizer;
  /** Makes the model; called once, after everything else has been found valid. */
  readonly model: () => LanguageModel;
  /** For what is put on the model, and for the model where it is drawn at random. */
  readonly init: ModelInit;
}

const CREATE_POLICY_OPTIONS = names<CreatePolicyOptions>({
  preset: 0,
  family: 0,
  model: 0,
  adapter: 0,
  config: 0,
  tokenizer: 0,
  seed: 0,
  train: 0,
  optimizer: 0,
  dtype: 0,
  device: 0,
  batchTokens: 0,
  name: 0,
  denseVocabulary: 0,
  checkpointActivations: 0,
  imageCacheBytes: 0,
  promptCacheBytes: 0,
  samplerDtype: 0,
  autocast: 0,
  keepReference: 0,
  group: 0,
  shardOptimizer: 0,
});

/**
 * A policy with fresh weights, or with those of a model folder.
 *
 * @throws {UnknownModelError}  No registered family has the preset, or this name.
 * @throws {ModelConfigError}   `config` describes no model of the family.
 * @throws {TokenizerFileError} The tokenizer is missing or of another kind.
 * @throws {InvalidOptionError} `samplerDtype` or `autocast` is unknown, or nothing that this model can compute with.
 * @throws With `model` or `adapter`, whatever `loadModel` and `VlmPolicy.loadAdapter` do.
 *
 * @example const policy = await createPolicy({ preset: 'tiny', seed: 1, train: { lora: { r: 8, alpha: 16 } } });
 * @example const policy = await createPolicy({ model: 'Qwen2.5-VL-3B-Instruct', train: { lora: { r: 128, alpha: 256 } } });
 */
export async function createPolicy(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  checkNames('options', options, CREATE_POLICY_OPTIONS);
  checkNames('optimizer', options.optimizer, OPTIMIZER_OPTIONS);
  checkTraining(options.train);
  const { seed = 0, optimizer = {}, device = getDefaultDevice(), adapter, samplerDtype, autocast } = options;
  checkSamplerDtype(samplerDtype);
  checkAutocast(autocast);
  // a CPU scores batches that fit its caches one sixth faster
  const { batchTokens = device === 'cpu' ? 2048 : 8192 } = options;
  const { tokenizer, model, init, ...source } = await (options.model === undefined
    ? presetSource(options, seed, device)
    : folderSource(options.model, options, seed, device));
  const training = options.train ?? (await adapterTraining(options)) ?? 'full';
  // one generator for model and head, in this order: the weights of a seed depend on it
  const network = new ActorCritic(model(), init);
  const policy = policyOf(network, tokenizer, options.group, {
    ...source,
    training,
    optimizer: withDefaults(defaultOptimizer, optimizer),
    seed,
    batchTokens,
    denseVocabulary: options.denseVocabulary,
    checkpointActivations: options.checkpointActivations,
    imageCacheBytes: options.imageCacheBytes,
    promptCacheBytes: options.promptCacheBytes,
    samplerDtype,
    autocast,
    keepReference: options.keepReference,
    ...(options.shardOptimizer && options.group && options.group.size > 1 && { shards: options.group }),
  });
  try {
    if (adapter !== undefined) await policy.loadAdapter(adapter);
    return policy;
  } catch (error) {
    policy.close();
    throw error;
  }
}

/** @throws {InvalidOptionError} `train.lora.dropout` in a run of several processes. */
function policyOf(
  network: ActorCritic,
  tokenizer: TextTokenizer,
  group: ProcessGroup | undefined,
  options: VlmPolicyOptions,
): VlmPolicy {
  if (!group || group.size === 1) return new VlmPolicy(network, tokenizer, options);
  const dropout = options.training === 'full' ? 0 : (options.training.lora.dropout ?? 0);
  if (dropout > 0) {
    // each rank would draw its own masks, and a checkpoint holds the generator of one
    throw new InvalidOptionError('train.lora.dropout', dropout, '0 in a run of several processes');
  }
  return new DataParallelPolicy(network, tokenizer, options, group);
}

async function presetSource(
  {
    preset: presetName,
    family: familyName,
    config,
    tokenizer: tokenizerSource,
    dtype = 'float32',
    name,
  }: CreatePolicyOptions,
  seed: number,
  device: string,
): Promise<Source> {
  const preset = modelPreset(presetName, familyName);
  const { family } = preset;
  const source = tokenizerSource ?? preset.name;
  const init = { generator: new Generator(seed), dtype, device };
  return {
    name: name ?? preset.name,
    family: family.name,
    chatTemplate: family.chatTemplate,
    tokenizerSource: source,
    tokenizer: await openTokenizer(source, family.presets),
    init,
    model: () => family.create(family.parseConfig(config ?? preset.config), init),
  };
}

async function folderSource(
  path: string,
  { preset, family: familyName, config = {}, tokenizer, dtype, name }: CreatePolicyOptions,
  seed: number,
  device: string,
): Promise<Source> {
  for (const [option, value] of Object.entries({ preset, tokenizer })) {
    if (value !== undefined) throw new InvalidOptionError(option, value, 'nothing but `model`, whose folder decides');
  }
  const folder = await readModelFolder(path);
  const { family, chatTemplate } = folder;
  if (familyName !== undefined && familyName !== family.name) {
    throw new InvalidOptionError('family', familyName, `"${family.name}", the family of the folder`);
  }
  const wanted = { ...folder, config: family.parseConfig({ ...folder.config, ...config }) };
  const kind = { dtype: dtype ?? folder.dtype, device };
  // before the digest, which reads every byte
  checkMemory(folder, kind);
  return {
    name: name ?? folder.folder.split(/[\\/]/).filter(Boolean).at(-1) ?? family.name,
    family: family.name,
    chatTemplate,
    tokenizerSource: folder.folder,
    tokenizer: folder.tokenizer,
    base: { folder: folder.folder, sha256: await baseDigest(folder.folder) },
    init: { generator: new Generator(seed), ...kind },
    model: () => modelOf(wanted, kind),
  };
}

/** What an adapter's folder says about its training. */
async function adapterTraining({ adapter, model }: CreatePolicyOptions): Promise<Training | undefined> {
  if (adapter === undefined) return undefined;
  if (model === undefined) throw new InvalidOptionError('adapter', adapter, 'an adapter next to `model`, its base');
  const { published } = await readModelFolder(model);
  const { lora } = await readPeftAdapter(adapter, published.internalName);
  return { lora };
}

function openTokenizer(source: string, presets: Readonly<Record<string, { readonly tokenizer: () => TextTokenizer }>>) {
  return Object.hasOwn(presets, source) ? presets[source]!.tokenizer() : TextTokenizer.fromFolder(source);
}
