/** Policies from a checkpoint. */
import { checkNames, names } from '@vlgym/core/internal';
import { type CreatePolicyOptions, createPolicy } from './create-policy.js';
import { trainingFromData } from './training.js';
import type { VlmPolicy } from './vlm-policy.js';
import { readManifest } from './weights/checkpoint.js';

export interface LoadPolicyOptions
  extends Pick<
    CreatePolicyOptions,
    | 'device'
    | 'batchTokens'
    | 'checkpointActivations'
    | 'imageCacheBytes'
    | 'promptCacheBytes'
    | 'samplerDtype'
    | 'autocast'
    | 'keepReference'
    | 'group'
    | 'shardOptimizer'
  > {
  /** Where the folder of the base model is now; default where it was when the checkpoint was written. */
  readonly model?: string | undefined;
}

const LOAD_POLICY_OPTIONS = names<LoadPolicyOptions>({
  model: 0,
  device: 0,
  batchTokens: 0,
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
 * The policy of a checkpoint, made to fit it.
 *
 * @throws {CheckpointDamagedError}  Missing, truncated or damaged.
 * @throws {CheckpointMismatchError} The folder of its base model holds other weights by now.
 * @throws {UnknownModelError}       Its model family is not registered.
 */
export async function loadPolicy(folder: string, options: LoadPolicyOptions = {}): Promise<VlmPolicy> {
  checkNames('options', options, LOAD_POLICY_OPTIONS);
  const manifest = await readManifest(folder);
  const { family, config, tokenizer, training, optimizer, dtype, name, base } = manifest;
  const model = base && (options.model ?? base.folder);
  const origin = model === undefined ? { tokenizer } : { model };
  const train = trainingFromData(training);
  const policy = await createPolicy({ ...options, family, config, train, optimizer, dtype, name, ...origin });
  try {
    await policy.load(folder);
    return policy;
  } catch (error) {
    policy.close();
    throw error;
  }
}
