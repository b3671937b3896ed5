/** The parts of a policy, which its jobs share. */
import { SerialQueue } from '@vlgym/core/internal';
import type { DType, Generator } from '@vlgym/gpu';
import { BatchBuilder } from '../batch/batch-builder.js';
import { PictureCache } from '../batch/picture-cache.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import type { LowPrecisionWeights } from '../layers/low-precision-weights.js';
import { asyncThreshold } from '../sampling/plan.js';
import { PromptCache } from '../sampling/prompt-cache.js';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import { PromptEncoder } from './prompt-encoder.js';
import type { Checkpointing } from './scoring/response-batch.js';
import type { VlmPolicyOptions } from './vlm-policy-options.js';
import { setAutocast } from './weights/autocast.js';
import { samplerWeights } from './weights/sampler-weights.js';
import { WeightSets } from './weights/weight-sets.js';

export interface PolicyParts {
  readonly network: ActorCritic;
  readonly prompts: PromptEncoder;
  /** Encoded pictures; null where the vision encoder is trained. */
  readonly pictures: PictureCache | null;
  readonly builder: BatchBuilder;
  readonly sets: WeightSets;
  /** Calls share one set of parameters, so they take turns. */
  readonly serialQueue: SerialQueue;
  /** As of `SamplingPlan`. */
  readonly asyncThreshold: number;
  /** Largest vocabulary whose distributions are kept for all positions at once; default 8192. */
  readonly denseVocabulary?: number | undefined;
  /** Copies of the current weights in fewer bytes, for sampling; null if they are sampled with themselves. */
  readonly lowPrecision: LowPrecisionWeights | null;
  /** Keys and values of conversations under the current weights, for sampling; null if none are kept. */
  readonly promptCache: PromptCache | null;
  /** Null if a backward pass keeps all activations. */
  readonly checkpointing: Checkpointing | null;
  /** The dtype of products in scoring and training. */
  readonly dtype: DType;
  /** Sampling rounds otherwise than scoring. */
  readonly samplesOtherwise: boolean;
}

/** @param generator  Draws adapters and their dropout. */
export function policyParts(
  network: ActorCritic,
  tokenizer: TextTokenizer,
  options: VlmPolicyOptions,
  generator: Generator,
): PolicyParts {
  const { language } = network;
  const { training } = options;
  setAutocast(language, options.autocast);
  const prompts = new PromptEncoder(language, tokenizer, options.chatTemplate);
  const sets = new WeightSets(network, training, generator, {
    hasStoredBase: options.base !== undefined,
    keepsReference: options.keepReference ?? true,
  });
  const lowPrecision = samplerWeights(language, options.samplerDtype);
  const hasDropout = training !== 'full' && (training.lora.dropout ?? 0) > 0;
  const pictures = sets.changesPictures ? null : new PictureCache(language, options.imageCacheBytes);
  return {
    network: network.eval(),
    prompts,
    pictures,
    builder: new BatchBuilder(language, prompts.imageToken, pictures),
    sets,
    serialQueue: new SerialQueue(),
    asyncThreshold: asyncThreshold(language.parameters()),
    lowPrecision,
    promptCache: options.promptCacheBytes ? new PromptCache(options.promptCacheBytes) : null,
    denseVocabulary: options.denseVocabulary,
    checkpointing: options.checkpointActivations ? { generator: hasDropout ? generator : null } : null,
    dtype: language.autocast ? 'bfloat16' : language.dtype,
    samplesOtherwise: lowPrecision !== null || language.autocast === true,
  };
}
