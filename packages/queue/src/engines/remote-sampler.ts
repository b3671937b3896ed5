/**
 * A sampler behind HTTP: prompts become ids here, responses come back as ids, and text is only for parsing.
 *
 * Every response is checked: the engine read our prompt id by id, and every token has a version. Old log-probs and values
 * are left to the learner, whose code computes them (`rescore`).
 */
import { type GenerateOptions, rowGenerators } from '@vlgym/agents/model';
import { type ChatMessage, GymError, type Image } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { ModelInput } from '@vlgym/rl';
import { checkTokenVersions, type RolloutSampler, type SampledResponse, versionNumber } from '@vlgym/rl/rollout';
import { PromptMismatchError } from './errors.js';
import type { Replicas } from './replicas.js';

/** Between messages and ids, for the model that is served; a tokenizer and a chat template. */
export interface TokenCodec {
  /** The exact input: image tokens expanded, pictures in the size that the model reads. */
  encode(messages: readonly ChatMessage[]): ModelInput;
  decode(ids: Int32Array): { readonly text: string; readonly tokenEnds: Int32Array };
  /** Ids at which a response ends. */
  readonly endTokens: readonly number[];
  readonly imageToken?: number;
  /** Brings a picture to the size that the model reads, so that the server has nothing to resample. */
  resize?(image: Image): Image;
}

export interface RemoteSamplerOptions {
  readonly replicas: Replicas;
  readonly codec: TokenCodec;
  /** Name of the weights to ask for, e.g. `policy-000012`; asked at every response. */
  readonly model: () => string;
  /** Names requests; unique per worker. */
  readonly name: string;
}

const REMOTE_SAMPLER_OPTIONS = names<RemoteSamplerOptions>({ replicas: 0, codec: 0, model: 0, name: 0 });

export class RemoteSampler implements RolloutSampler {
  readonly #options: RemoteSamplerOptions;
  #requests = 0;

  constructor(options: RemoteSamplerOptions) {
    checkNames('options', options, REMOTE_SAMPLER_OPTIONS);
    this.#options = options;
  }

  get version(): number {
    return versionNumber(this.#options.model());
  }

  encode(messages: readonly ChatMessage[]): ModelInput {
    return this.#options.codec.encode(messages);
  }

  /** All at once: the server makes batches of them. */
  async sample(inputs: readonly ModelInput[], options: GenerateOptions): Promise<SampledResponse[]> {
    const generators = rowGenerators(options.rng, inputs.length);
    // drawn in order, before anything waits: equal generators give equal seeds
    const seeds = generators.map((generator) => generator.integers(0, 2 ** 31));
    return Promise.all(inputs.map((input, row) => this.#respond(input, seeds[row]!, options)));
  }

  async #respond(input: ModelInput, seed: number, options: GenerateOptions): Promise<SampledResponse> {
    const { replicas, codec, model, name } = this.#options;
    const { maxNewTokens = 256, temperature = 1, topP = 1, topK = 0, repetitionPenalty = 1 } = options;
    if (repetitionPenalty !== 1) throw new PenaltyError(repetitionPenalty);
    const { signal = new AbortController().signal } = options;
    const { promptIds, images, constraint } = input;
    if (constraint) throw new ConstraintError(constraint.kind);
    const request = {
      requestId: `${name}-${this.#requests++}`,
      model: model(),
      promptIds,
      images: images.map((image) => codec.resize?.(image) ?? image),
      imageToken: codec.imageToken,
      maxNewTokens,
      temperature,
      topP,
      topK,
      seed,
      stopTokenIds: codec.endTokens,
    };
    const response = await replicas.generate(request, signal);
    const { tokenIds, behaviorLogProbs, finishReason, versions, promptIds: read } = response;
    if (read && !sameIds(read, promptIds)) throw new PromptMismatchError(name, promptIds, read);
    checkTokenVersions(versions, tokenIds.length);
    const { text, tokenEnds } = codec.decode(tokenIds);
    return { text, tokenIds, behaviorLogProbs, tokenEnds, finishReason, promptTokenIds: promptIds, versions };
  }
}

export function sameIds(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

class ConstraintError extends GymError {
  constructor(value: string) {
    super(`Invalid constrain: "${value}".`, {
      code: 'INVALID_OPTION',
      value,
      expected: 'none with a serving engine: its grammars are not those that the learner scores with',
      hint: 'leave `rollout.constrain` out, or let workers sample in process',
    });
  }
}

class PenaltyError extends GymError {
  constructor(value: number) {
    super(`Invalid repetitionPenalty: ${value}.`, {
      code: 'INVALID_OPTION',
      value,
      expected: '1 with a serving engine: engines count the penalty differently',
      hint: 'leave `rollout.repetitionPenalty` out',
    });
  }
}
