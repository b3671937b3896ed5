/**
 * The model interface of this package: tokens and pictures become embeddings, embeddings become hidden states, hidden states
 * become scores. Sampling, scoring, training and checkpoints use only these interfaces.
 *
 * Each family of models has one folder (`models/tiny` is the first) or comes from another package, which calls
 * `registerModelFamily` (`families.ts`). `test/toy-family.ts` is one from outside.
 */
import type { Image } from '@vlgym/core';
import type { DType, Generator, Module, Tensor } from '@vlgym/gpu';
import type { AlgorithmOverrides } from '@vlgym/rl';
import type { TokenLayout } from './batch/token-rows.js';
import type { ChatTemplate } from './chat/chat-template.js';
import type { LowPrecisionWeights } from './layers/low-precision-weights.js';
import type { Steps } from './layers/steps.js';
import type { OptimizerOptions } from './policy/policy-optimizer.js';
import type { TextTokenizer } from './tokenizer/tokenizer.js';

/** The fields that every configuration has; a family adds its own. Plain JSON data: checkpoints contain it. */
export interface LanguageModelConfig {
  readonly vocabSize: number;
  /** Width of the hidden states. */
  readonly hiddenSize: number;
  /** Maximum number of prompt tokens, pictures included. */
  readonly maxPositionEmbeddings: number;
  /** Widths of the hidden layers of the value head that a policy puts on the model. */
  readonly valueHead: readonly number[];
}

/** Positions of tokens in the form that the model reads them, e.g. as cosines and sines: tensors [rows or 1, columns, …]. */
export type Positions = Readonly<Record<string, Tensor>>;

/** A model's cache of the tokens that it has read. It owns its memory; `dispose` frees it. */
export interface ModelCache {
  /** Tokens read so far. */
  readonly length: number;
  /** The rows at `index` [kept], int64, in this order; a row may be there several times. */
  select(index: Tensor): void;
  dispose(): void;
}

/** Positions of the tokens of a forward, and their attention masks. */
export interface ForwardContext {
  /** Positions of the tokens in this forward. */
  readonly positions: Positions;
  /**
   * Float, 0 where a query attends to a key and -inf elsewhere: [B, 1, queries, keys]. Null: every token attends to
   * itself and to all tokens before it, those in the cache included.
   */
  readonly mask: Tensor | null;
  readonly cache?: ModelCache | undefined;
  /** Only the states of the last column are read. A family may then give these alone, [B, 1, D]. */
  readonly lastOnly?: boolean | undefined;
}

/** Pixels of a picture. */
export type PictureSize = Pick<Image, 'height' | 'width'>;

/** How a family reads pictures: what the configuration alone decides. */
export interface PictureReader {
  /** Number of tokens that a picture of this size becomes. @throws {ImageSizeError} */
  imageTokens(size: PictureSize): number;
  /**
   * The text that takes the place of the template's placeholder, with the token of pictures as often as `imageTokens` says.
   * A family without it repeats the placeholder's own token.
   */
  imageText?(size: PictureSize): string;
  /** The picture in the size that the model reads, where it reads it in one piece; otherwise as it is. */
  resized(image: Image): Image;
}

/** The pictures of a batch of token rows, and where their tokens go. */
export interface PlacedImages<ImageBatch = unknown> {
  /** The result of `prepareImages`; undefined if `encoded` is present. */
  readonly batch: ImageBatch;
  /** The concatenated results of `encodeImage`, [tokens of all, features], if pictures are cached. */
  readonly encoded?: Tensor | undefined;
  /**
   * [K] int64: position in the encoded pictures, flattened to [pictures * tokens per picture], padding included; in
   * `encoded`, which has none, where that is there.
   */
  readonly source: Tensor;
  /** [K] int64: position in the rows, as row * T + column. */
  readonly target: Tensor;
}

/** One model with its weights. Property names are the published ones: checkpoints load by name. */
export interface LanguageModel extends Module {
  readonly config: LanguageModelConfig;
  /** Dtype of weights and hidden states. */
  readonly dtype: DType;
  /** `cpu`, `cuda:0`, … */
  readonly device: string;
  /** Published names, without `.weight`, of the matrices that adapters change by default. */
  readonly adapterTargets: RegExp;

  /** Number of tokens that a picture of this size becomes. */
  imageTokens(size: PictureSize): number;
  /** `PictureReader.imageText`. */
  imageText?(size: PictureSize): string;
  /** Tokens of a picture attend to all tokens of theirs that stand together, also those after them. Default false. */
  readonly seesWholePictures?: boolean;
  /** Pictures as `embed` takes them, in one batch; each is padded to the number of tokens of the largest. */
  prepareImages(images: readonly Image[]): unknown;
  /**
   * One picture through the vision encoder, [tokens, features], for a cache of encoded pictures: what `embed` then takes as
   * `PlacedImages.encoded`. A family without it encodes the pictures of every forward.
   */
  encodeImage?(image: Image): Steps<Tensor>;
  /**
   * ids int64 [B, T] → embeddings [B, T, D], with the tokens of the pictures in their places. A family may put more
   * features behind the first D, which `forward` splits (Qwen3-VL: those of deepstack).
   *
   * A generator that yields where the event loop may turn, such as behind each layer of the vision encoder; weights are put
   * in place again before it continues.
   */
  embed(ids: Tensor, images: PlacedImages | null): Steps<Tensor>;
  /** Positions of the first `columns` columns of a batch. Padding on the left does not count. */
  positions(layout: TokenLayout, columns: number): Positions;
  newCache(rows: number, capacity: number): ModelCache;
  /** Embeddings [B, T, D] → hidden states after the last norm [B, T, D]; [B, 1, D] will do where `context.lastOnly`. */
  forward(embeddings: Tensor, context: ForwardContext): Tensor;
  /** The same without blocking the event loop; weights and recording of gradients are those at the call. */
  forwardAsync?(embeddings: Tensor, context: ForwardContext): Promise<Tensor>;
  /**
   * `forward` without a cache, in parts one after the other: the first takes the embeddings, the last gives the hidden
   * states. Where activations are checkpointed, one part at a time keeps what its backward pass needs; a family without
   * parts keeps everything.
   */
  parts?(context: ForwardContext): readonly ForwardPart[];
  /** Hidden states [..., D] → scores over the vocabulary [..., V]. */
  logits(hidden: Tensor): Tensor;
  /** The matrix [V, D] that `logits` is a product with and nothing else, so that others may compute it; null if it is not. */
  outputWeight?(): Tensor | null;
  /**
   * A faster `embed`, `forward` and `logits` of one token per row, with the weights in place now; where it is absent or
   * null, those are used.
   */
  tokenReader?(): TokenReader | null;
  /**
   * Copies of matrices that `tokenReader` and forwards without gradients compute with while they are set. A family without
   * the property samples with its own weights alone (`samplerDtype` is refused).
   */
  lowPrecision?: LowPrecisionWeights | null;
  /**
   * While it is true, products of the decoder's layers are in bfloat16, next to weights and results in float32. A family
   * without the property has no such products (`autocast` is refused).
   */
  autocast?: boolean;
}

