/**
 * A model folder from a decoder of text and a vision encoder, with a fresh projector between them. The folder is written under
 * another name first: it is whole or not there.
 */
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { Generator, noGrad, safetensors, type Tensor, tidy } from '@vlgym/gpu';
import { type PublishedWeight, publishedWeights } from '../adapters/published-weights.js';
import { publishedFamily } from '../families.js';
import { COMPOSED_TYPE, readComposedConfig, visionConfig } from '../models/composed/config.js';
import { EYES } from '../models/composed/eyes.js';
import { composedFamily } from '../models/composed/family.js';
import { DECODERS } from '../models/shared/decoders.js';
import {
  FolderExistsError,
  ModelTooLargeError,
  ModelTypeUnsupportedError,
  ModelWeightsError,
} from '../pretrained/errors.js';
import { availableMemory, weightBytes } from '../pretrained/memory.js';
import { type ModelFolder, readModelFolder } from '../pretrained/model-folder.js';
import { readJson, readOptionalJson, readOptionalText } from '../pretrained/read-json.js';
import { storedTensors } from '../pretrained/shards.js';
import { PICTURE_TOKENS, withPictures, withPictureTokens } from './texts.js';
import { TINY_PREPROCESSOR, TINY_VISION_CONFIG } from './tiny-vision.js';

export interface ComposeModelOptions {
  /** Folder of Llama, Mistral, Qwen2, Qwen3 or Gemma 3 text, whose weights, tokenizer and chat template are taken. */
  readonly decoder: string;
  /**
   * `tiny`: a small encoder with fresh weights; or a folder of SigLIP, CLIP, Qwen2-VL, Qwen2.5-VL, Qwen3-VL, Gemma 3,
   * Idefics3, SmolVLM or LLaVA-NeXT, whose encoder is taken. Pictures keep their shape with those of Qwen, and are squeezed into a square with others.
   */
  readonly vision: string;
  /** Does not exist yet. */
  readonly out: string;
  /** Seed of the projector, and of the encoder `tiny`; default 0. */
  readonly seed?: number | undefined;
}

/** Numbers of weights. */
export interface Composition {
  /** Absolute path. */
  readonly folder: string;
  readonly decoder: number;
  readonly vision: number;
  readonly projector: number;
  /** Tokens that the vocabulary did not have. */
  readonly addedTokens: number;
}

const COMPOSE_MODEL_OPTIONS = names<ComposeModelOptions>({ decoder: 0, vision: 0, out: 0, seed: 0 });

/** Tables whose rows are tokens. */
const BY_TOKEN = /^(?:model\.embed_tokens|lm_head)\.weight$/;

type Json = Readonly<Record<string, unknown>>;

/** The vision side of a composition. */
interface Eye {
  readonly config: Json;
  readonly preprocessor: Json;
  /** Undefined if the weights are fresh. */
  readonly source: Weights | undefined;
}

/** Weights of a folder, and the names that they have here. */
interface Weights extends Pick<ModelFolder, 'folder' | 'tensors'> {
  readonly internalName: (name: string) => string;
}

/**
 * @throws {FolderExistsError}         `out` exists.
 * @throws {ModelTypeUnsupportedError} The decoder reads pictures already, or the vision encoder is of another kind.
 * @throws {ModelWeightsError}         A weight is missing or has another shape than its `config.json` says.
 * @throws {ModelTooLargeError}        The weights do not fit into memory.
 * @throws {ModelFolderError}          A folder cannot be read.
 */
