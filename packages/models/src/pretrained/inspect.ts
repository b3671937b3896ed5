/** The properties and requirements of a model folder, from its small files and the headers of its weights. */
import { checkNames, names } from '@vlgym/core/internal';
import { type AdapterSize, adapterSize, type LoraOptions } from '../adapters/lora.js';
import { SCORES_PER_CHUNK } from '../policy/scoring/chunked-scores.js';
import { DENSE_VOCABULARY } from '../policy/scoring/response-batch.js';
import { availableMemory, BYTES, weightBytes } from './memory.js';
import {
  countEntries,
  type GenerationDefaults,
  type ModelFolder,
  parameterCount,
  readModelFolder,
} from './model-folder.js';
import { EMBEDDINGS, OUTPUT_LAYER } from './output-layer.js';
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
  /** Weights, the keys and values of all rows, and what attention copies of one layer's. */
  readonly sampling: number;
  /**
   * Weights, adapters with their gradients and moments in float32, activations of one row, and its scores over the
   * vocabulary. Activations are an estimate, here and below.
   */
  readonly lora: number;
  /** The same with checkpointed activations: inputs of the layers, and the rest of one layer at a time. */
  readonly loraCheckpointed: number;
  /** Weights, gradients, moments, a copy of the starting weights, activations of one row, and its scores. */
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
  /** Bytes that sampling needs besides, by `samplerDtype`: copies of the decoder's matrices and of the output layer. */
  readonly samplerCopies: Readonly<Record<'bfloat16' | 'int8', number>>;
  /** Bytes that this machine can give. */
  readonly available: number;
}

const DTYPES = ['bfloat16', 'float16', 'float32'] as const;
/** A factor, its gradient and two moments. */
const TRAINED_COPIES = 4;
const FACTOR_BYTES = 4;

const INSPECT_MODEL_OPTIONS = names<InspectOptions>({ lora: 0, rows: 0, tokens: 0 });

/** @throws The errors of `readModelFolder`. */
export async function inspectModel(path: string, options: InspectOptions = {}): Promise<ModelInspection> {
  checkNames('options', options, INSPECT_MODEL_OPTIONS);
  const { lora = { r: 128, alpha: 256 }, rows = 8, tokens = 1024 } = options;
  const source = await readModelFolder(path);
  const parameters = parameterCount(source);
  const shape = source.config as unknown as DecoderShape;
  const adapterParameters = countAdapters(source, lora);
  const cacheEntries = 2 * shape.numHiddenLayers * shape.numKeyValueHeads * shape.headDim * rows * tokens;
  // keys and values of a layer for every head, and the cosines and sines of all positions
  const sampledEntries = 2 * rows * tokens * shape.headDim * (shape.numAttentionHeads + 1);
  const layer = layerEntries(shape, lora.r) * tokens;
  const allTrained = shape.numHiddenLayers * layerEntries(shape, 0) * tokens;
  const inputs = (shape.numHiddenLayers + 1) * shape.hiddenSize * tokens;
  const scores = scoreBytes(tokens, shape.vocabSize);
  const memory = DTYPES.map((dtype) => {
    const weights = weightBytes(parameters, dtype);
    const width = BYTES[dtype]!;
    const factors = TRAINED_COPIES * FACTOR_BYTES * adapterParameters;
    return {
      dtype,
      weights,
      sampling: weights + (cacheEntries + sampledEntries) * width,
      lora: weights + factors + shape.numHiddenLayers * layer * width + scores,
      loraCheckpointed: weights + factors + inputs * width + Math.max(layer * width, scores),
      full: (TRAINED_COPIES + 1) * weights + allTrained * width + scores,
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
    samplerCopies: samplerCopies(source),
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
  readonly vocabSize: number;
}

/**
 * Numbers per token that a layer keeps for a backward pass: norms, projections, rotations, attention, SwiGLU, adapters.
 * Counted with the allocator's statistics on models of toy size.
 */
function layerEntries(shape: DecoderShape, rank: number): number {
  const heads = (shape.numAttentionHeads + 2 * shape.numKeyValueHeads) * shape.headDim;
  return 4 * shape.hiddenSize + 3 * heads + 3 * shape.intermediateSize + 14 * rank;
}

/** Log-softmax of the scores of one row in float32, its gradient, and that of the scores. */
function scoreBytes(tokens: number, vocabulary: number): number {
  const most = vocabulary > DENSE_VOCABULARY ? SCORES_PER_CHUNK : Number.POSITIVE_INFINITY;
  return Math.min(tokens * vocabulary, most) * 3 * 4;
}

/** Copies every matrix of the layers and the output layer, which may be the table of embeddings. */
function samplerCopies({ tensors, published }: ModelFolder): ModelInspection['samplerCopies'] {
  const named = tensors.map(({ name, shape }) => ({ name: published.internalName(name), shape }));
  const output = named.some(({ name }) => name === OUTPUT_LAYER) ? /^lm_head\.weight$/ : EMBEDDINGS;
  const matrices = named.filter(({ name, shape }) => shape.length === 2 && (LAYER.test(name) || output.test(name)));
  const entries = matrices.reduce((sum, { shape }) => sum + shape[0]! * shape[1]!, 0);
  const scales = matrices.reduce((sum, { shape }) => sum + shape[0]!, 0);
  return { bfloat16: 2 * entries, int8: entries + 4 * scales };
}

const LAYER = /^model\.((language|text)_model\.)?layers\./;

const isVision = ({ name }: StoredTensor): boolean => /^(model\.)?(visual|vision_model|vision_tower)\./.test(name);

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
