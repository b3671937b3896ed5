/**
 * A serving engine as the rollout sees it: token ids in, token ids out.
 *
 * Text is never sent back: decoding and encoding again changes ids (`huggingface/trl#5224`, `sgl-project/sglang#26555`), and
 * a ratio on other ids is wrong. What an engine read must be what we sent, id by id; every response is checked.
 */
import type { TokenVersions } from '@vlgym/agents/model';
import type { Image } from '@vlgym/core';

export interface EngineRequest {
  /** Names order, step and try, so that a repeated request is not taken for a running one. */
  readonly requestId: string;
  /** Name of the weights, e.g. `policy-000012`. */
  readonly model: string;
  /** [P] image tokens expanded, as the model sees them. */
  readonly promptIds: Int32Array;
  /** In prompt order, of the size that the model reads: engines must find nothing to resize. */
  readonly images: readonly Image[];
  /** Id that stands for one token of a picture. */
  readonly imageToken?: number | undefined;
  readonly maxNewTokens: number;
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly seed: number;
  readonly stopTokenIds: readonly number[];
  /** One of these texts and nothing else. */
  readonly choice?: readonly string[] | undefined;
  /** How many alternatives to give per position; default 0. */
  readonly alternatives?: number | undefined;
}

export interface EngineResponse {
  /** [T] */
  readonly tokenIds: Int32Array;
  /** [T] of the distribution sampled from; NaN where an engine that only serves evaluation gives none. */
  readonly behaviorLogProbs: Float32Array;
  readonly finishReason: 'stop' | 'length';
  readonly versions: readonly TokenVersions[];
  /** [P] as the engine read them, image tokens expanded; absent if an engine does not tell. */
  readonly promptIds?: Int32Array;
  /** [T] log-probs of the most likely tokens, where asked for. */
  readonly alternatives?: readonly (readonly number[])[];
}

export interface Engine {
  /** For messages, e.g. `vllm http://host:8000`. */
  readonly name: string;
  /** Log-probs of what was really sampled; `false` for engines that only serve evaluation. */
  readonly canTrain: boolean;
  generate(request: EngineRequest, signal: AbortSignal): Promise<EngineResponse>;
  /** Resolves where the server takes requests. */
  health(signal: AbortSignal): Promise<void>;
  /** Names of the weights that it serves, with the folder of adapters. */
  models(signal: AbortSignal): Promise<readonly { readonly name: string; readonly path?: string }[]>;
  /** Absent if weights cannot be changed while it runs. */
  loadAdapter?(name: string, path: string, signal: AbortSignal): Promise<void>;
  unloadAdapter?(name: string, signal: AbortSignal): Promise<void>;
}