export async function composeModel(options: ComposeModelOptions): Promise<Composition> {
  checkNames('options', options, COMPOSE_MODEL_OPTIONS);
  const { seed = 0 } = options;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new InvalidOptionError('seed', seed, 'a whole number, 0 or above');
  const out = resolve(options.out);
  if (await stat(out).catch(() => undefined)) throw new FolderExistsError(out);
  const decoder = await readModelFolder(options.decoder);
  if (!Object.hasOwn(DECODERS, decoder.modelType)) {
    const hint = 'give `decoder` the folder of a model of text; the vision encoder is `vision`';
    throw new ModelTypeUnsupportedError(decoder.folder, decoder.modelType, Object.keys(DECODERS), hint);
  }
  const eye = await eyeOf(options.vision);
  const texts = await textsOf(decoder, eye);
  const temporary = join(out, '..', `.${basename(out)}.${process.pid}.tmp`);
  try {
    await mkdir(temporary, { recursive: true });
    const counts = writeWeights(temporary, { decoder, eye, config: texts.config, seed });
    await writeTexts(temporary, decoder, eye, texts);
    await rename(temporary, out);
    return { folder: out, ...counts, addedTokens: texts.addedTokens };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function eyeOf(vision: string): Promise<Eye> {
  if (vision === 'tiny') return { config: TINY_VISION_CONFIG, preprocessor: TINY_PREPROCESSOR, source: undefined };
  const folder = resolve(vision);
  const config = await readJson(folder, 'config.json');
  const type = String(config.model_type);
  if (!Object.hasOwn(EYES, type)) {
    const hint = 'give `vision` the folder of one of these, or `tiny` for a small encoder that learns from pictures';
    throw new ModelTypeUnsupportedError(folder, config.model_type, Object.keys(EYES), hint);
  }
  const { image_processor: nested } = (await readOptionalJson(folder, 'processor_config.json')) ?? {};
  const preprocessor = (nested as Json | undefined) ?? (await readJson(folder, 'preprocessor_config.json'));
  const known = publishedFamily(type)?.published;
  const internalName = (name: string) =>
    (known?.internalName(name) ?? name).replace(/^(?:model\.)?(?:visual|vision_model|vision_tower)\./, 'visual.');
  const source = { folder, tensors: await storedTensors(folder), internalName };
  return { config: visionConfig(config), preprocessor, source };
}

interface Texts {
  readonly config: Json;
  readonly tokenizer: object;
  readonly template: string | undefined;
  readonly addedTokens: number;
}

async function textsOf(decoder: ModelFolder, eye: Eye): Promise<Texts> {
  const { folder, tokenizer } = decoder;
  const text = await readJson(folder, 'config.json');
  const definition = await readJson(folder, 'tokenizer.json');
  const found = withPictureTokens(definition, tokenizer.size, (token) => idOf(tokenizer, token));
  const [start, image, end] = PICTURE_TOKENS.map((token) => found.ids[token]);
  const { vocabSize } = decoder.config;
  const { bos_token_id, eos_token_id, pad_token_id, torch_dtype, dtype = torch_dtype } = text;
  const config = {
    model_type: COMPOSED_TYPE,
    image_token_id: image,
    vision_start_token_id: start,
    vision_end_token_id: end,
    ...{ bos_token_id, eos_token_id, pad_token_id, dtype },
    text_config: { ...text, vocab_size: Math.max(vocabSize, found.size) },
    vision_config: eye.config,
  };
  const template = await templateOf(folder);
  return {
    config,
    tokenizer: found.definition,
    template: template === undefined ? undefined : withPictures(template),
    addedTokens: found.size - tokenizer.size,
  };
}

function idOf(tokenizer: ModelFolder['tokenizer'], token: string): number | undefined {
  for (let id = 0; id < tokenizer.size; id += 1) if (tokenizer.token(id) === token) return id;
  return undefined;
}

/** The chat template of a folder, from whichever file holds it. */
async function templateOf(folder: string): Promise<string | undefined> {
  const alone = await readOptionalText(folder, 'chat_template.jinja');
  if (alone !== undefined) return alone;
  for (const name of ['chat_template.json', 'tokenizer_config.json']) {
    const { chat_template: template } = (await readOptionalJson(folder, name)) ?? {};
    if (typeof template === 'string') return template;
  }
  return undefined;
}

async function writeTexts(folder: string, decoder: ModelFolder, eye: Eye, texts: Texts): Promise<void> {
  const write = (name: string, value: object, indent = 2) =>
    writeFile(join(folder, name), `${JSON.stringify(value, null, indent)}\n`);
  await write('config.json', texts.config);
  await write('tokenizer.json', texts.tokenizer, 0);
  await write('preprocessor_config.json', eye.preprocessor);
  if (texts.template !== undefined) await writeFile(join(folder, 'chat_template.jinja'), texts.template);
  for (const name of ['tokenizer_config.json', 'generation_config.json']) {
    if (await readOptionalText(decoder.folder, name)) await copyFile(join(decoder.folder, name), join(folder, name));
  }
}

interface Work {
  readonly decoder: ModelFolder;
  readonly eye: Eye;
  readonly config: Json;
  readonly seed: number;
}

function writeWeights(
  folder: string,
  { decoder, eye, config, seed }: Work,
): Omit<Composition, 'folder' | 'addedTokens'> {
  const parsed = readComposedConfig({ config, preprocessor: eye.preprocessor });
  const entries = decoder.tensors.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const needed = weightBytes(entries, decoder.dtype);
  if (needed > availableMemory()) throw new ModelTooLargeError(decoder.folder, needed, availableMemory());
  const init = { generator: new Generator(seed), dtype: decoder.dtype, device: 'cpu' };
  const model = composedFamily.create(parsed, init);
  try {
    const weights = publishedWeights(model);
    const isOf = (part: string) => (weight: PublishedWeight) => weight.name.startsWith(part);
    const ofText = weights.filter((weight) => !isOf('visual.')(weight) && !isOf('projector.')(weight));
    fill({ ...decoder, internalName: decoder.published.internalName }, ofText);
    const ofEye = weights.filter(isOf('visual.'));
    if (eye.source) fill(eye.source, ofEye);
    tidy(() => {
      const state = new Map(weights.map((weight) => [weight.name, weight.in(weight.parameter.detach()).contiguous()]));
      safetensors.saveSync(join(folder, 'model.safetensors'), state, { metadata: { format: 'pt' } });
    });
    return { decoder: count(ofText), vision: count(ofEye), projector: count(weights.filter(isOf('projector.'))) };
  } finally {
    model.dispose();
  }
}

const count = (weights: readonly PublishedWeight[]): number =>
  weights.reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);

/** Copies the tensors of a folder. New tokens start with the mean of the others. */
function fill({ folder, tensors, internalName }: Weights, weights: readonly PublishedWeight[]): void {
  const open = new Map(weights.map((weight) => [weight.name, weight]));
  const problems: string[] = [];
  for (const path of new Set(tensors.map((tensor) => tensor.path))) {
    using file = new safetensors.SafetensorsFile(path);
    for (const stored of tensors) {
      const name = internalName(stored.name);
      const weight = stored.path === path ? open.get(name) : undefined;
      if (!weight) continue;
      open.delete(name);
      const [rows, ...rest] = weight.shape;
      const [storedRows, ...storedRest] = stored.shape;
      const fits =
        rest.join() === storedRest.join() && (rows === storedRows || (BY_TOKEN.test(name) && rows! > storedRows!));
      if (!fits) {
        problems.push(`${stored.name} is [${stored.shape}], not [${weight.shape}]`);
        continue;
      }
      noGrad(() => tidy(() => copyRows(weight.in(weight.parameter), file.get(stored.name))));
    }
  }
  for (const name of open.keys()) problems.push(`missing ${name}`);
  if (problems.length > 0) throw new ModelWeightsError(folder, problems);
}

function copyRows(target: Tensor, source: Tensor): void {
  const [rows, known] = [target.shape[0] ?? 1, source.shape[0] ?? 1];
  if (rows === known) {
    target.copy_(source);
    return;
  }
  target.narrow(0, 0, known).copy_(source);
  target.narrow(0, known, rows - known).copy_(source.to('float32').mean(0).unsqueeze(0));
}
