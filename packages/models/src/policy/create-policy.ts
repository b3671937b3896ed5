/** Policies from a preset, a configuration, or a checkpoint. */
import { type ModelConfigInput, parseModelConfig } from '../models/config.js';
import { type PresetName, presets } from '../models/presets.js';
import { VisionLanguageModel } from '../models/vision-language-model.js';
import type { DType } from '../tensor/dtype.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { readManifest } from './checkpoint.js';
import { type OptimizerOptions, VlmPolicy } from './vlm-policy.js';
import type { Training } from './weight-sets.js';

export interface CreatePolicyOptions {
  /** A model that comes with the package; default `tiny`. */
  readonly preset?: PresetName;
  /** Another shape than the preset's. */
  readonly config?: ModelConfigInput;
  /** Folder with a `tokenizer.json`; default is the vocabulary of the preset. */
  readonly tokenizer?: string;
  /** Of starting weights and adapters. */
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
}

/**
 * A policy with fresh weights.
 *
 * @throws {ModelConfigError}   `config` describes no model.
 * @throws {TokenizerFileError} The tokenizer is missing or of another kind.
 *
 * @example const policy = await createPolicy({ preset: 'tiny', seed: 1, train: { lora: { r: 8, alpha: 16 } } });
 */
export async function createPolicy({
  preset = 'tiny',
  config = presets[preset],
  tokenizer: tokenizerSource = preset,
  seed = 0,
  train = 'full',
  optimizer = {},
  dtype = 'float32',
  device = 'cpu',
  // what stays in the caches of a CPU core is scored a sixth faster
  batchTokens = device === 'cpu' ? 2048 : 8192,
  name = preset,
}: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const tokenizer = tokenizerSource === 'tiny' ? TextTokenizer.tiny() : await TextTokenizer.fromFolder(tokenizerSource);
  const model = new VisionLanguageModel(parseModelConfig(config), { seed, dtype, device });
  return new VlmPolicy(model, tokenizer, {
    name,
    tokenizerSource,
    training: train,
    optimizer: { kind: 'adam', betas: [0.9, 0.999], eps: 1e-7, weightDecay: 0, ...optimizer },
    template: {},
    seed,
    batchTokens,
  });
}

/**
 * The policy of a checkpoint, made to fit it.
 *
 * @throws {CheckpointInvalidError} Missing, truncated or damaged.
 */
export async function loadPolicy(
  folder: string,
  options: Pick<CreatePolicyOptions, 'device' | 'batchTokens'> = {},
): Promise<VlmPolicy> {
  const { config, tokenizer, training, optimizer, dtype, name } = await readManifest(folder);
  const train =
    training === 'full' ? training : { lora: { ...training.lora, targets: new RegExp(training.lora.targets) } };
  const policy = await createPolicy({ ...options, config, tokenizer, train, optimizer, dtype, name });
  try {
    await policy.load(folder);
    return policy;
  } catch (error) {
    policy.close();
    throw error;
  }
}
