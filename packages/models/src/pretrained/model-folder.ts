/**
 * A model folder as Hugging Face publishes it: what it is, how it writes conversations, and where its weights are. No
 * weight is read here.
 */
import { resolve } from 'node:path';
import { isRecord } from '@vlgym/core/internal';
import type { DType } from '@vlgym/gpu';
import { z } from 'zod';
import type { ChatTemplate } from '../chat/chat-template.js';
import { JinjaTemplate } from '../chat/jinja-template.js';
import { publishedFamily, publishedModelTypes } from '../families.js';
import type { LanguageModelConfig, ModelFamily, PublishedFamily } from '../language-model.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { ModelFolderError, ModelTypeUnsupportedError, TokenizerMismatchError } from './errors.js';
import { readJson, readOptionalJson, readOptionalText } from './read-json.js';
import { type StoredTensor, storedDtype, storedTensors } from './shards.js';

/** Sampling settings that a folder's author recommends; algorithms choose their own. */
export interface GenerationDefaults {
  readonly temperature?: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly repetitionPenalty?: number;
}

export interface ModelFolder {
  /** Absolute path. */
  readonly folder: string;
  readonly modelType: string;
  readonly family: ModelFamily;
  readonly published: PublishedFamily;
  readonly config: LanguageModelConfig;
  /** The dtype that `config.json` names, or that of most weights. */
  readonly dtype: Extract<DType, 'float32' | 'float64' | 'bfloat16' | 'float16'>;
  readonly tensors: readonly StoredTensor[];
  readonly tokenizer: TextTokenizer;
  readonly chatTemplate: ChatTemplate;
  readonly generation: GenerationDefaults;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * @param configFile  Another name than `config.json`; for folders that hold both styles of configuration.
 * @throws {ModelFolderError | ModelTypeUnsupportedError | ModelConfigError | ModelConfigUnsupportedError}
 * @throws {TokenizerFileError | TokenizerMismatchError | ChatTemplateError | SafetensorsInvalidError}
 */
export async function readModelFolder(folder: string, configFile = 'config.json'): Promise<ModelFolder> {
  const path = resolve(folder);
  const config = await readJson(path, configFile);
  const family = publishedFamily(config.model_type);
  if (!family?.published) throw new ModelTypeUnsupportedError(path, config.model_type, publishedModelTypes());
  const { published } = family;
  const processor = await readOptionalJson(path, 'processor_config.json');
  const preprocessor = await readPreprocessor(path, processor);
  const parsed = published.readConfig({ config, preprocessor: preprocessor ?? {}, processor });
  if (!preprocessor && 'image' in parsed)
    throw new ModelFolderError(path, NO_PREPROCESSOR, { hint: NO_PREPROCESSOR_HINT });
  const tokenizer = await TextTokenizer.fromFolder(path);
  checkTokenizer(path, config, parsed, tokenizer, published.namedTokens);
  const generation = (await readOptionalJson(path, 'generation_config.json')) ?? {};
  const tensors = await storedTensors(path);
  return {
    folder: path,
    modelType: published.modelType,
    family,
    published,
    config: parsed,
    dtype: folderDtype(config, tensors),
    tensors,
    tokenizer,
    chatTemplate: await readTemplate(path, { config, generation, tokenizer, family }),
    generation: generationDefaults(path, generation),
  };
}

/**
 * How the folder's processor reads pictures: nested in `processor_config.json`, as transformers 5 writes it and prefers it, or
 * in a separate file.
 */
async function readPreprocessor(folder: string, processor: Json = {}): Promise<Json | undefined> {
  const { image_processor: nested } = processor;
  if (isRecord(nested)) return nested;
  return readOptionalJson(folder, 'preprocessor_config.json');
}

const NO_PREPROCESSOR = 'it has neither preprocessor_config.json nor processor_config.json with an `image_processor`';
const NO_PREPROCESSOR_HINT = 'fetch one of the two: the mean, spread and size of pictures stand there';

/** Texts of the special tokens that a configuration names by id. */
const NAMED_TOKENS = {
  image_token_id: '<|image_pad|>',
  video_token_id: '<|video_pad|>',
  vision_start_token_id: '<|vision_start|>',
  vision_end_token_id: '<|vision_end|>',
} as const;

function checkTokenizer(
  folder: string,
  config: Json,
  { vocabSize }: LanguageModelConfig,
  tokenizer: TextTokenizer,
  namedTokens: Readonly<Record<string, string>> = NAMED_TOKENS,
): void {
  if (tokenizer.size > vocabSize) {
    throw new TokenizerMismatchError(folder, 'the number of ids', tokenizer.size, `at most vocab_size ${vocabSize}`);
  }
  for (const [key, token] of Object.entries(namedTokens)) {
    const wanted = config[key];
    if (typeof wanted !== 'number') continue;
    if (tokenizer.token(wanted) !== token) {
      throw new TokenizerMismatchError(folder, `the token of ${key} ${wanted}`, tokenizer.token(wanted), token);
    }
  }
}

const DTYPES = ['float32', 'float64', 'bfloat16', 'float16'] as const;
function folderDtype(config: Json, tensors: readonly StoredTensor[]): ModelFolder['dtype'] {
  const text = config.text_config as Json | undefined;
  const named = config.dtype ?? config.torch_dtype ?? text?.dtype ?? text?.torch_dtype;
  const known = DTYPES.find((dtype) => dtype === named);
  if (known) return known;
  const bytes = new Map<string, number>();
  for (const tensor of tensors) bytes.set(tensor.dtype, (bytes.get(tensor.dtype) ?? 0) + tensor.bytes);
  const [most] = [...bytes].sort(([, a], [, b]) => b - a);
  return storedDtype(most?.[0] ?? '') ?? 'float32';
}

interface TemplateSources {
  readonly config: Json;
  readonly generation: Json;
  readonly tokenizer: TextTokenizer;
  readonly family: ModelFamily;
}

/** The template of the folder, from whichever file holds it; that of the family where none does. */
async function readTemplate(folder: string, sources: TemplateSources): Promise<ChatTemplate> {
  const { generation, tokenizer, family, config } = sources;
  const tokenizerConfig = (await readOptionalJson(folder, 'tokenizer_config.json')) ?? {};
  const text =
    (await readOptionalText(folder, 'chat_template.jinja')) ??
    templateOf((await readOptionalJson(folder, 'chat_template.json'))?.chat_template) ??
    templateOf(tokenizerConfig.chat_template);
  const ownEnd = family.chatTemplate.endOfTurn;
  const named =
    generation.eos_token_id ?? config.eos_token_id ?? (config.text_config as Json | undefined)?.eos_token_id;
  const ids = [named].flat().filter((id) => typeof id === 'number');
  const ends = ids.map((id) => {
    const token = tokenizer.token(id);
    if (token === undefined)
      throw new TokenizerMismatchError(folder, `the token of eos_token_id ${id}`, token, 'a token');
    return token;
  });
  const endOfTurn = ends.includes(ownEnd) ? ownEnd : (tokenText(tokenizerConfig.eos_token) ?? ownEnd);
  const endTokens = [...new Set([endOfTurn, ...(ends.length > 0 ? ends : family.chatTemplate.endTokens)])];
  const startToken = family.pictures ? startTokenOf(tokenizerConfig, tokenizer) : null;
  if (text === undefined) return { ...family.chatTemplate, startToken, endOfTurn, endTokens };
  const { imageToken, imagePlaceholder, contentParts } = family.chatTemplate;
  const tokens = Object.fromEntries(
    Object.entries(tokenizerConfig).flatMap(([name, token]) => {
      const value = name.endsWith('_token') ? tokenText(token) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const own = { imageToken, imagePlaceholder, contentParts, startToken, endOfTurn, endTokens };
  return new JinjaTemplate(text, { source: folder, tokens, ...own });
}

/** The token that a processor's tokenizer puts before a text that does not begin with it. Tokenizers of text alone do not. */
function startTokenOf(tokenizerConfig: Json, tokenizer: TextTokenizer): string | null {
  const { add_bos_token: adds, bos_token: start } = tokenizerConfig;
  if (typeof adds === 'boolean') return adds ? (tokenText(start) ?? null) : null;
  return tokenizer.startToken;
}

/** A template, or the one named `default` of several. */
function templateOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  return (value.find((entry) => entry?.name === 'default') ?? value[0])?.template;
}

function tokenText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const content = (value as Json | null | undefined)?.content;
  return typeof content === 'string' ? content : undefined;
}

/** As `transformers` accepts them; top-k 0 and null leave a setting out. */
const generationSchema = z.looseObject({
  temperature: z.number().nonnegative().nullish(),
  top_k: z.number().int().nonnegative().nullish(),
  top_p: z.number().positive().max(1).nullish(),
  repetition_penalty: z.number().positive().nullish(),
});

/** @throws {ModelFolderError} A value that sampling cannot follow. */
function generationDefaults(folder: string, file: Json): GenerationDefaults {
  const { data, error } = generationSchema.safeParse(file);
  if (!data) {
    const [issue] = error.issues;
    const key = issue?.path.join('.') ?? '';
    const problem = `generation_config.json: ${key} is ${JSON.stringify(file[key])?.slice(0, 80)}: ${issue?.message}`;
    throw new ModelFolderError(folder, problem, { hint: 'correct it, or remove the key: algorithms choose their own' });
  }
  const { temperature, top_k: topK, top_p: topP, repetition_penalty: repetitionPenalty } = data;
  const defaults = { temperature, topK, topP, repetitionPenalty };
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => typeof value === 'number'));
}

/** @throws {ModelFolderError} It has no weights. */
export function parameterCount({ folder, tensors }: Pick<ModelFolder, 'folder' | 'tensors'>): number {
  const count = countEntries(tensors);
  if (count === 0) throw new ModelFolderError(folder, 'its safetensors files are empty');
  return count;
}

export function countEntries(tensors: readonly StoredTensor[]): number {
  return tensors.reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
}
