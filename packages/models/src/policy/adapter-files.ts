/** Files that other programs open: the adapters of a policy in the layout of peft, and its merged model. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { safetensors } from '@vlgym/gpu';
import {
  AdapterIncompleteError,
  AdapterMismatchError,
  NoAdapterError,
  NoModelFolderError,
} from '../adapters/peft/errors.js';
import { loadFactors, readPeftAdapter } from '../adapters/peft/read-adapter.js';
import { VALUE_HEAD_FILE, writePeftAdapter } from '../adapters/peft/write-adapter.js';
import { modelFamily } from '../families.js';
import { writeModelFolder } from '../pretrained/write-model-folder.js';
import type { PolicyParts } from './policy-parts.js';
import type { Training } from './training.js';
import type { VlmPolicyOptions } from './vlm-policy-options.js';
import type { WeightSets } from './weights/weight-sets.js';

/** What of an adapter is known before it is trained. */
export interface AdapterOrigin {
  readonly lora: Exclude<Training, 'full'>['lora'];
  readonly baseModel: string;
  readonly baseSha256: string;
}

/**
 * @throws {NoAdapterError}         All weights are trained.
 * @throws {AdapterIncompleteError} The base is in no folder, so that an adapter alone would be another policy.
 */
export function adapterOrigin(sets: WeightSets, { training, base, name }: VlmPolicyOptions): AdapterOrigin {
  if (training === 'full') throw new NoAdapterError();
  if (!base || !sets.hasStoredBase) throw new AdapterIncompleteError(name, base?.folder);
  return { lora: training.lora, baseModel: base.folder, baseSha256: base.sha256 };
}

/** @throws as `adapterOrigin` */
export async function saveAdapter(
  folder: string,
  { network: { language: model, valueHead }, sets }: PolicyParts,
  options: VlmPolicyOptions,
): Promise<void> {
  await writePeftAdapter(folder, { model, adapted: sets.adapters, ...adapterOrigin(sets, options) });
  await safetensors.save(join(folder, VALUE_HEAD_FILE), valueHead.stateDict());
}

/**
 * @throws {AdapterMismatchError} It belongs to another model, or to other matrices than are trained.
 * @throws {NoAdapterError}       All weights are trained.
 */
export async function loadAdapter(
  folder: string,
  { network, sets, promptCache }: PolicyParts,
  { training, base, family }: VlmPolicyOptions,
): Promise<void> {
  if (training === 'full') throw new NoAdapterError();
  const adapter = await readPeftAdapter(folder, modelFamily(family).published?.internalName);
  if (adapter.baseSha256 !== undefined && base && adapter.baseSha256 !== base.sha256) {
    throw new AdapterMismatchError(folder, `it was trained on weights with SHA-256 ${adapter.baseSha256}`);
  }
  loadFactors(adapter, sets.adapters);
  promptCache?.clear();
  const path = join(folder, VALUE_HEAD_FILE);
  if (!existsSync(path)) return;
  const state = safetensors.load(path);
  network.valueHead.loadStateDict(state);
  for (const tensor of state.values()) tensor.dispose();
}

/**
 * @throws {NoModelFolderError} The weights were drawn at random: nothing says what such a folder would be.
 * @throws {FolderExistsError}  There is one already.
 */
export async function saveMerged(folder: string, sets: WeightSets, options: VlmPolicyOptions): Promise<void> {
  const { base, family, name: policy } = options;
  if (!base) throw new NoModelFolderError(policy);
  const internal = modelFamily(family).published?.internalName ?? ((name: string) => name);
  await writeModelFolder(base.folder, folder, (name, stored) => sets.merged(internal(name), stored));
}
