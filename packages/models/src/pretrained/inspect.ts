/** What a model folder is and needs, from its small files and the headers of its weights. */
import { type AdapterSize, adapterSize, type LoraOptions } from '../adapters/lora.js';
import { availableMemory, BYTES, weightBytes } from './memory.js';
import {
  countEntries,
  type GenerationDefaults,
  type ModelFolder,
  parameterCount,
  readModelFolder,
} from './model-folder.js';
import type { StoredTensor } from './shards.js';

export interface InspectOptions {
  /** Adapters to train; default rank 128 on the matrices that the family chooses. */
  readonly lora?: LoraOptions | undefined;
  /** Sequences side by side; default 8. */
  readonly rows?: number | undefined;
  /** Prompt and response tokens of each; default 1024. */
  readonly tokens?: number | undefined;
}

/** Bytes of one dtype. */
export interface MemoryNeed {
  readonly dtype: ModelFolder['dtype'];
  readonly weights: number;
  /** Weights and the keys and values of all rows. */
  readonly sampling: number;
  /** Weights, adapters with their gradients and moments in float32, and activations of one row (an estimate). */
  readonly lora: number;
  /** Weights, gradients, moments, a copy of the starting weights, and activations of one row (an estimate). */
  readonly full: number;
}

export interface ModelInspection {
  readonly folder: string;
  readonly modelType: string;
  readonly family: string;
  /** The dtype that it is published in. */
  readonly dtype: ModelFolder['dtype'];
  readonly parameters: number;
  readonly visionParameters: number;
  /** Entries of adapters under the options. */
  readonly adapterParameters: number;
  readonly adapterRank: number;
  readonly files: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly tokens: number;
  readonly generation: GenerationDefaults;
  readonly memory: readonly MemoryNeed[];
  /** Bytes that this machine can give. */
  readonly available: number;
}

const DTYPES = ['bfloat16', 'float16', 'float32'] as const;
/** A factor, its gradient and two moments. */
const TRAINED_COPIES = 4;
const FACTOR_BYTES = 4;

/** @throws Whatever `readModelFolder` does. */
export async function inspectModel(
  path: string,
  { lora = { r: 128, alpha: 256 }, rows = 8, tokens = 1024 }: InspectOptions = {},
): Promise<ModelInspection> {
  const source = await readModelFolder(path);
  const parameters = parameterCount(source);
  const shape = source.config as unknown as DecoderShape;
  const adapterParameters = countAdapters(source, lora);
  const cacheEntries = 2 * shape.numHiddenLayers * shape.numKeyValueHeads * shape.headDim * rows * tokens;
  const activations = activationEntries(shape) * tokens;
  const memory = DTYPES.map((dtype) => {
    const weights = weightBytes(parameters, dtype);
    const width = BYTES[dtype]!;
    const factors = TRAINED_COPIES * FACTOR_BYTES * adapterParameters;
    return {
      dtype,
      weights,
      sampling: weights + cacheEntries * width,
      lora: weights + factors + activations * width,
      full: (TRAINED_COPIES + 1) * weights + activations * width,
    };
  });
  return {
    folder: source.folder,
    modelType: source.modelType,
    family: source.family.name,
    dtype: source.dtype,
    parameters,
    visionParameters: countEntries(source.tensors.filter(isVision)),
    adapterParameters,
    adapterRank: lora.r,
    files: new Set(source.tensors.map((tensor) => tensor.path)).size,
    config: source.config as unknown as Readonly<Record<string, unknown>>,
    tokens: source.tokenizer.size,
    generation: source.generation,
    memory,
    available: availableMemory(),
  };
}

interface DecoderShape {
  readonly hiddenSize: number;
  readonly numHiddenLayers: number;
  readonly numAttentionHeads: number;
  readonly numKeyValueHeads: number;
  readonly headDim: number;
  readonly intermediateSize: number;
}

/** Numbers per token that the layers keep for a backward pass: norms, projections, rotations, attention, SwiGLU. */
function activationEntries(shape: DecoderShape): number {
  const heads = (shape.numAttentionHeads + 2 * shape.numKeyValueHeads) * shape.headDim;
  return shape.numHiddenLayers * (6 * shape.hiddenSize + 3 * heads + 4 * shape.intermediateSize);
}

const isVision = ({ name }: StoredTensor): boolean => /^(model\.)?visual\./.test(name);

function countAdapters({ tensors, family, published }: ModelFolder, lora: LoraOptions): number {
  const targets = family.adapterTargets;
  let count = 0;
  for (const { name: stored, shape } of tensors) {
    const name = published.internalName(stored).replace(/\.weight$/, '');
    if (shape.length !== 2 || !targets?.test(name)) continue;
    const { r }: AdapterSize = adapterSize(lora, name);
    count += r * (shape[0]! + shape[1]!);
  }
  return count;
}
