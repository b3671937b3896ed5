/** A language model with the weights of a folder. */
import { checkNames, names } from '@vlgym/core/internal';
import { Generator, getDefaultDevice } from '@vlgym/gpu';
import type { LanguageModel } from '../language-model.js';
import { ModelTooLargeError } from './errors.js';
import { loadWeights } from './load-weights.js';
import { availableMemory, weightBytes } from './memory.js';
import { type ModelFolder, parameterCount, readModelFolder } from './model-folder.js';
import { withOwnOutput } from './output-layer.js';

export interface LoadModelOptions {
  /** Default: the dtype that the folder names. */
  readonly dtype?: ModelFolder['dtype'] | undefined;
  readonly device?: string | undefined;
}

export interface LoadedModel {
  readonly model: LanguageModel;
  readonly source: ModelFolder;
}

const LOAD_MODEL_OPTIONS = names<LoadModelOptions>({ dtype: 0, device: 0 });

/**
 * @throws {ModelTooLargeError} The weights do not fit into memory; said before any is read.
 * @throws {ModelWeightsError}  A tensor is missing, unknown, of the wrong shape, or not finite.
 * @throws The errors of `readModelFolder`.
 */
export async function loadModel(folder: string, options: LoadModelOptions = {}): Promise<LoadedModel> {
  checkNames('options', options, LOAD_MODEL_OPTIONS);
  const source = await readModelFolder(folder);
  return { source, model: modelOf(source, options) };
}

/** The model of a folder that was read already. */
export function modelOf(source: ModelFolder, options: LoadModelOptions = {}): LanguageModel {
  const { folder, family, published, tensors } = source;
  checkMemory(source, options);
  const { dtype = source.dtype, device = getDefaultDevice() } = options;
  const model = family.create(withOwnOutput(source), { generator: new Generator(0), dtype, device, weights: 'loaded' });
  try {
    loadWeights(folder, model, tensors, published.internalName);
    model.requiresGrad_(false);
    return model.eval() as LanguageModel;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** @throws {ModelTooLargeError} The weights alone do not fit into the memory of this machine. */
export function checkMemory(source: ModelFolder, options: LoadModelOptions): void {
  const { dtype = source.dtype, device = getDefaultDevice() } = options;
  if (device !== 'cpu') return;
  const needed = weightBytes(parameterCount(source), dtype);
  const available = availableMemory();
  if (needed > available) throw new ModelTooLargeError(source.folder, needed, available);
}