/** Reads one token per row: its ids int64 [B] → scores over the vocabulary [B, V]. Without gradients. */
export interface TokenReader {
  /** @param context  Positions and mask of the one new column, and the cache that it is added to. */
  read(ids: Tensor, context: ForwardContext): Tensor;
  /** The same without blocking the event loop, for many rows or weights (`SamplingPlan.asyncThreshold`). Absent if it cannot. */
  readAsync?(ids: Tensor, context: ForwardContext): Promise<Tensor>;
  dispose(): void;
}

/** A part of a forward: takes the tensors that the part before gave. */
export interface ForwardPart {
  /** Does not block the event loop where it can; weights and recording of gradients are those at the call. */
  run(inputs: readonly Tensor[]): Promise<readonly Tensor[]>;
}

/** How weights start, and where. */
export interface ModelInit {
  /** Source of the initial weights. */
  readonly generator: Generator;
  readonly dtype: DType;
  readonly device: string;
  /** `loaded`: a file fills the weights next, so that none are drawn. Default `random`. */
  readonly weights?: 'random' | 'loaded' | undefined;
}

/** A configuration with a name. */
export interface ModelPreset {
  readonly config: LanguageModelConfig;
  readonly tokenizer: () => TextTokenizer;
  readonly training?: ModelTraining | undefined;
}

/** Training settings that depend on the size of the model. Settings of the environment and of the user override them. */
export interface ModelTraining {
  /**
   * Options of algorithms by section: those of size, task and speed (`taskOption`, `speedOption` of @vlgym/rl). What
   * makes an algorithm that algorithm is not the model's to say, and is left out.
   */
  readonly overrides?: AlgorithmOverrides | undefined;
  /** Over the defaults of `createPolicy`. */
  readonly optimizer?: Partial<OptimizerOptions> | undefined;
  /** Highest learning rate of supervised training. */
  readonly supervisedLearningRate?: number | undefined;
}

/** An architecture: how to read its configuration, how to build it, how to write a conversation for it. */
export interface ModelFamily<Config extends LanguageModelConfig = LanguageModelConfig> {
  /** Written into checkpoints. */
  readonly name: string;
  /** By name; unique among all families. The first is the default of the family. */
  readonly presets: Readonly<Record<string, ModelPreset>>;
  readonly chatTemplate: ChatTemplate;
  /**
   * Checks a configuration and fills in defaults.
   *
   * @throws {ModelConfigError} Fields are missing, of another type, or contradict each other.
   */
  parseConfig(config: unknown): Config;
  /** A model with fresh weights. */
  create(config: Config, init: ModelInit): LanguageModel;
  /** How its models read pictures, for programs without weights; absent if they read text only. */
  pictures?(config: Config): PictureReader;
  /** The models' `LanguageModel.adapterTargets`, known before a model is created. */
  readonly adapterTargets?: RegExp | undefined;
  /** How to read a folder of this family as others publish it; absent if nobody does. */
  readonly published?: PublishedFamily<Config> | undefined;
}

/** A folder as Hugging Face publishes it: `config.json`, safetensors, tokenizer, processor. */
export interface PublishedFamily<Config extends LanguageModelConfig = LanguageModelConfig> {
  /** `model_type` of `config.json`. */
  readonly modelType: string;
  /**
   * The configuration in this package's spelling.
   *
   * @throws {ModelConfigUnsupportedError} A key asks for what the family does not compute.
   * @throws {ModelConfigError}            The files describe no model.
   */
  readConfig(files: PublishedFiles): Config;
  /** The name that a tensor of a file has among the modules here. */
  internalName(name: string): string;
  /** Texts of the tokens that keys of `config.json` name by id; the tokenizer must agree. Default: those of the Qwen family. */
  readonly namedTokens?: Readonly<Record<string, string>> | undefined;
}

/** JSON of a folder's files, as objects with unchecked content. */
export interface PublishedFiles {
  /** `config.json` */
  readonly config: Readonly<Record<string, unknown>>;
  /** `preprocessor_config.json`; empty if the folder has none. */
  readonly preprocessor: Readonly<Record<string, unknown>>;
  /** `processor_config.json`; absent if the folder has none. */
  readonly processor?: Readonly<Record<string, unknown>> | undefined;
}
