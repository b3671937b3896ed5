/**
 * A GGUF file as a model folder in Hugging Face's layout, which this package, transformers and vLLM load. Weights become what
 * gguf-py's `dequantize` makes of them, rounded to the dtype. The folder is written under another name first: it is whole or
 * not there. `import-gguf.test.ts` pins names, numbers and files.
 */
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { checkNames, names } from '@vlgym/core/internal';
import { FolderExistsError, ModelTooLargeError } from '../pretrained/errors.js';
import { availableMemory } from '../pretrained/memory.js';
import { type Model, readModel } from './architecture.js';
import { GgufInvalidError, GgufUnsupportedError } from './errors.js';
import { Fields } from './fields.js';
import { FileReader } from './file-reader.js';
import { type GgufHeader, type GgufTensor, readHeader } from './header.js';
import { readTokenizer, type TokenIds, type TokenizerFiles } from './tokenizer-files.js';
import {
  bandBytes,
  bandEntries,
  type Conversion,
  DTYPE_BYTES,
  type ImportDtype,
  writeWeights,
} from './write-weights.js';

/** Memory of compiled code and of V8's young generation, measured with SmolLM2-135M: 0 to 36 MB. */
const RUNTIME_BYTES = 2 ** 25;
/** Bytes that writing the tokenizer takes for each byte of the header: the text, its UTF-8, and intermediate copies. */
const TEXT_COPIES = 4;

/** The work and needs of an import, known before it begins. */
export interface GgufPlan {
  /** `llama`, `qwen2` or `qwen3`. */
  readonly architecture: string;
  /** Number of weights. */
  readonly parameters: number;
  readonly tokens: number;
  /** Quantizations of the file with the number of tensors in each. */
  readonly quantizations: Readonly<Record<string, number>>;
  readonly dtype: ImportDtype;
  /** Bytes of the weights that are written. */
  readonly diskBytes: number;
  /** Peak of this process, resident, in bytes. */
  readonly memoryBytes: number;
}

