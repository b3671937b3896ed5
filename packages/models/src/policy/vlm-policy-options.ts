import type { ProcessGroup } from '@vlgym/gpu/distributed';
import type { ChatTemplate } from '../chat/chat-template.js';
import type { OptimizerOptions } from './policy-optimizer.js';
import type { Training } from './training.js';
import type { Autocast } from './weights/autocast.js';
import type { SamplerDType } from './weights/sampler-weights.js';

export interface VlmPolicyOptions {
  readonly name: string;
  /** Name of the model family. */
  readonly family: string;
  readonly chatTemplate: ChatTemplate;
  /** Name of a preset that brings its tokenizer, or the folder that the tokenizer came from. */
  readonly tokenizerSource: string;
  /** The folder that the weights came from, and its digest; undefined where they were drawn at random. */
  readonly base?: { readonly folder: string; readonly sha256: string } | undefined;
  readonly training: Training;
  readonly optimizer: OptimizerOptions;
  /** Seed of adapters and their dropout. */
  readonly seed: number;
  /** Tokens of one forward when scoring, padding included. */
  readonly batchTokens: number;
  /** Largest vocabulary whose distributions are kept for all positions at once; default 8192. */
  readonly denseVocabulary?: number | undefined;
  /** Keep the inputs of layers alone for a backward pass, and compute the rest again. */
  readonly checkpointActivations?: boolean | undefined;
  /** Bytes of encoded pictures that are kept while the vision encoder is frozen; 0 keeps none. */
  readonly imageCacheBytes?: number | undefined;
  /** Bytes of keys and values that sampling keeps of conversations; default 0. */
  readonly promptCacheBytes?: number | undefined;
  /** What the current weights are sampled in; default `same`. */
  readonly samplerDtype?: SamplerDType | undefined;
  /** Products of scoring and training; default `none`: in the dtype of the weights. */
  readonly autocast?: Autocast | undefined;
  /** Keep a copy of θ_0 where all weights are trained; default true. */
  readonly keepReference?: boolean | undefined;
  /** Processes that each keep a part of the optimizer's state; default: all of it here. */
  readonly shards?: ProcessGroup | undefined;
}
