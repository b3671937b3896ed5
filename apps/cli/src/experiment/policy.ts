/** The model of a task, the same for warm start, training and evaluation. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
import {
  type CreatePolicyOptions,
  createPolicy,
  defaultOptimizer,
  modelPreset,
  type OptimizerOptions,
  type VlmPolicy,
} from '@vlgym/models';
import type { ModelTraining } from '@vlgym/models/family';
import { openDevice } from '../open-device.js';
import type { Task } from './spec.js';

/** The training settings that a preset declares; a model folder declares none. @throws {UnknownModelError} */
export const modelTraining = (model: string): ModelTraining =>
  isModelFolder(model) ? {} : (modelPreset(model).training ?? {});

/** How its weights are stepped. */
export const optimizerOf = (model: string): OptimizerOptions => ({
  ...defaultOptimizer,
  ...modelTraining(model).optimizer,
});

/** The published runs use this rank (`docs/specs/algorithms.md` 8.4); alpha is twice the rank. */
const LORA_RANK = 128;

type ModelChoice = Pick<Task, 'model' | 'loraRank' | 'dtype' | 'device' | 'checkpointActivations' | 'samplerDtype'> &
  Pick<Task, 'autocast' | 'promptCache'> &
  Pick<CreatePolicyOptions, 'keepReference'>;

/**
 * The preset with all weights trained, or a model folder with adapters on frozen weights.
 *
 * @param group           Processes that train it together.
 * @param shardOptimizer  Each of them keeps a part of the optimizer's state.
 * @throws {DeviceNotFoundError}
 */
export function newPolicy(
  { model, loraRank, dtype, device, promptCache = 0, ...choice }: ModelChoice,
  seed = 0,
  group?: ProcessGroup,
  shardOptimizer = false,
): Promise<VlmPolicy> {
  const common = {
    seed,
    optimizer: optimizerOf(model),
    device: openDevice(device),
    group,
    shardOptimizer,
    checkpointActivations: choice.checkpointActivations,
    samplerDtype: choice.samplerDtype,
    autocast: choice.autocast,
    promptCacheBytes: promptCache * 2 ** 20,
    keepReference: choice.keepReference,
  };
  if (!isModelFolder(model)) return createPolicy({ preset: model, ...common });
  const train = { lora: loraOf(loraRank) };
  return createPolicy({ model, train, ...common, ...(dtype && { dtype }) });
}

/** The adapters of a rank. */
export const loraOf = (r = LORA_RANK) => ({ r, alpha: 2 * r });

/** Presets are single words; a folder is there, or is written with a slash. */
export function isModelFolder(model: string): boolean {
  return /[\\/]/.test(model) || existsSync(join(model, 'config.json'));
}