export interface ImportGgufOptions {
  /** Default `float32`, which holds every value exactly. */
  readonly dtype?: ImportDtype | undefined;
  /** Receives the plan before anything is written. */
  readonly onPlan?: ((plan: GgufPlan) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const IMPORT_GGUF_OPTIONS = names<ImportGgufOptions>({ dtype: 0, onPlan: 0, signal: 0 });

/**
 * @param file    A GGUF file, version 2 or 3, of an architecture llama, qwen2 or qwen3, in F32, F16, BF16, Q8_0, Q4_0, Q4_1,
 *                Q5_0, Q5_1 or Q2_K to Q6_K, with byte-level BPE or pieces of SentencePiece.
 * @param folder  Does not exist yet.
 * @throws {FolderExistsError | GgufInvalidError | GgufUnsupportedError | ModelTooLargeError | SafetensorsWriteError}
 */
export async function importGguf(file: string, folder: string, options: ImportGgufOptions = {}): Promise<GgufPlan> {
  checkNames('options', options, IMPORT_GGUF_OPTIONS);
  const { dtype = 'float32', onPlan, signal } = options;
  const out = resolve(folder);
  if (await stat(out).catch(() => undefined)) throw new FolderExistsError(out);
  const reader = new FileReader(file);
  const temporary = join(out, '..', `.${basename(out)}.${process.pid}.tmp`);
  try {
    const { model, tokenizer, conversions, header } = readWhole(reader);
    const plan = planOf(header, { model, conversions, dtype, headerBytes: reader.position });
    if (plan.memoryBytes > availableMemory() + process.memoryUsage.rss()) {
      throw new ModelTooLargeError(file, plan.memoryBytes, availableMemory());
    }
    onPlan?.(plan);
    await mkdir(temporary, { recursive: true });
    await writeTexts(temporary, { model, tokenizer, dtype });
    await writeWeights(reader, join(temporary, 'model.safetensors'), conversions, { dtype, signal });
    await rename(temporary, out);
    return plan;
  } finally {
    reader.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

interface Whole {
  readonly header: GgufHeader;
  readonly model: Model;
  readonly tokenizer: TokenizerFiles;
  readonly conversions: readonly Conversion[];
}

/** Everything but the weights, checked. */
function readWhole(reader: FileReader): Whole {
  const header = readHeader(reader);
  const fields = new Fields(reader.path, header.metadata);
  const tensors = new Map(header.tensors.map((tensor) => [tensor.name, tensor]));
  const embedding = tensors.get('token_embd.weight');
  const model = readModel(fields, new Set(tensors.keys()), embedding?.shape[0] ?? 0);
  const conversions = conversionsOf(reader.path, tensors, model);
  const tokens = fields.texts('tokenizer.ggml.tokens').length;
  const rows = embedding?.shape[0] ?? 0;
  if (tokens > rows) {
    throw new GgufInvalidError(reader.path, `it has ${tokens} tokens and an embedding of ${rows} rows`, {
      value: tokens,
      expected: `at most ${rows}`,
    });
  }
  return { header, model, tokenizer: readTokenizer(fields), conversions };
}

function conversionsOf(path: string, tensors: ReadonlyMap<string, GgufTensor>, model: Model): Conversion[] {
  for (const name of tensors.keys()) {
    if (model.tensors.has(name)) continue;
    throw new GgufUnsupportedError(path, `the architecture ${model.architecture} has no tensor ${name}`, {
      value: name,
      expected: 'the tensors of this architecture alone',
    });
  }
  return [...model.tensors].map(([name, to]) => {
    const from = tensors.get(name);
    if (from && String(from.shape) === String(to.shape)) return checked(path, { from, to });
    throw new GgufInvalidError(path, from ? `${name} has the shape [${from.shape}]` : `it has no tensor ${name}`, {
      value: from?.shape ?? name,
      expected: `${name} with the shape [${to.shape}]`,
      hint: 'choose the whole file of the model, not a part of a split one',
    });
  });
}

/** Rows of a head change places: blocks must not reach over its end, as they might in a quantized bias. */
function checked(path: string, conversion: Conversion): Conversion {
  const { name, quantization } = conversion.from;
  if (bandEntries(conversion) % quantization.blockEntries === 0) return conversion;
  throw new GgufUnsupportedError(path, `${name} is ${quantization.name} in blocks that two heads share`, {
    value: quantization.name,
    expected: 'F32, F16 or BF16 for this tensor',
  });
}

interface Work {
  readonly model: Model;
  readonly conversions: readonly Conversion[];
  readonly dtype: ImportDtype;
  readonly headerBytes: number;
}

function planOf({ tensors, metadata }: GgufHeader, { model, conversions, dtype, headerBytes }: Work): GgufPlan {
  const parameters = tensors.reduce((sum, { entries }) => sum + entries, 0);
  const quantizations: Record<string, number> = {};
  for (const { quantization } of tensors)
    quantizations[quantization.name] = (quantizations[quantization.name] ?? 0) + 1;
  const tokens = metadata.get('tokenizer.ggml.tokens') as readonly string[];
  return {
    architecture: model.architecture,
    parameters,
    tokens: tokens.length,
    quantizations,
    dtype,
    diskBytes: parameters * DTYPE_BYTES[dtype],
    memoryBytes: process.memoryUsage.rss() + RUNTIME_BYTES + TEXT_COPIES * headerBytes + bandBytes(conversions, dtype),
  };
}

interface Texts {
  readonly model: Model;
  readonly tokenizer: TokenizerFiles;
  readonly dtype: ImportDtype;
}

async function writeTexts(folder: string, { model, tokenizer, dtype }: Texts): Promise<void> {
  const write = (name: string, value: object, indent = 2) =>
    writeFile(join(folder, name), `${JSON.stringify(value, null, indent)}\n`);
  const ids = namedIds(tokenizer.ids);
  await write('config.json', { ...model.config, ...ids, torch_dtype: dtype });
  await write('generation_config.json', { ...ids, ...endIds(tokenizer.ids) });
  await write('tokenizer.json', tokenizer.definition, 0);
  await write('tokenizer_config.json', tokenizer.config);
}

function namedIds({ bos, eos, padding }: TokenIds): object {
  return { bos_token_id: bos, eos_token_id: eos, pad_token_id: padding };
}

/** Both tokens end a response where a turn ends with another one than a text. */
function endIds({ eos, endOfTurn }: TokenIds): object {
  if (endOfTurn === undefined || endOfTurn === eos) return {};
  return { eos_token_id: eos === undefined ? endOfTurn : [eos, endOfTurn] };
}
