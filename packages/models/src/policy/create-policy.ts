/** Policies from a preset, a configuration, or a checkpoint. */
import { InvalidOptionError } from '@vlgym/core';
import { type DType, Generator, type ProcessGroup } from '@vlgym/gpu';
import { modelPreset } from '../families.js';
import { ActorCritic } from '../layers/actor-critic.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { readManifest } from './checkpoint.js';
import { DataParallelPolicy } from './data-parallel-policy.js';
import type { OptimizerOptions } from './policy-optimizer.js';
import { type Training, trainingFromData } from './training.js';
import { VlmPolicy, type VlmPolicyOptions } from './vlm-policy.js';

export interface CreatePolicyOptions {
  /** A named configuration of a registered family; default the first of the family, which is `tiny` without `family`. */
  readonly preset?: string | undefined;
  /** A registered family of models (`registerModelFamily`); default the family of the preset. */
  readonly family?: string | undefined;
  /** Another shape than the preset's: the fields that the family defines. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Folder with a `tokenizer.json`, or the name of a preset; default is the tokenizer of the preset. */
  readonly tokenizer?: string;
  /** Seed for initial weights and adapters. */
  readonly seed?: number;
  /** Every weight (default), or low-rank adapters beside frozen weights. */
  readonly train?: Training;
  /** Default: Adam as in the published runs, betas 0.9 and 0.999, eps 1e-7, no weight decay. */
  readonly optimizer?: Partial<OptimizerOptions>;
  readonly dtype?: Extract<DType, 'float32' | 'float64' | 'bfloat16'>;
  readonly device?: string;
  /** Tokens of one forward when scoring, padding included; default 2048 on a CPU, 8192 elsewhere. */
  readonly batchTokens?: number;
  readonly name?: string;
  /** Processes that train this policy together; every rank makes it with equal options. */
  readonly group?: ProcessGroup | undefined;
}

/**
 * A policy with fresh weights.
 *
 * @throws {UnknownModelError}  No registered family has the preset, or this name.
 * @throws {ModelConfigError}   `config` describes no model of the family.
 * @throws {TokenizerFileError} The tokenizer is missing or of another kind.
 *
 * @example const policy = await createPolicy({ preset: 'tiny', seed: 1, train: { lora: { r: 8, alpha: 16 } } });
 */
export async function createPolicy({
  preset: presetName,
  family: familyName,
  config,
  tokenizer: tokenizerSource,
  seed = 0,
  train = 'full',
  optimizer = {},
  dtype = 'float32',
  device = 'cpu',
  // a CPU scores batches that fit its caches one sixth faster
  batchTokens = device === 'cpu' ? 2048 : 8192,
  name,
  group,
}: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const preset = modelPreset(presetName, familyName);
  const { family } = preset;
  const source = tokenizerSource ?? preset.name;
  const tokenizer = await openTokenizer(source, family.presets);
  // one generator for model and head, in this order: the weights of a seed depend on it
  const init = { generator: new Generator(seed), dtype, device };
  const network = new ActorCritic(family.create(family.parseConfig(config ?? preset.config), init), init);
  const policyOptions: VlmPolicyOptions = {
    name: name ?? preset.name,
    family: family.name,
    chatTemplate: family.chatTemplate,
    tokenizerSource: source,
    training: train,
    optimizer: { kind: 'adam', betas: [0.9, 0.999], eps: 1e-7, weightDecay: 0, ...optimizer },
    seed,
    batchTokens,
  };
  if (!group || group.size === 1) return new VlmPolicy(network, tokenizer, policyOptions);
  if (train !== 'full' && (train.lora.dropout ?? 0) > 0) {
    // each rank would draw its own masks, and a checkpoint holds the generator of one
    throw new InvalidOptionError('train.lora.dropout', train.lora.dropout, '0 in a run of several processes');
  }
  return new DataParallelPolicy(network, tokenizer, policyOptions, group);
}

/**
 * The policy of a checkpoint, made to fit it.
 *
 * @throws {CheckpointInvalidError} Missing, truncated or damaged.
 * @throws {UnknownModelError}      Its model family is not registered.
 */
export async function loadPolicy(
  folder: string,
  options: Pick<CreatePolicyOptions, 'device' | 'batchTokens' | 'group'> = {},
): Promise<VlmPolicy> {
  const { family, config, tokenizer, training, optimizer, dtype, name } = await readManifest(folder);
  const train = trainingFromData(training);
  const policy = await createPolicy({ ...options, family, config, tokenizer, train, optimizer, dtype, name });
  try {
    await policy.load(folder);
    return policy;
  } catch (error) {
    policy.close();
    throw error;
  }
}

function openTokenizer(source: string, presets: Readonly<Record<string, { readonly tokenizer: () => TextTokenizer }>>) {
  return Object.hasOwn(presets, source) ? presets[source]!.tokenizer() : TextTokenizer.fromFolder(source);
}
