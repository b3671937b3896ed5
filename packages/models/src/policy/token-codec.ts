/**
 * Tokens without a model: a process that samples elsewhere needs the tokenizer, the chat template and the size of pictures,
 * and neither weights nor libtorch.
 */
import { type ChatMessage, GymError, type Image } from '@vlgym/core';
import { checkNames, isRecord, names } from '@vlgym/core/internal';
import type { ModelInput } from '@vlgym/rl';
import { ImageProcessor, type ImageProcessorConfig } from '../batch/image-processor.js';
import type { ChatTemplate } from '../chat/chat-template.js';
import { modelPreset } from '../families.js';
import type { LanguageModelConfig, PictureReader, PictureSize } from '../language-model.js';
import { readModelFolder } from '../pretrained/model-folder.js';
import type { DecodedTokens, TextTokenizer } from '../tokenizer/tokenizer.js';
import { TextOnlyModelError } from './errors.js';
import { PromptEncoder } from './prompt-encoder.js';

/** A preset by its name, or a model folder as published. */
export type CodecSource = { readonly preset: string } | { readonly model: string };

export interface ModelTokenCodec {
  /** As the policy of the same model encodes. */
  encode(messages: readonly ChatMessage[]): ModelInput;
  decode(ids: Int32Array): DecodedTokens;
  /** Ids at which a response ends. */
  readonly endTokens: readonly number[];
  /** Id that stands for one token of a picture; -1 where the model reads text only. */
  readonly imageToken: number;
  /** Tokens of a picture of this size. */
  imageTokens(size: Pick<Image, 'height' | 'width'>): number;
  /** The picture in the size that the model reads. */
  resize(image: Image): Image;
  /** Equal where texts become equal ids. */
  readonly tokenizerSha256: string;
}

const OPEN_TOKEN_CODEC_OPTIONS = names<CodecSource>({ preset: 0, model: 0 });

/**
 * @throws {UnknownModelError} Unknown preset. @throws Whatever `readModelFolder` does.
 *
 * @example const codec = await openTokenCodec({ model: 'Qwen2.5-VL-3B-Instruct' });
 */
export async function openTokenCodec(source: CodecSource): Promise<ModelTokenCodec> {
  checkNames('options', source, OPEN_TOKEN_CODEC_OPTIONS);
  if ('model' in source) {
    const { config, tokenizer, chatTemplate, family } = await readModelFolder(source.model);
    return codecOf(config, tokenizer, chatTemplate, family.pictures?.(config));
  }
  const { config, tokenizer, family } = modelPreset(source.preset);
  return codecOf(family.parseConfig(config), tokenizer(), family.chatTemplate);
}

function codecOf(
  config: LanguageModelConfig,
  tokenizer: TextTokenizer,
  template: ChatTemplate,
  pictures?: PictureReader,
): ModelTokenCodec {
  if (template.imageToken === null)
    return textCodec(new PromptEncoder({ config, imageTokens: refuse }, tokenizer, template), tokenizer);
  if (pictures) {
    const reader = {
      config,
      imageTokens: (size: PictureSize) => pictures.imageTokens(size),
      ...(pictures.imageText && { imageText: (size: PictureSize) => pictures.imageText!(size) }),
    };
    const { imageTokens } = reader;
    const prompts = new PromptEncoder(reader, tokenizer, template);
    return { ...textCodec(prompts, tokenizer), imageTokens, resize: (image) => pictures.resized(image) };
  }
  if (!readsPictures(config)) {
    throw new GymError('The size of pictures of this model family is not known without a model.', {
      code: 'CODEC_UNSUPPORTED',
      expected: 'a configuration with `vision` and `image`, as of the Qwen-VL families',
      hint: 'sample in the process that trains',
    });
  }
  const processor = new ImageProcessor(config);
  const imageTokens = (size: Pick<Image, 'height' | 'width'>) => processor.tokens(processor.grid(size));
  const prompts = new PromptEncoder({ config, imageTokens }, tokenizer, template);
  return { ...textCodec(prompts, tokenizer), imageTokens, resize: (image) => processor.resized(image) };
}

function textCodec(prompts: PromptEncoder, tokenizer: TextTokenizer): ModelTokenCodec {
  return {
    encode: (messages) => prompts.encode(messages),
    decode: (ids) => prompts.decode(ids),
    endTokens: [...prompts.endTokens],
    imageToken: prompts.imageToken,
    imageTokens: refuse,
    resize: refuse,
    tokenizerSha256: tokenizer.sha256,
  };
}

/** @throws {TextOnlyModelError} Always. */
function refuse(): never {
  throw new TextOnlyModelError(1);
}

/** Grids of patches whose blocks become tokens; squares, as SigLIP and CLIP read them, are counted otherwise. */
function readsPictures(config: LanguageModelConfig): config is LanguageModelConfig & ImageProcessorConfig {
  const { vision, image } = config as { readonly vision?: unknown; readonly image?: unknown };
  return isRecord(vision) && 'spatialMergeSize' in vision && isRecord(image);
}
