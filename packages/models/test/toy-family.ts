/**
 * A family of models as another package would write it: it imports what is published and nothing else.
 *
 * Each token sees the mean of the last tokens up to it, a sliding window, each with a learned position; a picture is one
 * token, its mean color.
 */
import type { Image } from '@vlgym/core';
import { cat, type DType, keep, Module, nn, ones, type Tensor, tensor, tidy } from '@vlgym/gpu';
import { type LanguageModel, tinyTokenizer } from '@vlgym/models';
import {
  type ForwardContext,
  type LanguageModelConfig,
  languageModelFields,
  type ModelCache,
  type ModelFamily,
  type ModelInit,
  type PlacedImages,
  Projection,
  parseModelConfig,
  type Steps,
  type TokenLayout,
} from '@vlgym/models/family';
import { chatMl } from '@vlgym/models/tokenizer';
import { z } from 'zod';

class ToyCache implements ModelCache {
  #keys: Tensor | null = null;

  get length(): number {
    return this.#keys?.size(1) ?? 0;
  }

  append(tokens: Tensor): Tensor {
    return this.#replace(tidy(() => keep(this.#keys ? cat([this.#keys, tokens], 1) : tokens.clone())));
  }

  select(index: Tensor): void {
    if (this.#keys) this.#replace(tidy(() => keep(this.#keys!.indexSelect(0, index))));
  }

  dispose(): void {
    this.#keys?.dispose();
  }

  #replace(keys: Tensor): Tensor {
    this.#keys?.dispose();
    this.#keys = keys;
    return keys;
  }
}

interface ToyContext extends ForwardContext {
  readonly positions: { readonly index: Tensor };
  readonly cache?: ToyCache | undefined;
}

interface ToyConfig extends LanguageModelConfig {
  /** Tokens that a token attends to, itself included. */
  readonly slidingWindow: number;
}

class ToyModel extends Module implements LanguageModel {
  readonly adapterTargets = /^mix$/;
  readonly tokens: nn.Embedding;
  readonly places: nn.Embedding;
  readonly color: nn.Linear;
  readonly mix: Projection;

  constructor(
    readonly config: ToyConfig,
    init: ModelInit,
  ) {
    super();
    const { vocabSize, hiddenSize, maxPositionEmbeddings } = config;
    this.tokens = new nn.Embedding(vocabSize, hiddenSize, init);
    this.places = new nn.Embedding(maxPositionEmbeddings, hiddenSize, init);
    this.color = new nn.Linear(3, hiddenSize, init);
    this.mix = new Projection(hiddenSize, hiddenSize, { std: 0.5, ...init });
  }

  get dtype(): DType {
    return this.mix.weight.dtype;
  }

  get device(): string {
    return this.mix.weight.device;
  }

  imageTokens(): number {
    return 1;
  }

  prepareImages(images: readonly Image[]): Tensor {
    const means = images.map(({ data, channels }) =>
      [0, 1, 2].map((channel) => {
        const level = data.filter((_, i) => i % channels === channel);
        return level.reduce((sum, byte) => sum + byte, 0) / level.length / 255;
      }),
    );
    return tensor(means, { dtype: this.dtype, device: this.device });
  }

  *embed(ids: Tensor, images: PlacedImages<Tensor> | null): Steps<Tensor> {
    const embeddings = this.tokens.forward(ids);
    if (!images) return embeddings;
    yield;
    const pictures = this.color.forward(images.batch).indexSelect(0, images.source);
    return embeddings.flatten(0, 1).indexPut([images.target], pictures).view(embeddings.shape);
  }

  positions({ promptLength, promptLengths }: TokenLayout, columns: number): { index: Tensor } {
    const index = promptLengths.flatMap((length) =>
      Array.from({ length: columns }, (_, column) => Math.max(column - (promptLength - length), 0)),
    );
    const shape = [promptLengths.length, columns];
    return { index: tensor(Int32Array.from(index), { shape, dtype: 'int64', device: this.device }) };
  }

  newCache(): ToyCache {
    return new ToyCache();
  }

  forward(embeddings: Tensor, { positions, mask, cache }: ToyContext): Tensor {
    const placed = embeddings.add(this.places.forward(positions.index));
    const keys = cache ? cache.append(placed) : placed;
    const [queries, seen] = [placed.size(1), keys.size(1)];
    const ago = seen - queries;
    const near = ones([queries, seen], { dtype: this.dtype, device: this.device })
      .tril(ago)
      .triu(ago - this.config.slidingWindow + 1);
    const scores = near.log(); // 0 within the window, -inf outside
    const weights = (mask ? mask.squeeze(1).add(scores) : scores).softmax(-1);
    return this.mix.forward(weights.matmul(keys)).tanh();
  }

  logits(hidden: Tensor): Tensor {
    return nn.functional.linear(hidden, this.tokens.weight);
  }
}

const configSchema = z.object({ ...languageModelFields, slidingWindow: z.number().int().positive().default(16) });
const parseConfig = (config: unknown): ToyConfig => parseModelConfig(configSchema, config);

export const toyFamily: ModelFamily = {
  name: 'toy',
  presets: {
    'toy-small': {
      config: parseConfig({ vocabSize: 1024, hiddenSize: 8, maxPositionEmbeddings: 256, valueHead: [4] }),
      tokenizer: tinyTokenizer,
    },
  },
  chatTemplate: chatMl(),
  parseConfig,
  create: (config, init) => new ToyModel(parseConfig(config), init),
};
